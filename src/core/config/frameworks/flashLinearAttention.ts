import type { EncodingSpec } from "../../spec.ts";
import { isNumbers } from "../huggingface/attributes.ts";
import modelTypes from "./data/flaModelTypes.json" with { type: "json" };
import { type Framework, hasAny } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** What the layers of a model type do with positions: rotate, or nothing beside their recurrence. */
interface LayerKind {
  readonly rotates: boolean;
  readonly heads?: number;
}

/** Model types of flash-linear-attention that transformers does not have. */
const MODEL_TYPES: ReadonlyMap<string, LayerKind> = new Map(Object.entries(modelTypes));

/** Models of flash-linear-attention; some layers of a hybrid are attention with RoPE. */
export const flashLinearAttention: Framework = {
  format: "fla-config",
  reference:
    "fla-org/flash-linear-attention: fla/models/*/configuration_*.py, fla/layers/attn.py, fla/modules/rotary.py",
  signs: ["fuse_cross_entropy", "fuse_norm", "attn_mode"],
  findModels: (root) =>
    MODEL_TYPES.has(root.string("model_type") ?? "") &&
    hasAny(root, "fuse_cross_entropy", "fuse_norm", "attn_mode", "fuse_swiglu", "expand_k", "use_short_conv")
      ? [{ section: root }]
      : undefined,
  keys: {
    num_layers: ["num_hidden_layers"],
    sliding_window: ["window_size"],
    attention_heads: ["attn.num_heads"],
    attention_kv_heads: ["attn.num_kv_heads"],
    attention_window: ["attn.window_size"],
    attention_theta: ["attn.rope_theta"],
    attention_layers: ["attn.layers"],
  },
  defaults: {
    hidden_size: 2048,
    num_layers: 24,
    max_position_embeddings: 2048,
    rope_theta: 10_000,
    attention_theta: 10_000,
    use_rope: true,
  },
  readModel: readFla,
};

function readFla(model: FrameworkModel): readonly EncodingSpec[] {
  const kind = MODEL_TYPES.get(model.text("model_type") ?? "");
  if (kind === undefined) return [];
  const attention = model.get("attention_layers")?.value;
  const hybrid = isNumbers(attention) ? attention : [];
  const count = model.number("num_layers")?.value ?? 0;
  const others = Array.from({ length: Math.min(count, 1000) }, (_, layer) => layer).filter(
    (layer) => !hybrid.includes(layer),
  );
  const own = readOwnLayers(model, kind, hybrid.length === 0 ? "all" : others);
  return hybrid.length === 0 ? [own] : [own, readAttention(model, hybrid)];
}

function readOwnLayers(model: FrameworkModel, kind: LayerKind, layers: EncodingSpec["layers"]): EncodingSpec {
  const builder = model.sizes();
  const width = model.number("hidden_size");
  if (builder.get("num_heads") === null && kind.heads !== undefined)
    builder.set("num_heads", { value: kind.heads, source: "default" });
  const heads = builder.get("num_heads");
  if (builder.get("head_dim") === null && typeof heads === "number" && heads > 0 && width !== undefined)
    builder.derive("head_dim", Math.floor(width.value / heads));
  if (builder.get("num_kv_heads") === null && typeof heads === "number") builder.derive("num_kv_heads", heads);
  if (!kind.rotates || !model.flag("use_rope")) return model.build(builder, "none", layers);
  return model.rope(builder.set("sliding_window", model.number("sliding_window")), "half", layers);
}

function readAttention(model: FrameworkModel, layers: readonly number[]): EncodingSpec {
  const builder = model.sizes();
  const heads = model.number("attention_heads");
  const width = model.number("hidden_size");
  builder.set("num_heads", heads).set("num_kv_heads", model.number("attention_kv_heads") ?? heads);
  if (heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
  builder.set("sliding_window", model.number("attention_window"));
  model.setRotation(builder, "half");
  return model.build(builder.set("rope_theta", model.number("attention_theta")), "rope", layers);
}
