import { createCachedContent } from "../../src/core/terms/content.ts";
import type { Attention } from "../../src/core/terms/term.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import { attentionFromSource } from "./attentionSource.ts";
import { normaliserStream } from "./normaliserStreams.ts";
import type { AttentionSource } from "./renderer.ts";
import { runInSlices } from "./timeSlicing.ts";
import type { FromWorker, ToWorker } from "./workerMessages.ts";

/** Computes the normalisers of long rows outside the page's thread. Only the newest job runs. */

// A worker is one context, and its state ends with it.
let currentGeneration = 0;
const createContent = createCachedContent();
let cachedAttention: { readonly key: string; readonly attention: Attention } | null = null;

function reuseAttention(attentionSource: AttentionSource): Attention {
  const key = JSON.stringify(attentionSource);
  if (cachedAttention?.key !== key)
    cachedAttention = { key, attention: attentionFromSource(attentionSource, createContent) };
  return cachedAttention.attention;
}

function send(message: FromWorker): void {
  postMessage(message);
}

async function runJob({ generation, attentionSource, rows }: Extract<ToWorker, { type: "start" }>): Promise<void> {
  const result = await runInSlices(normaliserStream(reuseAttention(attentionSource), rows), {
    progress: (fraction) => send({ type: "progress", generation, fraction }),
    stopped: () => generation !== currentGeneration,
  });
  if (result !== null) send({ type: "done", generation, ...result });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "stop") {
    if (data.generation === currentGeneration) currentGeneration = 0;
    return;
  }
  currentGeneration = data.generation;
  runJob(data).catch((failure: unknown) => {
    send({
      type: "failed",
      generation: data.generation,
      message: errorMessage(failure),
    });
  });
});
