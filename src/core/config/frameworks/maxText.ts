import type { EncodingSpec } from "../../spec.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import blocks from "./data/maxTextBlocks.json" with { type: "json" };
import { type Framework, hasAll, hasAny } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";
import { findNopeLayers } from "./nopeLayers.ts";

/** MaxText: `base.yml` and the files of single models, which override it. */
export const maxText: Framework = {
  format: "maxtext-yaml",
  reference:
    "AI-Hypercomputer/maxtext: src/maxtext/configs/base.yml, src/maxtext/layers/attentions.py (init_rotary_embedding), src/maxtext/layers/embeddings.py",
  signs: ["base_emb_dim", "base_num_query_heads", "base_num_decoder_layers", "rope_max_timescale"],
  findModels: (root) =>
    hasAny(root, "base_emb_dim", "base_num_query_heads") &&
    hasAny(root, "base_num_decoder_layers", "decoder_block", "rope_max_timescale")
      ? [{ section: root, isComplete: isComplete(root) }]
      : undefined,
  keys: {
    num_heads: ["base_num_query_heads"],
    num_kv_heads: ["base_num_kv_heads"],
    num_layers: ["base_num_decoder_layers"],
    max_position_embeddings: ["max_target_length"],
    rope_theta: ["rope_max_timescale"],
    factor: ["rope_factor"],
    linear_factor: ["rope_linear_scaling_factor"],
    local_theta: ["local_rope_max_timescale"],
  },
  defaults: {
    num_heads: 16,
    num_kv_heads: 16,
    num_layers: 16,
    head_dim: 128,
    max_position_embeddings: 2048,
    decoder_block: "llama2",
    attention_type: "global",
    rope_type: "default",
    rope_theta: 10_000,
    rope_use_scale: true,
    linear_factor: 1,
    local_theta: -1,
    factor: 40,
    original_max_position_embeddings: 4096,
    beta_fast: 32,
    beta_slow: 1,
    rope_interleave: true,
    rope_attention_scaling: false,
    rope_truncate: true,
    partial_rotary_factor: 1,
    qk_rope_head_dim: 64,
    nope_layer_interval: -1,
    trainable_position_size: -1,
  },
  readModel: readMaxText,
};

/** MaxText takes the scaling of Llama 3.1 from the name of the model, which its own file does not have. */
function isComplete(root: Section): boolean {
  const base = String(root.get("rope_max_timescale")?.value).replaceAll("_", "");
  const isNamed = hasAny(root, "rope_type", "model_name") || (root.string("decoder_block") ?? "llama2") !== "llama2";
  return hasAll(root, "base_num_query_heads", "base_num_decoder_layers") && (isNamed || base !== "500000");
}

/** What is known of a decoder block. */
interface DecoderBlock {
  /** Which layers of a repeated pattern have the window. */
  readonly windows?: readonly boolean[];
  /** One layer of attention in each cycle of this many; the others are linear. */
  readonly attentionInterval?: number;
  /** These keys do not describe its attention. */
  readonly hasOwnAttention?: boolean;
}

const BLOCKS: ReadonlyMap<string, DecoderBlock> = new Map(Object.entries(blocks));

const ROPE_TYPES: ReadonlySet<string> = new Set(["default", "yarn", "llama3.1"]);

function readMaxText(model: FrameworkModel): readonly EncodingSpec[] {
  if (BLOCKS.get(model.text("decoder_block") ?? "")?.hasOwnAttention === true) {
    model.reportUnknown("decoder_block");
    return [];
  }
  if (!ROPE_TYPES.has(model.text("rope_type") ?? "")) {
    model.reportUnknown("rope_type");
    return [];
  }
  const builder = model.sizes();
  const rows = model.number("trainable_position_size");
  if (rows !== undefined && rows.value > 0) return [model.learned(builder.set("max_position_embeddings", rows))];
  if (model.flag("use_untrainable_positional_embedding"))
    return [model.sinusoidal({ layout: "concat", frequency: "tensor2tensor" }, builder)];
  const layout = setType(model, builder);
  if (model.text("attention_type") === "mla") builder.set("head_dim", model.number("qk_rope_head_dim"));
  const window = model.number("sliding_window_size");
  model.setRotation(builder, layout);
  if (model.flag("use_mrope")) {
    const sections = model.numbers("mrope_section") ?? defaultValue([24, 20, 20]);
    return [model.build(builder.set("mrope_section", sections).derive("mrope_interleaved", true), "mrope")];
  }
  const local = model.number("local_theta");
  if (window !== undefined && window.value > 0) return readWindowed(model, builder, window, local);
  return splitNope(model, builder);
}

/** Sets the type of scaling. @returns the layout of the class that the type selects */
function setType(model: FrameworkModel, builder: SpecBuilder): "half" | "interleaved" {
  const type = model.text("rope_type") ?? "";
  if (type === "llama3.1") {
    if (model.flag("rope_use_scale"))
      builder
        .derive("rope_type", "llama3")
        .set("factor", defaultValue(8))
        .set("low_freq_factor", defaultValue(1))
        .set("high_freq_factor", defaultValue(4))
        .set("original_max_position_embeddings", defaultValue(8192));
    return "interleaved";
  }
  if (type === "yarn") {
    model.setYarn(builder);
    builder.derive("truncate", model.flag("rope_truncate"));
    if (!model.flag("rope_attention_scaling")) builder.derive("attention_factor", 1);
    return model.flag("rope_interleave") ? "interleaved" : "half";
  }
  model.setLinear(builder, model.number("linear_factor"));
  return "half";
}

/** Layers with a window and layers without one; windows may have a base of their own, and no interpolation. */
function readWindowed(
  model: FrameworkModel,
  builder: SpecBuilder,
  window: ReturnType<FrameworkModel["number"]>,
  local: ReturnType<FrameworkModel["number"]>,
): readonly EncodingSpec[] {
  const pattern = BLOCKS.get(model.text("decoder_block") ?? "")?.windows;
  const count = builder.get("num_layers");
  if (pattern === undefined || typeof count !== "number") return splitNope(model, builder);
  const layers = Array.from({ length: Math.min(count, 1000) }, (_, layer) => layer);
  const isLocal = (layer: number) => pattern[layer % pattern.length] === true;
  const hasOwnBase = local !== undefined && local.value > 0;
  const windowed = hasOwnBase ? model.setRotation(model.sizes(), "half").set("rope_theta", local) : builder.copy();
  windowed.set("sliding_window", window);
  return [
    model.build(windowed, "rope", layers.filter(isLocal)),
    model.build(
      builder,
      "rope",
      layers.filter((layer) => !isLocal(layer)),
    ),
  ];
}

function splitNope(model: FrameworkModel, builder: SpecBuilder): readonly EncodingSpec[] {
  const interval = BLOCKS.get(model.text("decoder_block") ?? "")?.attentionInterval;
  if (interval !== undefined)
    return [model.build(builder, "rope", findNopeLayers(interval, builder.get("num_layers"), 1))];
  const without = findNopeLayers(model.get("nope_layer_interval")?.value, builder.get("num_layers"), 1);
  if (without.length === 0) return [model.build(builder, "rope")];
  const count = Number(builder.get("num_layers"));
  const rotated = Array.from({ length: count }, (_, layer) => layer).filter((layer) => !without.includes(layer));
  return [...(rotated.length === 0 ? [] : [model.build(builder, "rope", rotated)]), model.none(without)];
}
