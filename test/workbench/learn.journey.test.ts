import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
});
afterAll(() => journey?.end());
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
});

const band = () => journey.webview().getByRole("region", { name: "Guided path" });
const heading = (text: RegExp) => band().getByRole("heading", { level: 2 }).filter({ hasText: text });

it("Learn opens the guided path at its first picture, goes on by a click, and resumes where it was left", async () => {
  await journey.command("Position Encodings: Learn");
  await heading(/Attention cannot see order/).waitFor();
  await journey.figure();
  await journey.screenshot("learn-first");
  const second = band().getByRole("button", { name: "2 of 14" });
  await clickFor(band().getByRole("button", { name: "Next" }), second);
  await journey.figure();
  await journey.screenshot("learn-second");
  await journey.closeEditors();
  await journey.command("Position Encodings: Learn");
  await second.waitFor();
  expect(await (await journey.figure()).getAttribute("aria-label")).toMatch(/^A: Sinusoidal/);
});
