import * as l10n from "@vscode/l10n";
import type { Section } from "../core/config/text/section.ts";

/** Keys of mixtures of experts. */
const EXPERT_KEYS = ["num_experts", "num_local_experts", "n_routed_experts", "moe_intermediate_size", "ffn_config"];

/** Why a model's layers cannot be computed, by the model's own name. */
export function describeUnsupported(modelType: string, section: Section): string {
  if (section.has("kv_lora_rank"))
    return l10n.t("{0}: multi-head latent attention (MLA) is not supported yet", modelType);
  if (EXPERT_KEYS.some((key) => section.has(key))) return describeExperts(modelType);
  return l10n.t("{0} is not supported yet", modelType);
}

export function describeExperts(modelType: string): string {
  return l10n.t("{0}: mixtures of experts are not supported yet", modelType);
}
