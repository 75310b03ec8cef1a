import type { Attention } from "../../src/core/terms/term.ts";
import { attentionFromSource } from "./attentionSource.ts";
import { normaliserStream } from "./normalisers.ts";
import type { Recipe } from "./renderer.ts";
import { inSlices } from "./timeSlicing.ts";
import type { FromWorker, ToWorker } from "./workerMessages.ts";

/** Normalisers of long rows, away from the page. One job at a time: the newest. */

let current = 0;
let kept: { readonly key: string; readonly attention: Attention } | null = null;

function attentionFor(recipe: Recipe): Attention {
  const key = JSON.stringify(recipe);
  if (kept?.key !== key) kept = { key, attention: attentionFromSource(recipe) };
  return kept.attention;
}

function send(message: FromWorker): void {
  postMessage(message);
}

async function run({ generation, recipe, rows }: Extract<ToWorker, { type: "start" }>): Promise<void> {
  const result = await inSlices(normaliserStream(attentionFor(recipe), rows), {
    progress: (fraction) => send({ type: "progress", generation, fraction }),
    stopped: () => generation !== current,
  });
  if (result !== null) send({ type: "done", generation, ...result });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "stop") {
    if (data.generation === current) current = 0;
    return;
  }
  current = data.generation;
  run(data).catch((failure: unknown) => {
    send({
      type: "failed",
      generation: data.generation,
      message: failure instanceof Error ? failure.message : String(failure),
    });
  });
});
