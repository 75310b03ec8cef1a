import type { Params } from "../../spec.ts";
import type { Parameter } from "../encoding.ts";
import { TOKENS_UNIT } from "../support/parameters.ts";
import { rotaryDim } from "./frequencies.ts";

/** Parameters of RoPE's scaling types. */

function forRopeTypes(...types: string[]): (params: Params) => boolean {
  return (params) => types.includes(String(params.rope_type));
}

/**
 * Divisors of an example LongRoPE: high-frequency pairs are kept, low-frequency ones divided by up to `lastDivisor`.
 */
function exampleDivisors(lastDivisor: number): (params: Params) => number[] {
  return (params) => {
    const pairs = Math.max(1, Math.floor(rotaryDim(params) / 2));
    return Array.from({ length: pairs }, (_, k) => 1 + ((lastDivisor - 1) * k) / Math.max(1, pairs - 1));
  };
}

const factorParameter: Parameter = {
  name: "factor",
  aliases: ["alpha"],
  kind: "number",
  default: null,
  optional: true,
  suggest: (params) => (params.rope_type === "proportional" ? null : 4),
  above: 0,
  max: 1e6,
  slider: { min: 1, max: 64, scale: "log" },
  when: (params) => !["default", "axial"].includes(String(params.rope_type)),
  help: {
    en: "Context extension factor s. Not set: YaRN and LongRoPE use the ratio of the two lengths, p-RoPE uses 1.",
    zh: "上下文要延长的倍数 s。未设置时，YaRN 与 LongRoPE 取两个长度之比，p-RoPE 取 1。",
  },
};

const alphaParameter: Parameter = {
  name: "alpha",
  kind: "number",
  default: null,
  optional: true,
  above: 0,
  max: 1e6,
  when: forRopeTypes("dynamic"),
  help: {
    en: "Hunyuan's fixed NTK factor, applied up to max_position_embeddings. Not set: no scaling in that range.",
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
  unit: TOKENS_UNIT,
  when: forRopeTypes("yarn", "longrope", "llama3"),
  help: {
    en: "Training context before scaling. Not set: max_position_embeddings, as in transformers.",
    zh: "缩放之前的训练上下文。未设置时与 transformers 一样取 max_position_embeddings。",
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
  unit: TOKENS_UNIT,
  when: forRopeTypes("dynamic", "longrope"),
  help: {
    en: "Length of the call, from which dynamic NTK and LongRoPE choose their frequencies. Not set: the current length.",
    zh: "本次调用的长度，动态 NTK 与 LongRoPE 据此选择频率。未设置时取当前长度。",
  },
};

function optionalYarnParameter(name: string, en: string, zh: string, types: readonly string[] = ["yarn"]): Parameter {
  return {
    name,
    kind: "number",
    default: null,
    optional: true,
    min: 0,
    max: 1e6,
    when: forRopeTypes(...types),
    help: { en, zh },
  };
}

const yarnParameters: readonly Parameter[] = [
  {
    ...optionalYarnParameter(
      "beta_fast",
      "Pairs with more rotations than this within the training context are kept.",
      "在训练上下文内旋转圈数超过此值的维度对保持不变。",
    ),
    default: 32,
    slider: { min: 1, max: 128, scale: "log" },
  },
  {
    ...optionalYarnParameter(
      "beta_slow",
      "Pairs with fewer rotations than this have their frequency divided by the factor.",
      "在训练上下文内旋转圈数少于此值的维度对，其频率除以缩放倍数。",
    ),
    default: 1,
    slider: { min: 0.1, max: 32, scale: "log" },
  },
  {
    name: "truncate",
    kind: "boolean",
    default: true,
    when: forRopeTypes("yarn"),
    help: {
      en: "Round the two bounds outwards to whole pairs. gpt-oss does not.",
      zh: "把两个边界向外取整到整数维度对。gpt-oss 不取整。",
    },
  },
  optionalYarnParameter(
    "attention_factor",
    "Multiplier of cosine and sine. Not set: computed from the scaling factor.",
    "乘在 cos 与 sin 上的系数。未设置时由缩放倍数算出。",
    ["yarn", "longrope"],
  ),
  optionalYarnParameter("mscale", "Numerator of DeepSeek's attention factor.", "DeepSeek 注意力系数的分子。"),
  optionalYarnParameter("mscale_all_dim", "Denominator of DeepSeek's attention factor.", "DeepSeek 注意力系数的分母。"),
  {
    name: "yarn_apply_mscale",
    kind: "boolean",
    default: false,
    when: forRopeTypes("yarn"),
    help: {
      en: "Multiply the softmax scale by mscale(factor, mscale_all_dim)², as in DeepSeek V2/V3.",
      zh: "像 DeepSeek V2/V3 那样，把 softmax 缩放再乘以 mscale(factor, mscale_all_dim)²。",
    },
  },
];

const pairDivisorParameters: readonly Parameter[] = (["short_factor", "long_factor"] as const).map((name) => ({
  name,
  kind: "numbers",
  default: null,
  optional: true,
  suggest: exampleDivisors(name === "short_factor" ? 1 : 32),
  above: 0,
  when: forRopeTypes("longrope"),
  help:
    name === "short_factor"
      ? {
          en: "Divisor of each pair's frequency up to the training context.",
          zh: "不超过训练上下文时各维度对频率的除数。",
        }
      : {
          en: "Divisor of each pair's frequency beyond the training context.",
          zh: "超过训练上下文后各维度对频率的除数。",
        },
}));

const llama3Parameters: readonly Parameter[] = [
  {
    name: "low_freq_factor",
    kind: "number",
    default: 1,
    above: 0,
    max: 1e6,
    slider: { min: 0.25, max: 4, scale: "log" },
    when: forRopeTypes("llama3"),
    help: {
      en: "Pairs with wavelengths above the training context ÷ this have their frequency divided by the factor.",
      zh: "波长大于“训练上下文 ÷ 此值”的维度对，其频率除以缩放倍数。",
    },
  },
  {
    name: "high_freq_factor",
    kind: "number",
    default: 4,
    above: 0,
    max: 1e6,
    slider: { min: 4, max: 64, scale: "log" },
    when: forRopeTypes("llama3"),
    help: {
      en: "Pairs with wavelengths below the training context ÷ this are kept.",
      zh: "波长小于“训练上下文 ÷ 此值”的维度对保持不变。",
    },
  },
];

/** In the order of the panel. */
export const scalingParameters: readonly Parameter[] = [
  factorParameter,
  alphaParameter,
  originalMaxPositions,
  sequenceLength,
  ...yarnParameters,
  ...pairDivisorParameters,
  ...llama3Parameters,
];
