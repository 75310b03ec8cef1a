import { t } from "@vscode/l10n";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Parameter } from "../encoding.ts";
import { numberOf, optionalNumber } from "./schema.ts";

/** Parameters that many encodings share, so that a name means the same everywhere. */

export const TOKENS: Localized = { en: "tokens", zh: "词元" };
export const PATCHES: Localized = { en: "patches", zh: "图像块" };

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
  // Hierarchical models name the heads of each stage: the first stage is shown.
  normalise: (value) => (Array.isArray(value) ? (value.map(Number)[0] ?? null) : value),
  help: { en: "Number of attention heads.", zh: "注意力头的个数。" },
};

/** Longest input vectors. */
const WIDEST = 65_536;

const hiddenSize: Parameter = {
  name: "hidden_size",
  aliases: ["embedding_dim", "n_embd", "d_model"],
  kind: "integer",
  default: 64,
  min: 1,
  max: WIDEST,
  help: { en: "Dimension of the input vectors.", zh: "输入向量的维数。" },
};

/** Heads of models whose stages differ. */
export const stageHeads: Parameter = {
  ...numHeads,
  default: 4,
  help: {
    en: "Number of attention heads; for a list of stages, the first.",
    zh: "注意力头的个数；若按阶段给出，取第一阶段。",
  },
};

/** `hidden_size`, where heads have a size of their own. */
export const optionalWidth: Parameter = {
  ...hiddenSize,
  default: null,
  optional: true,
  help: {
    en: "Dimension of the input vectors; if empty, num_heads · head_dim.",
    zh: "输入向量的维数；留空则为 num_heads · head_dim。",
  },
};

/**
 * The width of the input vectors and how heads share it. `hidden_size` may be left out, since configs name heads and
 * their size: then it is their product.
 */
export function widthParameters(heads: number, dim: number, most = 2048, step = 2): readonly Parameter[] {
  const slider = { min: step, max: Math.max(dim, most / 16), step, scale: "linear" } as const;
  return [
    optionalWidth,
    { ...numHeads, default: heads, slider: { min: 1, max: 16, scale: "linear" } },
    { ...headDim, default: dim, slider, when: (params) => params.hidden_size === null },
  ];
}

/** Length of the input vectors. */
export function modelWidth(params: Params): number {
  return optionalNumber(params, "hidden_size") ?? numberOf(params, "num_heads") * numberOf(params, "head_dim");
}

/**
 * The rule of encodings whose heads are slices of the input vector.
 * @param most largest width that can be worked with
 */
export function headsDivide(params: Params, most = WIDEST): readonly ParamProblem[] {
  const hidden = modelWidth(params);
  const heads = numberOf(params, "num_heads");
  if (hidden > most) {
    const param = params.hidden_size === null ? "head_dim" : "hidden_size";
    return [{ param, value: params[param], rule: t("gives vectors of length {0}; the limit is {1}", hidden, most) }];
  }
  if (hidden % heads === 0) return [];
  return [{ param: "num_heads", value: heads, rule: t("must divide hidden_size = {0}", hidden) }];
}

/**
 * A name that configs and the golden files carry and that nothing here depends on: accepted, so that their
 * parameters can be handed over as they are, and never shown.
 */
export function accepted(name: string): Parameter {
  return {
    name,
    kind: "integer",
    default: null,
    optional: true,
    help: { en: "Has no effect.", zh: "不影响结果。" },
    when: () => false,
  };
}
