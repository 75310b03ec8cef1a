import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clickFor, pressIn } from "../../scripts/lib/workbench/driver/delivery.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

let journey: Journey;

const FILE = "llama-3.1-8b/config.json";

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());

/** The text on screen in the group of the config. */
const line = (text: RegExp) => journey.page.locator(".editor-instance .view-line").filter({ hasText: text }).first();

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => journey.screenshot("failed-write-back"));
});

it("Write back puts a value of the panel into the config, keeps its comments, and is undone in both", async () => {
  const file = path.join(journey.folder, FILE);
  const before = await readFile(file, "utf8");
  const commented = before.replace('  "rope_theta"', '  // from the paper\n  "rope_theta"');
  await writeFile(file, commented);
  await journey.open(FILE);
  await journey.command("Position Encodings: Preview from Config");
  await journey.figure();
  const panel = journey.webview();
  const button = panel.getByRole("button", { name: "Write back" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");

  const theta = panel.getByRole("textbox", { name: "rope_theta", exact: true });
  await clickFor(panel.getByRole("button", { name: "Parameters" }), theta);
  await theta.fill("250000");
  await expect.poll(() => button.getAttribute("aria-disabled")).toBe("false");
  await clickFor(button, panel.getByRole("status", { name: "Done" }).getByText("not saved yet"));
  await line(/"rope_theta":\s250000\.0/).waitFor();
  expect(await line(/from\sthe\spaper/).isVisible()).toBe(true);
  await expect.poll(() => button.getAttribute("title")).toMatch(/All values match/);
  await journey.screenshot("write-back");
  // The document has the edit, the file does not.
  expect(await readFile(file, "utf8")).toBe(commented);

  const config = journey.page.locator(".editor-instance .monaco-editor").filter({ hasText: '"rope_theta"' });
  await pressIn(config.locator("textarea.inputarea"), "Control+z");
  await line(/"rope_theta":\s500000\.0/).waitFor();
  await expect.poll(async () => (await theta.inputValue()).replace(/\s/g, "")).toBe("500000");
});
