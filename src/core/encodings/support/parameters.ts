import * as l10n from "@vscode/l10n";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Parameter } from "../encoding.ts";
import { getNumber, optionalNumber } from "./schema.ts";

/** Parameters shared by encodings, so that a name means the same everywhere. */

export const TOKENS_UNIT: Localized = { en: "tokens", zh: "词元" };
export const PATCHES_UNIT: Localized = { en: "patches", zh: "图像块" };

export const headDim: Parameter = {
  name: "head_dim",
  aliases: ["d_kv"],
  kind: "integer",
  default: 64,
  min: 1,
  max: 4096,
  slider: { min: 2, max: 256, step: 2, scale: "linear" },
  help: {
    en: "Dimension d of each head's query and key vectors.",
    zh: "每个注意力头的查询与键向量的维数 d。",
  },
};

export const numHeads: Parameter = {
  name: "num_heads",
  aliases: ["num_attention_heads", "n_head", "n_heads"],
  kind: "integer",
  default: 8,
  min: 1,
  max: 1024,
  slider: { min: 1, max: 128, scale: "linear" },
  // Hierarchical models list the heads of each stage; only the first stage is shown.
  normalise: (value) => (Array.isArray(value) ? (value.map(Number)[0] ?? null) : value),
  help: { en: "Number of attention heads.", zh: "注意力头的个数。" },
};

const MAX_HIDDEN_SIZE = 65_536;

const hiddenSize: Parameter = {
  name: "hidden_size",
  aliases: ["embedding_dim", "n_embd", "d_model"],
  kind: "integer",
  default: 64,
  min: 1,
  max: MAX_HIDDEN_SIZE,
  help: { en: "Dimension of the input vectors.", zh: "输入向量的维数。" },
};

/** For models whose stages have different numbers of heads. */
export const firstStageHeads: Parameter = {
  ...numHeads,
  default: 4,
  help: {
    en: "Number of attention heads; for a list of stages, the first.",
    zh: "注意力头的个数；若按阶段给出，取第一阶段。",
  },
};

/** For encodings whose head size is a parameter of its own. */
export const optionalHiddenSize: Parameter = {
  ...hiddenSize,
  default: null,
  optional: true,
  help: {
    en: "Dimension of the input vectors; if empty, num_heads · head_dim.",
    zh: "输入向量的维数；留空则为 num_heads · head_dim。",
  },
};

/**
 * The hidden size and how heads share it. Configs that give the number and size of heads may omit `hidden_size`, which
 * is then their product.
 * @param sliderMax largest hidden size that the sliders reach
 */
export function hiddenSizeParameters(heads: number, dim: number, sliderMax = 2048, step = 2): readonly Parameter[] {
  const slider = { min: step, max: Math.max(dim, sliderMax / 16), step, scale: "linear" } as const;
  return [
    optionalHiddenSize,
    { ...numHeads, default: heads, slider: { min: 1, max: 16, scale: "linear" } },
    { ...headDim, default: dim, slider, when: (params) => params.hidden_size === null },
  ];
}

/** `hidden_size`, defaulting to num_heads · head_dim. */
export function resolveHiddenSize(params: Params): number {
  return optionalNumber(params, "hidden_size") ?? getNumber(params, "num_heads") * getNumber(params, "head_dim");
}

/**
 * For encodings whose heads are slices of the input vector.
 * @param maxHiddenSize largest hidden size that can be computed
 */
export function checkHeadsDivide(params: Params, maxHiddenSize = MAX_HIDDEN_SIZE): readonly ParamProblem[] {
  const hiddenSize = resolveHiddenSize(params);
  const heads = getNumber(params, "num_heads");
  if (hiddenSize > maxHiddenSize) {
    const param = params.hidden_size === null ? "head_dim" : "hidden_size";
    return [
      {
        param,
        value: params[param],
        rule: l10n.t("gives vectors of length {0}; the limit is {1}", hiddenSize, maxHiddenSize),
      },
    ];
  }
  if (hiddenSize % heads === 0) return [];
  return [{ param: "num_heads", value: heads, rule: l10n.t("must divide hidden_size = {0}", hiddenSize) }];
}

/**
 * A parameter that configs and golden files contain but that affects nothing: accepted so that their parameters can be
 * passed unchanged, and never shown.
 */
export function unusedParameter(name: string): Parameter {
  return {
    name,
    kind: "integer",
    default: null,
    optional: true,
    help: { en: "Has no effect.", zh: "不影响结果。" },
    when: () => false,
  };
}
