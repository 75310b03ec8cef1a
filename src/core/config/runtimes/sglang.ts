import type { RopeFile } from "./ropeFile.ts";
import { ignored, is, type Read, type Runtime, refused, unknown } from "./runtime.ts";
import { asTransformers5 } from "./transformers5.ts";

const ATTENTION = {
  en: "get_rope passes attn_factor, not attention_factor",
  zh: "get_rope 传递 attn_factor，不传递 attention_factor",
};
const UNKNOWN_TYPE = {
  en: "raises ValueError: unknown RoPE scaling type",
  zh: "抛出 ValueError：未知的 RoPE 缩放类型",
};
const OWN_CODE = { en: "depends on the model file", zh: "由各模型文件决定" };
const LENGTH = {
  en: "default of --context-length; not multiplied if original_max_position_embeddings is set",
  zh: "--context-length 的默认值；写有 original_max_position_embeddings 时不再相乘",
};

const TYPES: ReadonlySet<unknown> = new Set([
  "default",
  "llama3",
  "linear",
  "dynamic",
  "yarn",
  "deepseek_yarn",
  "longrope",
  "proportional",
]);

function typeOf(file: RopeFile): Read {
  const type = file.param("rope_type");
  return TYPES.has(type) ? is(type) : refused(UNKNOWN_TYPE);
}

function context(file: RopeFile): Read {
  const longest = file.number("max_position_embeddings");
  const factor = file.number("factor") ?? 1;
  const original = file.number("original_max_position_embeddings") !== null;
  if (file.isLayered) return unknown();
  if (longest === null || factor === 1) return is(longest);
  return is(Math.trunc(longest * (original ? 1 : factor)), LENGTH);
}

export const sglang: Runtime = {
  id: "sglang",
  name: "SGLang",
  version: "108c36c",
  source:
    "sgl-project/sglang: python/sglang/srt/layers/rotary_embedding/factory.py, get_rope_config and get_context_length of srt/utils/hf_transformers",
  reads: {
    rope_theta: asTransformers5("rope_theta"),
    rope_type: typeOf,
    factor: asTransformers5("factor"),
    original_max_position_embeddings: asTransformers5("original_max_position_embeddings"),
    attention_factor: (file) => (file.param("attention_factor") === null ? is(null) : ignored(ATTENTION)),
    truncate: asTransformers5("truncate"),
    rotary_dim: (file) =>
      file.number("partial_rotary_factor") === 1 ? is(file.param("rotary_dim")) : unknown(OWN_CODE),
    context,
  },
};
