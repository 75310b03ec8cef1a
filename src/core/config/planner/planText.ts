import { t } from "@vscode/l10n";
import type { Plan } from "./plan.ts";

/** Ways in which a plan can be written down. */
export const PLAN_FORMATS = ["transformers-4", "transformers-5", "vllm", "llama.cpp"] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** Text to copy, or why this program has no way to say it. */
export type PlanText = { readonly text: string } | { readonly unavailable: string };

/** Where the encoding stands that a plan is for. */
export interface PlanPlace {
  /** Key of the sub-config that the language model stands in, which vLLM's override must name. */
  readonly inside?: string | undefined;
  /** Kinds of layers have dictionaries of their own: one for all would take their place. */
  readonly layered?: boolean;
}

export function planFormatTitle(format: PlanFormat): string {
  switch (format) {
    case "transformers-4":
      return t("config.json (transformers 4)");
    case "transformers-5":
      return t("config.json (transformers 5)");
    case "vllm":
      return t("vLLM command line");
    case "llama.cpp":
      return t("llama.cpp command line");
  }
}

/**
 * A plan in the words of a program: keys of `config.json`, or flags of a command line.
 * @param target context in tokens, which servers want apart
 */
export function planText(plan: Plan, format: PlanFormat, target: number, place: PlanPlace = {}): PlanText {
  if (place.layered === true && (format === "transformers-5" || format === "vllm"))
    return { unavailable: t("RoPE parameters differ by layer type: write the plan to the config instead") };
  switch (format) {
    case "transformers-4":
      return { text: transformers4(plan) };
    case "transformers-5":
      return { text: lines({ rope_parameters: plan.written, max_position_embeddings: plan.maxPositions }) };
    case "vllm":
      return { text: vllm(plan, target, place.inside) };
    case "llama.cpp":
      return llamaCpp(plan, target);
  }
}

/** Factors as floats: transformers 4 warns of integers. */
function transformers4({ written, maxPositions }: Plan): string {
  const { rope_theta, ...scaling } = written;
  const rope_scaling = scaling["rope_type"] === "default" ? null : scaling;
  const text = lines({ rope_theta, rope_scaling, max_position_embeddings: maxPositions });
  return text.replace(/("(?:rope_theta|factor|low_freq_factor|high_freq_factor)": \d+)(?=[,\n])/g, "$1.0");
}

/** The inside of an object, to be pasted between the keys of a config. */
function lines(keys: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(keys, null, 2).slice(2, -2);
}

/** The override takes the place of the whole dictionary, so that the base stands in it again. */
function vllm({ written, maxPositions }: Plan, target: number, inside: string | undefined): string {
  const keys = { rope_parameters: written, max_position_embeddings: maxPositions };
  const overrides = inside === undefined ? keys : { [inside]: keys };
  return `--hf-overrides ${quoted(JSON.stringify(overrides))} --max-model-len ${target}`;
}

/** A word of a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function llamaCpp({ method, written }: Plan, target: number): PlanText {
  const context = `--ctx-size ${target}`;
  switch (method) {
    case "linear":
      return { text: `${context} --rope-scaling linear --rope-scale ${String(written["factor"])}` };
    case "ntk":
      return { text: `${context} --rope-scaling none --rope-freq-base ${String(written["rope_theta"])}` };
    case "yarn": {
      const { factor, original_max_position_embeddings: trained } = written;
      return {
        text: `${context} --rope-scaling yarn --rope-scale ${String(factor)} --yarn-orig-ctx ${String(trained)}`,
      };
    }
    case "dynamic":
      return { unavailable: t("llama.cpp does not support dynamic scaling") };
    case "llama3":
    case "longrope":
      return {
        unavailable: t(
          "llama.cpp reads this scaling from tensors in the GGUF file: convert the model again with the changed config",
        ),
      };
  }
}
