import type { RopeFile } from "./ropeFile.ts";
import { asRead, ignored, type Runtime, type RuntimeRead, unknown } from "./runtime.ts";
import { readAsTransformers5 } from "./transformers5.ts";

const SCALING_DROPPED = {
  en: "the conversion writes no scaling for this type",
  zh: "转换时不为此类型写入缩放",
};
const WRITTEN_AS_ROPE_FREQS = {
  en: "written as divisors to the tensor rope_freqs.weight",
  zh: "以除数形式写入张量 rope_freqs.weight",
};
const DEPENDS_ON_CONVERSION_CODE = { en: "depends on the model's conversion code", zh: "由各模型的转换代码决定" };
const WRITTEN_AS_YARN_ATTN_FACTOR = {
  en: "written as yarn_attn_factor, which ggml multiplies by 1 + 0.1 ln(factor)",
  zh: "写为 yarn_attn_factor，ggml 会再乘以 1 + 0.1 ln(倍数)",
};
const ALWAYS_ROUNDED = { en: "not written: ggml always rounds", zh: "不写入：ggml 总是取整" };
const CONTEXT_LENGTH_UNCHANGED = {
  en: "context_length of the GGUF, unchanged; YaRN's extended length is set by flags",
  zh: "GGUF 的 context_length，按原样写入；YaRN 的扩展长度由命令行参数设定",
};

/** Types for which the conversion writes a scaling type or tensors. */
const CONVERTED_ROPE_TYPES: ReadonlySet<unknown> = new Set(["default", "linear", "yarn", "longrope", "llama3"]);

function readLlamaCppRopeType(file: RopeFile): RuntimeRead {
  const type = file.param("rope_type");
  if (!CONVERTED_ROPE_TYPES.has(type))
    return type === "dynamic" || type === "proportional"
      ? unknown(DEPENDS_ON_CONVERSION_CODE)
      : ignored(SCALING_DROPPED);
  return asRead(type, type === "llama3" ? WRITTEN_AS_ROPE_FREQS : null);
}

const WEIGHTS_PERMUTED = {
  en: "the weights are permuted to match, so the scores stay the same",
  zh: "权重会相应重排，分数不变",
};

function readGgufLayout(file: RopeFile): RuntimeRead {
  const layout = file.facts.llamaCpp?.layout;
  if (layout === undefined) return unknown();
  return asRead(layout, layout === "interleaved" && file.param("layout") === "half" ? WEIGHTS_PERMUTED : null);
}

export const llamaCpp: Runtime = {
  id: "llama.cpp",
  name: "llama.cpp",
  version: "00bd27a",
  source: "ggml-org/llama.cpp: conversion/base.py, src/llama-model.cpp, ggml/src/ggml-cpu/ops.cpp",
  reads: {
    rope_theta: readAsTransformers5("rope_theta"),
    rope_type: readLlamaCppRopeType,
    factor: readAsTransformers5("factor"),
    original_max_position_embeddings: readAsTransformers5("original_max_position_embeddings"),
    attention_factor: (file) =>
      file.param("attention_factor") === null
        ? asRead(null)
        : asRead(file.param("attention_factor"), WRITTEN_AS_YARN_ATTN_FACTOR),
    truncate: (file) => (file.param("truncate") === false ? ignored(ALWAYS_ROUNDED) : asRead(file.param("truncate"))),
    rotary_dim: (file) =>
      file.number("partial_rotary_factor") === 1
        ? asRead(file.param("rotary_dim"))
        : unknown(DEPENDS_ON_CONVERSION_CODE),
    layout: readGgufLayout,
    context: (file) => asRead(file.param("max_position_embeddings"), CONTEXT_LENGTH_UNCHANGED),
  },
};
