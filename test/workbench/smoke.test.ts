import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

describe("The embedded VS Code", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await Journey.start();
  });
  afterAll(() => journey?.end());

  test("The explorer lists the folder that the workbench was started with", async () => {
    const rows = journey.page.locator(".explorer-folders-view .monaco-list-row");
    await rows.filter({ hasText: "model.py" }).waitFor();
    expect(await rows.filter({ hasText: "gemma-3-4b" }).count()).toBe(1);
  });

  test("The extension runs and lists its encodings", async () => {
    await journey.command("Position Encodings: Preview Encoding…");
    await journey.quickInput.search("ALiBi");
    await journey.picks().filter({ hasText: "ALiBi" }).first().waitFor();
    await journey.screenshot("smoke-quick-pick");
    await journey.quickInput.close();
  });

  test("A file saved in the editor is written to disk", async () => {
    await journey.open("gpt2/config.json");
    await journey.editor.goTo(1, 2);
    await journey.editor.type(' "saved": true,');
    await journey.page.locator(".tab.active.dirty").waitFor();
    await journey.editor.press("Control+s");
    await journey.page.locator(".tab.active:not(.dirty)").waitFor();
    expect(await readFile(path.join(journey.folder, "gpt2/config.json"), "utf8")).toContain('"saved": true');
  });

  test("An editor shows the changes that another program writes to its file", async () => {
    await journey.open("t5-small/config.json");
    const file = path.join(journey.folder, "t5-small/config.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"n_positions": 512', '"n_positions": 777'));
    await journey.editor.line("777").waitFor();
  });
});
