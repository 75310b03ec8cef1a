import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/bundles.ts";
import { extractedStrings, readChineseStrings, readManifestStrings } from "../../../scripts/lib/l10n.ts";

const placeholders = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();

describe("Simplified Chinese", () => {
  test("has every string of the product, and no others", async () => {
    const extracted = await extractedStrings();
    expect(extracted.length).toBeGreaterThan(20);
    expect(Object.keys(readChineseStrings()).sort()).toEqual([...extracted].sort());
  });

  test("keeps every placeholder", () => {
    for (const [english, chinese] of Object.entries(readChineseStrings())) {
      expect(placeholders(chinese), english).toEqual(placeholders(english));
    }
  });

  test("says something in each", () => {
    expect(Object.entries(readChineseStrings()).filter(([, chinese]) => chinese.trim() === "")).toEqual([]);
  });

  test("has the manifest's keys", () => {
    const { en, zh } = readManifestStrings();
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  test("the manifest uses every key that it has, and has every key that it uses", () => {
    const manifest = readFileSync(path.join(root, "package.json"), "utf8");
    const used = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ""));
    expect([...used].sort()).toEqual(Object.keys(readManifestStrings().en).sort());
  });
});
