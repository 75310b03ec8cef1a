import type { EncodingSpec } from "../../spec.ts";
import { isNumbers } from "../huggingface/attributes.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAny } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** LitGPT's `model_config.yaml`, and training files with a `model_config`; a quarter of the head rotates by default. */
export const litgpt: Framework = {
  format: "litgpt-yaml",
  reference: "Lightning-AI/litgpt: litgpt/config.py (Config), litgpt/model.py (build_rope_cache)",
  signs: ["block_size", "rotary_percentage", "padded_vocab_size", "n_query_groups"],
  findModels: (root) => {
    const nested = root.section("model_config");
    const model = isLitgpt(nested) ? nested : isLitgpt(root) ? root : undefined;
    return model === undefined ? undefined : [{ section: model }];
  },
  keys: {
    num_heads: ["n_head"],
    num_kv_heads: ["n_query_groups"],
    num_layers: ["n_layer"],
    hidden_size: ["n_embd"],
    head_dim: ["latent_attention.qk_rope_head_dim", "head_size"],
    rotary_dim: ["latent_attention.qk_rope_head_dim"],
    max_position_embeddings: ["block_size"],
    rope_theta: ["rope_base"],
    partial_rotary_factor: ["rotary_percentage"],
    sliding_window: ["sliding_window_size"],
    condense_ratio: ["rope_condense_ratio"],
    factor: ["rope_adjustments.factor"],
    low_freq_factor: ["rope_adjustments.low_freq_factor"],
    high_freq_factor: ["rope_adjustments.high_freq_factor"],
    beta_fast: ["rope_adjustments.beta_fast"],
    beta_slow: ["rope_adjustments.beta_slow"],
    mscale: ["rope_adjustments.mscale"],
    mscale_all_dim: ["rope_adjustments.mscale_all_dim"],
    original_max_position_embeddings: ["rope_adjustments.original_max_seq_len"],
    local_theta: ["rope_local_base_freq"],
  },
  defaults: {
    hidden_size: 4096,
    num_heads: 32,
    num_layers: 16,
    max_position_embeddings: 4096,
    rope_theta: 10_000,
    partial_rotary_factor: 0.25,
    rope_interleave: false,
  },
  readModel: readLitgpt,
};

function isLitgpt(section: Section | undefined): section is Section {
  return (
    section !== undefined &&
    !hasAny(section, "model_type", "architectures") &&
    hasAny(section, "n_layer", "n_embd") &&
    hasAny(
      section,
      "rotary_percentage",
      "padded_vocab_size",
      "n_query_groups",
      "rope_condense_ratio",
      "norm_class_name",
      "rope_adjustments",
      "rope_base",
    )
  );
}

function readLitgpt(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  if (model.isWritten("beta_fast") || model.isWritten("beta_slow")) setLitgptYarn(model, builder);
  else if (model.isWritten("low_freq_factor")) model.setLlama3(builder);
  else if (model.isWritten("factor")) model.setLinear(builder);
  else model.setLinear(builder, model.number("condense_ratio"));
  const layout = model.flag("rope_interleave") ? "interleaved" : "half";
  return splitLayers(model, builder, layout);
}

/** Where neither `mscale` is given, LitGPT's YaRN does not scale the attention. */
function setLitgptYarn(model: FrameworkModel, builder: SpecBuilder): void {
  model.setYarn(builder);
  if (!model.flag("mscale") && !model.flag("mscale_all_dim")) builder.derive("attention_factor", 1);
}

/** Layers by window and base; each list has one entry per layer, and further entries are ignored. */
function splitLayers(model: FrameworkModel, builder: SpecBuilder, layout: "half" | "interleaved"): EncodingSpec[] {
  const count = builder.get("num_layers");
  const window = model.number("sliding_window");
  const localTheta = model.number("local_theta");
  const listed = (param: string) => {
    const value = model.get(param)?.value;
    return isNumbers(value) ? value : undefined;
  };
  const windowed = window === undefined ? undefined : (listed("sliding_window_indices") ?? "all");
  const local = localTheta === undefined ? undefined : listed("rope_indices");
  const total = typeof count === "number" ? Math.min(count, 1000) : 0;
  const kindOf = (layer: number) => {
    const usesWindow = windowed === "all" || windowed?.[layer] === 1;
    return `${usesWindow ? 1 : 0}${local?.[layer] === 1 ? 1 : 0}`;
  };
  const kinds = new Map<string, number[]>();
  for (let layer = 0; layer < total; layer++) {
    const kind = kindOf(layer);
    kinds.set(kind, [...(kinds.get(kind) ?? []), layer]);
  }
  return [...kinds].map(([kind, layers]) => {
    const own = builder.copy();
    if (kind.startsWith("1")) own.set("sliding_window", window);
    model.setRotation(own, layout);
    if (kind.endsWith("1")) own.set("rope_theta", localTheta).derive("rope_type", "default");
    return model.build(own, "rope", kinds.size === 1 ? "all" : layers);
  });
}
