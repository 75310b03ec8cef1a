import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clickFor } from "../../scripts/lib/workbench/driver/delivery.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";
import { safetensorsFile, storedFloat32 } from "../unit/support/safetensorsFile.ts";

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
  const tiny = path.join(journey.folder, "my-llama");
  const waves = (count: number, by: number) => Array.from({ length: count }, (_, n) => Math.sin(n * by));
  await mkdir(tiny);
  await writeFile(
    path.join(tiny, "model.safetensors"),
    safetensorsFile({
      "model.embed_tokens.weight": storedFloat32([20, 8], waves(160, 1.3)),
      "model.layers.0.self_attn.q_proj.weight": storedFloat32([64, 8], waves(512, 0.7)),
      "model.layers.0.self_attn.k_proj.weight": storedFloat32([64, 8], waves(512, 0.9)),
    }),
  );
});
afterAll(() => journey?.end());
beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
  await journey.closeEditors();
});

it("The panel shows a table from a checkpoint in place of the example values, and restores them", async () => {
  await journey.command("Position Encodings: Preview Encoding…");
  await journey.pick("T5 bias");
  const figure = await journey.figure();
  const panel = journey.webview();
  await panel.getByText("example values for learned parameters").waitFor();
  const learned = panel.getByRole("group", { name: "Learned values" });
  const fromCheckpoint = learned.getByRole("button", { name: "Load from checkpoint…" });
  await journey.pickAfter(fromCheckpoint, "my-t5/model.safetensors");
  await learned.getByText(`my-t5/model.safetensors: ${TENSOR}`).waitFor();
  await panel.getByText("example values for learned parameters").waitFor({ state: "detached" });
  // As many buckets as the table has rows.
  const buckets = panel.getByRole("textbox", { name: "num_buckets", exact: true });
  await expect.poll(() => buckets.inputValue()).toBe(String(BUCKETS));
  await journey.settled(figure);
  await journey.screenshot("weights");
  const example = panel.getByText("example values for learned parameters");
  await clickFor(learned.getByRole("button", { name: "Reset to example values" }), example);
});

it("The panel shows queries and keys of a checkpoint for token ids, and reports an id outside the vocabulary", async () => {
  await journey.command("Position Encodings: Preview Encoding…");
  await journey.pick("no position encoding");
  const panel = journey.webview();
  await panel.getByRole("heading", { name: /NoPE/ }).waitFor();
  const figure = await journey.figure();
  const before = await figure.screenshot();
  const fromCheckpoint = panel.getByRole("button", { name: "Load content from checkpoint…" });
  await journey.pickAfter(fromCheckpoint, "my-llama/model.safetensors");
  await panel.getByText(/model\.safetensors: token embeddings/).waitFor();
  await expect.poll(async () => (await figure.screenshot()).equals(before)).toBe(false);
  await journey.settled(figure);
  await journey.screenshot("checkpoint-content");
  await panel.getByRole("textbox", { name: "token ids" }).fill("1 2 300");
  await panel
    .getByRole("alert")
    .filter({ hasText: "token 300 is out of range: the vocabulary has 20 tokens" })
    .waitFor();
});
