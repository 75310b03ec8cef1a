import { bert } from "./bert.ts";
import { bloom } from "./bloom.ts";
import { deberta } from "./deberta.ts";
import { falcon } from "./falcon.ts";
import type { Family } from "./family.ts";
import { gemmas } from "./gemma.ts";
import { gpt2 } from "./gpt2.ts";
import { gptj } from "./gptj.ts";
import { gptNeox } from "./gptNeox.ts";
import { decoders } from "./llama.ts";
import { modernBert } from "./modernBert.ts";
import { mpt } from "./mpt.ts";
import { opt } from "./opt.ts";
import { t5 } from "./t5.ts";

/** All families whose layers can be computed. */
const FAMILIES: readonly Family[] = [
  gpt2,
  bert,
  ...decoders,
  ...gemmas,
  gptNeox,
  gptj,
  falcon,
  mpt,
  bloom,
  opt,
  t5,
  deberta,
  modernBert,
];

export function findFamily(modelType: string): Family | undefined {
  return FAMILIES.find(({ modelTypes }) => modelTypes.includes(modelType));
}
