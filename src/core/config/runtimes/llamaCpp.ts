import { ggufLayout } from "./layouts.ts";
import type { RopeFile } from "./ropeFile.ts";
import { ignored, is, type Read, type Runtime, unknown } from "./runtime.ts";
import { asTransformers5 } from "./transformers5.ts";

const DROPPED = {
  en: "the conversion writes no scaling for this type",
  zh: "转换时不为此类型写入缩放",
};
const BAKED = {
  en: "written as divisors to the tensor rope_freqs.weight",
  zh: "以除数形式写入张量 rope_freqs.weight",
};
const OWN_CODE = { en: "depends on the model's conversion code", zh: "由各模型的转换代码决定" };
const TIMES = {
  en: "written as yarn_attn_factor, which ggml multiplies by 1 + 0.1 ln(factor)",
  zh: "写为 yarn_attn_factor，ggml 会再乘以 1 + 0.1 ln(倍数)",
};
const FLOORED = { en: "not written: ggml always rounds", zh: "不写入：ggml 总是取整" };
const TRAINED = {
  en: "context_length of the GGUF, unchanged; YaRN's extended length is set by flags",
  zh: "GGUF 的 context_length，按原样写入；YaRN 的扩展长度由命令行参数设定",
};

/** Types for which the conversion writes a type or tensors of its own. */
const WRITTEN: ReadonlySet<unknown> = new Set(["default", "linear", "yarn", "longrope", "llama3"]);

function typeOf(file: RopeFile): Read {
  const type = file.param("rope_type");
  if (!WRITTEN.has(type)) return type === "dynamic" || type === "proportional" ? unknown(OWN_CODE) : ignored(DROPPED);
  return is(type, type === "llama3" ? BAKED : null);
}

export const llamaCpp: Runtime = {
  id: "llama.cpp",
  name: "llama.cpp",
  version: "00bd27a",
  source: "ggml-org/llama.cpp: conversion/base.py, src/llama-model.cpp, ggml/src/ggml-cpu/ops.cpp",
  reads: {
    rope_theta: asTransformers5("rope_theta"),
    rope_type: typeOf,
    factor: asTransformers5("factor"),
    original_max_position_embeddings: asTransformers5("original_max_position_embeddings"),
    attention_factor: (file) =>
      file.param("attention_factor") === null ? is(null) : is(file.param("attention_factor"), TIMES),
    truncate: (file) => (file.param("truncate") === false ? ignored(FLOORED) : is(file.param("truncate"))),
    rotary_dim: (file) =>
      file.number("partial_rotary_factor") === 1 ? is(file.param("rotary_dim")) : unknown(OWN_CODE),
    layout: ggufLayout,
    context: (file) => is(file.param("max_position_embeddings"), TRAINED),
  },
};
