import { bert } from "./bert.ts";
import { bloom } from "./bloom.ts";
import type { Family } from "./family.ts";
import { gemmas } from "./gemma.ts";
import { gpt2 } from "./gpt2.ts";
import { gptNeox } from "./gptNeox.ts";
import { decoders } from "./llama.ts";
import { t5 } from "./t5.ts";

/** All families whose layers can be computed. */
const FAMILIES: readonly Family[] = [gpt2, bert, ...decoders, ...gemmas, gptNeox, bloom, t5];

export function findFamily(modelType: string): Family | undefined {
  return FAMILIES.find(({ modelTypes }) => modelTypes.includes(modelType));
}
