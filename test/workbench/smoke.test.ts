import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Journey } from "./harness.ts";

describe("the embedded VS Code", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await Journey.start();
  });
  afterAll(() => journey?.end());

  test("lists the folder", async () => {
    const rows = journey.page.locator(".explorer-folders-view .monaco-list-row");
    await rows.filter({ hasText: "model.py" }).waitFor();
    expect(await rows.filter({ hasText: "gemma-3-4b" }).count()).toBe(1);
  });

  test("runs our extension", async () => {
    await journey.command("Preview Encoding…");
    await journey.search("ALiBi");
    await journey.picks().filter({ hasText: "ALiBi" }).first().waitFor();
    await journey.screenshot("smoke-quick-pick");
    await journey.page.keyboard.press("Escape");
  });

  test("writes into the folder what is saved", async () => {
    await journey.open("gpt2/config.json");
    await journey.goTo(1, 2);
    await journey.page.keyboard.type(' "saved": true,');
    await journey.page.locator(".tab.active.dirty").waitFor();
    await journey.page.keyboard.press("Control+s");
    await journey.page.locator(".tab.active:not(.dirty)").waitFor();
    expect(await readFile(path.join(journey.folder, "gpt2/config.json"), "utf8")).toContain('"saved": true');
  });

  test("shows what another program writes", async () => {
    await journey.open("t5-small/config.json");
    const file = path.join(journey.folder, "t5-small/config.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"n_positions": 512', '"n_positions": 777'));
    await journey.editor().locator(".view-line").filter({ hasText: "777" }).waitFor();
  });
});
