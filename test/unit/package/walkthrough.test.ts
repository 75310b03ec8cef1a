import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/root.ts";

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image: Readonly<Record<string, string>>; readonly altText: string };
}

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8"));
const manifest: {
  contributes: { walkthroughs: { steps: Step[] }[]; commands: { command: string }[] };
} = read("package.json");
const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: read("package.nls.json"),
  "zh-cn": read("package.nls.zh-cn.json"),
};
const steps = manifest.contributes.walkthroughs[0]?.steps ?? [];
const said = (language: string, key: string) => texts[language]?.[key.replaceAll("%", "")] ?? "";

describe("the walkthrough", () => {
  test("covers hover, panel, checks and command line in four steps", () => {
    expect(steps.map(({ id }) => id)).toEqual(["hover", "panel", "checks", "commands"]);
  });

  test("has a picture for each kind of theme", () => {
    for (const { media } of steps) {
      expect(Object.keys(media.image).sort()).toEqual(["dark", "hc", "hcLight", "light"]);
      for (const file of Object.values(media.image)) expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  });

  test.each(["en", "zh-cn"])("links to existing commands in %s", (language) => {
    const own = manifest.contributes.commands.map(({ command }) => command);
    for (const { title, description, media } of steps) {
      for (const key of [title, description, media.altText]) expect(said(language, key)).not.toBe("");
      for (const [, command = ""] of said(language, description).matchAll(/\(command:([\w.]+)/g)) {
        if (command.startsWith("posenc.")) expect(own).toContain(command);
        else expect(["workbench.action.quickOpen", "workbench.action.openSettings"]).toContain(command);
      }
    }
  });
});
