import { audiocraft } from "./audiocraft.ts";
import { axolotl } from "./axolotl.ts";
import { easyLm } from "./easyLm.ts";
import { fairseq } from "./fairseq.ts";
import type { Framework } from "./framework.ts";
import { levanter } from "./levanter.ts";
import { lingua } from "./lingua.ts";
import { litgpt } from "./litgpt.ts";
import { llamaFactory } from "./llamaFactory.ts";
import { llmFoundry } from "./llmFoundry.ts";
import { maxText } from "./maxText.ts";
import { megatron } from "./megatron.ts";
import { nanotron } from "./nanotron.ts";
import { nemo } from "./nemo.ts";
import { neox } from "./neox.ts";
import { olmo } from "./olmo.ts";
import { olmoCore } from "./olmoCore.ts";
import { openLm } from "./openLm.ts";
import { openNmt } from "./openNmt.ts";
import { stripedHyena } from "./stripedHyena.ts";
import { swin } from "./swin.ts";
import { torchtitan } from "./torchtitan.ts";
import { torchtune } from "./torchtune.ts";
import { wenet } from "./wenet.ts";
import { xTransformers } from "./xTransformers.ts";

/** In the order of trial; each recognises its files by keys that only it has. */
export const FRAMEWORKS: readonly Framework[] = [
  swin,
  torchtune,
  stripedHyena,
  litgpt,
  llmFoundry,
  olmo,
  neox,
  olmoCore,
  nanotron,
  torchtitan,
  maxText,
  lingua,
  openLm,
  audiocraft,
  easyLm,
  wenet,
  openNmt,
  nemo,
  megatron,
  fairseq,
  levanter,
  xTransformers,
  axolotl,
  llamaFactory,
];
