import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { safetensorsFile, storedFloat32 } from "../unit/support/safetensorsFile.ts";
import { Journey } from "./harness.ts";

let journey: Journey;

const TENSOR = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
const BUCKETS = 16;
const HEADS = 4;

beforeAll(async () => {
  journey = await Journey.start();
  const folder = path.join(journey.folder, "my-t5");
  await mkdir(folder);
  const bias = Array.from({ length: BUCKETS * HEADS }, (_, n) => -Math.floor(n / HEADS) / 4);
  await writeFile(
    path.join(folder, "model.safetensors"),
    safetensorsFile({ [TENSOR]: storedFloat32([BUCKETS, HEADS], bias), "shared.weight": storedFloat32([1], [1]) }),
  );
});
afterAll(() => journey?.end());
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => journey.screenshot("failed-weights"));
});

it("shows a table of a checkpoint in place of the example values, and goes back to them", async () => {
  await journey.command("Position Encodings: Preview Encoding…");
  await journey.picks().first().waitFor();
  await journey.pick("T5 bias");
  const figure = await journey.figure();
  const panel = journey.webview();
  await panel.getByText("example values for what is learned").waitFor();
  const learned = panel.getByRole("group", { name: "Learned values" });
  await learned.getByRole("button", { name: "From a checkpoint…" }).click();
  await journey.picks().filter({ hasText: "my-t5/model.safetensors" }).first().waitFor();
  await journey.page.keyboard.press("Enter");
  await learned.getByText(`my-t5/model.safetensors: ${TENSOR}`).waitFor();
  await panel.getByText("example values for what is learned").waitFor({ state: "detached" });
  // As many buckets as the table has rows.
  const buckets = panel.getByRole("textbox", { name: "num_buckets", exact: true });
  await expect.poll(() => buckets.inputValue()).toBe(String(BUCKETS));
  await journey.settled(figure);
  await journey.screenshot("weights");
  await learned.getByRole("button", { name: "Back to example values" }).click();
  await panel.getByText("example values for what is learned").waitFor();
});
