import * as l10n from "@vscode/l10n";
import type { ContextPlan } from "./plan.ts";

/** Formats in which a plan can be written. */
export const PLAN_FORMATS = ["transformers-4", "transformers-5", "vllm", "llama.cpp"] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** Text to copy, or why the program does not support the plan. */
export type PlanText = { readonly text: string } | { readonly unavailable: string };

/** The config that a plan is for. */
export interface PlanDestination {
  /** Key of the sub-config with the language model, which vLLM's override must name. */
  readonly subConfig?: string | undefined;
  /** Layer types have separate dictionaries, which a single one would replace. */
  readonly isLayered?: boolean;
}

export function planFormatTitle(format: PlanFormat): string {
  switch (format) {
    case "transformers-4":
      return l10n.t("config.json (transformers 4)");
    case "transformers-5":
      return l10n.t("config.json (transformers 5)");
    case "vllm":
      return l10n.t("vLLM command line");
    case "llama.cpp":
      return l10n.t("llama.cpp command line");
  }
}

/**
 * Formats a plan as keys of `config.json` or as command line flags.
 * @param target context in tokens, which servers need as a separate flag
 */
export function formatPlan(
  plan: ContextPlan,
  format: PlanFormat,
  target: number,
  place: PlanDestination = {},
): PlanText {
  if (place.isLayered === true && (format === "transformers-5" || format === "vllm"))
    return { unavailable: l10n.t("RoPE parameters differ by layer type: write the plan to the config instead") };
  switch (format) {
    case "transformers-4":
      return { text: formatTransformers4(plan) };
    case "transformers-5":
      return {
        text: formatKeys({ rope_parameters: plan.ropeParameters, max_position_embeddings: plan.maxPositionEmbeddings }),
      };
    case "vllm":
      return { text: formatVllm(plan, target, place.subConfig) };
    case "llama.cpp":
      return formatLlamaCpp(plan, target);
  }
}

/** Writes factors as floats: transformers 4 warns about integers. */
function formatTransformers4({ ropeParameters, maxPositionEmbeddings }: ContextPlan): string {
  const { rope_theta, ...scaling } = ropeParameters;
  const rope_scaling = scaling["rope_type"] === "default" ? null : scaling;
  const text = formatKeys({ rope_theta, rope_scaling, max_position_embeddings: maxPositionEmbeddings });
  return text.replace(/("(?:rope_theta|factor|low_freq_factor|high_freq_factor)": \d+)(?=[,\n])/g, "$1.0");
}

/** Entries of an object without its braces, to paste between the keys of a config. */
function formatKeys(keys: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(keys, null, 2).slice(2, -2);
}

/** The override replaces the whole dictionary, so that the base is repeated in it. */
function formatVllm(
  { ropeParameters, maxPositionEmbeddings }: ContextPlan,
  target: number,
  subConfig: string | undefined,
): string {
  const keys = { rope_parameters: ropeParameters, max_position_embeddings: maxPositionEmbeddings };
  const overrides = subConfig === undefined ? keys : { [subConfig]: keys };
  return `--hf-overrides ${quoteForShell(JSON.stringify(overrides))} --max-model-len ${target}`;
}

/** Quotes a word for a POSIX shell. */
function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function formatLlamaCpp({ method, ropeParameters }: ContextPlan, target: number): PlanText {
  const context = `--ctx-size ${target}`;
  switch (method) {
    case "linear":
      return { text: `${context} --rope-scaling linear --rope-scale ${String(ropeParameters["factor"])}` };
    case "ntk":
      return { text: `${context} --rope-scaling none --rope-freq-base ${String(ropeParameters["rope_theta"])}` };
    case "yarn": {
      const { factor, original_max_position_embeddings: trained } = ropeParameters;
      return {
        text: `${context} --rope-scaling yarn --rope-scale ${String(factor)} --yarn-orig-ctx ${String(trained)}`,
      };
    }
    case "dynamic":
      return { unavailable: l10n.t("llama.cpp does not support dynamic scaling") };
    case "llama3":
    case "longrope":
      return {
        unavailable: l10n.t(
          "llama.cpp reads this scaling from tensors in the GGUF file: convert the model again with the changed config",
        ),
      };
  }
}
