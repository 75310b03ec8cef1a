import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodingsPage } from "../../../scripts/lib/docs/encodingsPage.ts";
import { GENERATED_PAGES } from "../../../scripts/lib/docs/pages.ts";
import { ENCODINGS } from "../../../src/core/encodings/index.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import { root } from "../support/files.ts";

const docs = join(root, "docs");

describe("generated pages", () => {
  test.each(Object.entries(GENERATED_PAGES))("docs/%s is what the code says (npm run docs)", (name, page) => {
    expect(readFileSync(join(docs, name), "utf8")).toBe(page());
  });

  test("the page of encodings answers by id, by model and by name", () => {
    const page = encodingsPage(ENCODINGS);
    for (const encoding of ENCODINGS) {
      expect(page).toContain(`<a id="${encoding.id}"></a>\n\n## ${fullTitle(encoding).en}\n`);
      for (const model of encoding.explanation.models) {
        expect(page).toContain(`| ${model.replaceAll("|", "\\|")} | [${fullTitle(encoding).en}](#${encoding.id}) |`);
      }
    }
    expect(page).toContain("| Baichuan-13B | [ALiBi");
  });

  test("every row of a table has the cells of its head", () => {
    const cells = (line: string) => line.replaceAll("\\|", "").split("|").length;
    const blocks = encodingsPage(ENCODINGS)
      .split("\n\n")
      .filter((block) => block.startsWith("| "));
    expect(blocks.length).toBeGreaterThan(ENCODINGS.length);
    for (const block of blocks) {
      const [head = "", ...rows] = block.split("\n");
      for (const row of rows) expect(cells(row), row).toBe(cells(head));
    }
  });
});
