import type { Encoding } from "../encoding.ts";
import { TRANSFORMS_CONTENT } from "../support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "../support/expansion.ts";
import { getNumber, optionalNumber, optionalNumbers } from "../support/schema.ts";
import { asAxialRopeParams, buildRopeTable, buildRopeTerm, softmaxMscale } from "./attention.ts";
import { axialDomain, axialPatchGrid } from "./axial.ts";
import { ropeParameterFormulas, rotaryPartFormulas } from "./detailFormulas.ts";
import { ropeExplanation } from "./explanation.ts";
import { ROPE_FORMULAS } from "./formulas.ts";
import { inverseFrequencies, isRopeType } from "./frequencies.ts";
import { checkRopeParams } from "./parameterRules.ts";
import { ropeParameters } from "./parameters.ts";

/** RoPE: rotary position embedding, with every scaling type of transformers and NTK-aware scaling. */
export const rope: Encoding = {
  id: "rope",
  name: { en: "RoPE", zh: "RoPE" },
  gloss: { en: "rotary position embedding", zh: "旋转位置编码" },
  aliases: [
    "rotary",
    "rotate_half",
    "apply_rotary_pos_emb",
    "RotaryEmbedding",
    "position interpolation",
    "PI",
    "NTK-aware",
    "dynamic NTK",
    "YaRN",
    "LongRoPE",
    "p-RoPE",
    "旋转位置编码",
  ],
  classification: {
    kind: "both",
    actsOn: "query_key",
    trained: "either",
    trainedParameters: (params) => optionalNumbers(params, "inv_freq")?.length ?? 0,
  },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: ropeParameters,
  rules: checkRopeParams,
  formulas: Object.values(ROPE_FORMULAS),
  formula: (params) => ROPE_FORMULAS[isRopeType(params.rope_type) ? params.rope_type : "default"],
  partFormulas: rotaryPartFormulas,
  parameterFormulas: ropeParameterFormulas,
  explanation: ropeExplanation,
  papers: [
    { title: "RoFormer: Enhanced Transformer with Rotary Position Embedding", arxiv: "2104.09864", year: 2021 },
    {
      title: "Extending Context Window of Large Language Models via Positional Interpolation",
      arxiv: "2306.15595",
      year: 2023,
    },
    {
      title: "NTK-Aware Scaled RoPE allows LLaMA models to have extended (8k+) context size (u/bloc97)",
      url: "https://www.reddit.com/r/LocalLLaMA/comments/14lz7j5/",
      year: 2023,
    },
    {
      title:
        "Dynamically Scaled RoPE further increases performance of long context LLaMA with zero fine-tuning (u/emozilla)",
      url: "https://www.reddit.com/r/LocalLLaMA/comments/14mrgpr/",
      year: 2023,
    },
    { title: "YaRN: Efficient Context Window Extension of Large Language Models", arxiv: "2309.00071", year: 2023 },
    { title: "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", arxiv: "2402.13753", year: 2024 },
    { title: "The Llama 3 Herd of Models", arxiv: "2407.21783", year: 2024 },
    { title: "Round and Round We Go! What makes Rotary Positional Encodings useful?", arxiv: "2410.06205", year: 2024 },
  ],
  repositories: [
    "ZhuiyiTechnology/roformer",
    "EleutherAI/gpt-neox",
    "jquesnelle/yarn",
    "microsoft/LongRoPE",
    "meta-llama/llama-models",
  ],
  domain: (params) => (params.rope_type === "axial" ? axialDomain(asAxialRopeParams(params)) : { kind: "any" }),
  patchGrid: (params) => (params.rope_type === "axial" ? axialPatchGrid(asAxialRopeParams(params)) : undefined),
  takesPositionIds: ({ rope_type }) => rope_type !== "axial",
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => [buildRopeTerm(params, scene)],
  positionTable: buildRopeTable,
  rotation: { by: ({ rope_type }) => (rope_type === "axial" ? "axes" : "position"), scalable: true, keepsLength: true },
  frequencies: (params) => inverseFrequencies({ ...params, seq_len: null }).inv_freq,
  derived: (params) => {
    const mscale = softmaxMscale(params);
    const dim = optionalNumber(params, "qk_head_dim") ?? getNumber(params, "head_dim");
    return {
      ...inverseFrequencies({ ...params, seq_len: null }),
      ...(mscale === 1 ? {} : { softmax_scale: (mscale * mscale) / Math.sqrt(dim) }),
    };
  },
};
