import { axolotl } from "./axolotl.ts";
import type { Framework } from "./framework.ts";
import { litgpt } from "./litgpt.ts";
import { llamaFactory } from "./llamaFactory.ts";
import { llmFoundry } from "./llmFoundry.ts";
import { megatron } from "./megatron.ts";
import { nemo } from "./nemo.ts";
import { neox } from "./neox.ts";
import { olmo } from "./olmo.ts";
import { stripedHyena } from "./stripedHyena.ts";
import { swin } from "./swin.ts";
import { torchtune } from "./torchtune.ts";

/** In the order of trial; each recognises its files by keys that only it has. */
export const FRAMEWORKS: readonly Framework[] = [
  swin,
  torchtune,
  stripedHyena,
  litgpt,
  llmFoundry,
  olmo,
  neox,
  nemo,
  megatron,
  axolotl,
  llamaFactory,
];
