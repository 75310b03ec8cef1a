import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodingsPage } from "../../../scripts/lib/docs/encodingsPage.ts";
import { GENERATED_PAGES } from "../../../scripts/lib/docs/pages.ts";
import { ENCODINGS } from "../../../src/core/encodings/index.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import { root } from "../support/files.ts";

const docs = join(root, "docs");

describe("the generated documentation", () => {
  test.each(Object.entries(GENERATED_PAGES))("is up to date in docs/%s (npm run docs)", (name, page) => {
    expect(readFileSync(join(docs, name), "utf8")).toBe(page());
  });

  describe.each(["en", "zh"] as const)("of encodings (%s)", (language) => {
    const page = encodingsPage(ENCODINGS, language);

    test("finds encodings by id, by model and by name", () => {
      for (const encoding of ENCODINGS) {
        const title = fullTitle(encoding)[language];
        expect(page).toContain(`<a id="${encoding.id}"></a>\n\n## ${title}\n`);
        for (const model of encoding.explanation.models)
          expect(page).toContain(`| ${model.replaceAll("|", "\\|")} | [${title}](#${encoding.id}) |`);
      }
      expect(page).toContain("| Baichuan-13B | [ALiBi");
    });

    test("has as many cells in every table row as in its header", () => {
      const cells = (line: string) => line.replaceAll("\\|", "").split("|").length;
      const blocks = page.split("\n\n").filter((block) => block.startsWith("| "));
      expect(blocks.length).toBeGreaterThan(ENCODINGS.length);
      for (const block of blocks) {
        const [head = "", ...rows] = block.split("\n");
        for (const row of rows) expect(cells(row), row).toBe(cells(head));
      }
    });
  });

  test.each(["encodings", "rules"])("has the same headings and links in both languages (%s)", (name) => {
    const outline = (page: string) => [
      page.match(/^#+ /gm)?.length,
      page.match(/\]\([^)]*\)/g)?.toSorted(),
      page.match(/^#### .*|^### [a-z0-9]+\/.*$/gm),
    ];
    const [english = "", chinese = ""] = [`${name}.md`, `${name}.zh-CN.md`].map((file) => GENERATED_PAGES[file]?.());
    expect(outline(chinese)).toEqual(outline(english));
  });
});
