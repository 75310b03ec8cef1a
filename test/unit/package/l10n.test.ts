import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { extractedStrings, readChineseStrings, readManifestStrings } from "../../../scripts/lib/l10n.ts";
import { root } from "../../../scripts/lib/root.ts";

const placeholders = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();

describe("Simplified Chinese", () => {
  test("translates exactly the strings of the product", async () => {
    const extracted = await extractedStrings();
    expect(extracted.length).toBeGreaterThan(20);
    expect(Object.keys(readChineseStrings()).sort()).toEqual([...extracted].sort());
  });

  test("keeps every placeholder", () => {
    for (const [english, chinese] of Object.entries(readChineseStrings())) {
      expect(placeholders(chinese), english).toEqual(placeholders(english));
    }
  });

  test("has no empty translation", () => {
    expect(Object.entries(readChineseStrings()).filter(([, chinese]) => chinese.trim() === "")).toEqual([]);
  });

  test("translates the keys of the manifest", () => {
    const { en, zh } = readManifestStrings();
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  test("has exactly the keys that the manifest uses", () => {
    const manifest = readFileSync(path.join(root, "package.json"), "utf8");
    const used = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ""));
    expect([...used].sort()).toEqual(Object.keys(readManifestStrings().en).sort());
  });
});
