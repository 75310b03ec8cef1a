import type { Params } from "../../spec.ts";
import type { Parameter } from "../encoding.ts";
import { TOKENS } from "../support/parameters.ts";
import { rotaryDim } from "./frequencies.ts";

/** Parameters that only the scaling types of RoPE have. */

function ofTypes(...types: string[]): (params: Params) => boolean {
  return (params) => types.includes(String(params.rope_type));
}

/** Divisors of a made-up LongRoPE: fast pairs stay, slow ones are stretched by the factor. */
function exampleDivisors(last: number): (params: Params) => number[] {
  return (params) => {
    const pairs = Math.max(1, Math.floor(rotaryDim(params) / 2));
    return Array.from({ length: pairs }, (_, k) => 1 + ((last - 1) * k) / Math.max(1, pairs - 1));
  };
}

const factor: Parameter = {
  name: "factor",
  aliases: ["alpha"],
  kind: "number",
  default: null,
  optional: true,
  suggested: (params) => (params.rope_type === "proportional" ? null : 4),
  above: 0,
  max: 1e6,
  slider: { min: 1, max: 64, scale: "log" },
  when: (params) => !["default", "axial"].includes(String(params.rope_type)),
  help: {
    en: "How many times longer the context is to be, s. Not set: YaRN and LongRoPE take the ratio of the two lengths, p-RoPE 1.",
    zh: "上下文要延长的倍数 s。未设置时，YaRN 与 LongRoPE 取两个长度之比，p-RoPE 取 1。",
  },
};

const alpha: Parameter = {
  name: "alpha",
  kind: "number",
  default: null,
  optional: true,
  above: 0,
  max: 1e6,
  when: ofTypes("dynamic"),
  help: {
    en: "Hunyuan's fixed NTK scale, which holds up to max_position_embeddings. Not set: no scale there.",
    zh: "混元的固定 NTK 倍数，在 max_position_embeddings 以内有效。未设置时此范围内不缩放。",
  },
};

const originalMaxPositions: Parameter = {
  name: "original_max_position_embeddings",
  kind: "integer",
  default: null,
  optional: true,
  min: 1,
  max: 1e9,
  slider: { min: 128, max: 131_072, scale: "log" },
  unit: TOKENS,
  when: ofTypes("yarn", "longrope", "llama3"),
  help: {
    en: "Context that the model was trained on before scaling. Not set: max_position_embeddings, as transformers fills it in.",
    zh: "缩放之前的训练长度。未设置时与 transformers 一样取 max_position_embeddings。",
  },
};

const sequenceLength: Parameter = {
  name: "seq_len",
  kind: "integer",
  default: null,
  optional: true,
  min: 1,
  max: 1e9,
  slider: { min: 1, max: 1_048_576, scale: "log" },
  unit: TOKENS,
  when: ofTypes("dynamic", "longrope"),
  help: {
    en: "Length of the call, by which dynamic NTK and LongRoPE choose their frequencies. Not set: the length in view.",
    zh: "本次调用的长度，动态 NTK 与 LongRoPE 据此选择频率。未设置时取当前视图的长度。",
  },
};

function optionalYarn(name: string, en: string, zh: string, types: readonly string[] = ["yarn"]): Parameter {
  return {
    name,
    kind: "number",
    default: null,
    optional: true,
    min: 0,
    max: 1e6,
    when: ofTypes(...types),
    help: { en, zh },
  };
}

const yarnParameters: readonly Parameter[] = [
  {
    ...optionalYarn(
      "beta_fast",
      "Pairs that turn more often than this within the trained length stay as they are.",
      "在训练长度内转动圈数超过此值的维度保持不变。",
    ),
    default: 32,
    slider: { min: 1, max: 128, scale: "log" },
  },
  {
    ...optionalYarn(
      "beta_slow",
      "Pairs that turn less often than this are divided by the factor.",
      "在训练长度内转动圈数少于此值的维度除以缩放倍数。",
    ),
    default: 1,
    slider: { min: 0.1, max: 32, scale: "log" },
  },
  {
    name: "truncate",
    kind: "boolean",
    default: true,
    when: ofTypes("yarn"),
    help: {
      en: "Round the two bounds outwards to whole pairs. gpt-oss does not.",
      zh: "把两个边界向外取整到整数维度。gpt-oss 不取整。",
    },
  },
  optionalYarn(
    "attention_factor",
    "Factor on cosine and sine. Not set: computed from the scaling.",
    "乘在 cos 与 sin 上的系数。未设置时由缩放倍数算出。",
    ["yarn", "longrope"],
  ),
  optionalYarn("mscale", "DeepSeek's numerator of the attention factor.", "DeepSeek 注意力系数的分子。"),
  optionalYarn("mscale_all_dim", "DeepSeek's denominator of the attention factor.", "DeepSeek 注意力系数的分母。"),
  {
    name: "yarn_apply_mscale",
    kind: "boolean",
    default: false,
    when: ofTypes("yarn"),
    help: {
      en: "Multiply the softmax scale by mscale(factor, mscale_all_dim)², as DeepSeek V2/V3 do.",
      zh: "像 DeepSeek V2/V3 那样，把 softmax 缩放再乘以 mscale(factor, mscale_all_dim)²。",
    },
  },
];

const pairFactors: readonly Parameter[] = (["short_factor", "long_factor"] as const).map((name) => ({
  name,
  kind: "numbers",
  default: null,
  optional: true,
  suggested: exampleDivisors(name === "short_factor" ? 1 : 32),
  above: 0,
  when: ofTypes("longrope"),
  help:
    name === "short_factor"
      ? { en: "Divisor of each pair's frequency, up to the original length.", zh: "不超过原始长度时各维度频率的除数。" }
      : { en: "Divisor of each pair's frequency, beyond the original length.", zh: "超过原始长度后各维度频率的除数。" },
}));

const llama3Parameters: readonly Parameter[] = [
  {
    name: "low_freq_factor",
    kind: "number",
    default: 1,
    above: 0,
    max: 1e6,
    slider: { min: 0.25, max: 4, scale: "log" },
    when: ofTypes("llama3"),
    help: {
      en: "Wavelengths above original length ÷ this are divided by the factor.",
      zh: "波长大于“原始长度 ÷ 此值”的维度除以缩放倍数。",
    },
  },
  {
    name: "high_freq_factor",
    kind: "number",
    default: 4,
    above: 0,
    max: 1e6,
    slider: { min: 4, max: 64, scale: "log" },
    when: ofTypes("llama3"),
    help: {
      en: "Wavelengths below original length ÷ this stay as they are.",
      zh: "波长小于“原始长度 ÷ 此值”的维度保持不变。",
    },
  },
];

/** In the order of the panel. */
export const scalingParameters: readonly Parameter[] = [
  factor,
  alpha,
  originalMaxPositions,
  sequenceLength,
  ...yarnParameters,
  ...pairFactors,
  ...llama3Parameters,
];
