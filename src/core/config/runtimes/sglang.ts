import type { RopeFile } from "./ropeFile.ts";
import { asRead, ignored, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";
import { readAsTransformers5 } from "./transformers5.ts";

const PASSES_ATTN_FACTOR = {
  en: "get_rope passes attn_factor, not attention_factor",
  zh: "get_rope 传递 attn_factor，不传递 attention_factor",
};
const UNKNOWN_TYPE = {
  en: "raises ValueError: unknown RoPE scaling type",
  zh: "抛出 ValueError：未知的 RoPE 缩放类型",
};
const DEPENDS_ON_MODEL_FILE = { en: "depends on the model file", zh: "由各模型文件决定" };
const DEFAULT_CONTEXT_LENGTH = {
  en: "default of --context-length; not multiplied if original_max_position_embeddings is set",
  zh: "--context-length 的默认值；写有 original_max_position_embeddings 时不再相乘",
};

const SGLANG_ROPE_TYPES: ReadonlySet<unknown> = new Set([
  "default",
  "llama3",
  "linear",
  "dynamic",
  "yarn",
  "deepseek_yarn",
  "longrope",
  "proportional",
]);

function readSglangRopeType(file: RopeFile): RuntimeRead {
  const type = file.param("rope_type");
  return SGLANG_ROPE_TYPES.has(type) ? asRead(type) : refused(UNKNOWN_TYPE);
}

function readSglangContext(file: RopeFile): RuntimeRead {
  const longest = file.number("max_position_embeddings");
  const factor = file.number("factor") ?? 1;
  const original = file.number("original_max_position_embeddings") !== null;
  if (file.isLayered) return unknown();
  if (longest === null || factor === 1) return asRead(longest);
  return asRead(Math.trunc(longest * (original ? 1 : factor)), DEFAULT_CONTEXT_LENGTH);
}

export const sglang: Runtime = {
  id: "sglang",
  name: "SGLang",
  version: "108c36c",
  source:
    "sgl-project/sglang: python/sglang/srt/layers/rotary_embedding/factory.py, get_rope_config and get_context_length of srt/utils/hf_transformers",
  reads: {
    rope_theta: readAsTransformers5("rope_theta"),
    rope_type: readSglangRopeType,
    factor: readAsTransformers5("factor"),
    original_max_position_embeddings: readAsTransformers5("original_max_position_embeddings"),
    attention_factor: (file) => (file.param("attention_factor") === null ? asRead(null) : ignored(PASSES_ATTN_FACTOR)),
    truncate: readAsTransformers5("truncate"),
    rotary_dim: (file) =>
      file.number("partial_rotary_factor") === 1 ? asRead(file.param("rotary_dim")) : unknown(DEPENDS_ON_MODEL_FILE),
    context: readSglangContext,
  },
};
