import * as l10n from "@vscode/l10n";
import { ntkBase, ntkDivisors } from "../../encodings/rope/frequencies.ts";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";

/** Lengths in tokens, and the rotation that the model was trained with. */
export interface PlanInput {
  readonly targetContext: number;
  readonly trainingContext: number;
  readonly rope_theta: number;
  /** Dimensions of a head that rotate. */
  readonly rotary_dim: number;
}

export const PLAN_METHODS = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope"] as const;
export type PlanMethod = (typeof PLAN_METHODS)[number];

/** One way to extend the context. */
export interface ContextPlan {
  readonly method: PlanMethod;
  /** Parameters of the encoding `rope` for the plots; head_dim, layout and the like are the model's own. */
  readonly params: Params;
  /** Entries of `rope_parameters` in a config file, under transformers' names. */
  readonly ropeParameters: Readonly<Record<string, number | string | readonly number[]>>;
  /** Value of `max_position_embeddings` in a config file. */
  readonly maxPositionEmbeddings: number;
  readonly title: string;
  /** What to know before using it. */
  readonly note: Localized;
}

/**
 * Plans each method for a context of `targetContext` tokens. Up to the training context, all factors are 1 and nothing
 * changes.
 * @throws ParamError for invalid lengths, bases or dimensions
 */
export function planLongerContext(input: PlanInput): readonly ContextPlan[] {
  checkInput(input);
  const factor = Math.max(1, input.targetContext / input.trainingContext);
  return PLAN_METHODS.map((method) => ({ method, ...PLAN_BUILDERS[method](input, factor) }));
}

/** The largest head size of the encoding `rope`. */
const MAX_ROTARY_DIM = 4096;

function checkInput({ targetContext, trainingContext, rope_theta, rotary_dim }: PlanInput): void {
  const lengths = Object.entries({ target: targetContext, trained: trainingContext });
  for (const [param, value] of lengths)
    if (!Number.isSafeInteger(value) || value < 1)
      throw new ParamError({ param, value, rule: l10n.t("must be an integer number of tokens, at least {0}", 1) });
  if (!(rope_theta > 1) || !Number.isFinite(rope_theta))
    throw new ParamError({ param: "rope_theta", value: rope_theta, rule: l10n.t("must be greater than {0}", 1) });
  if (!Number.isSafeInteger(rotary_dim) || rotary_dim < 4 || rotary_dim > MAX_ROTARY_DIM || rotary_dim % 2 !== 0)
    throw new ParamError({
      param: "rotary_dim",
      value: rotary_dim,
      rule: l10n.t("must be an even number from {0} to {1}", 4, MAX_ROTARY_DIM),
    });
}

type PlanBuilder = (input: PlanInput, factor: number) => Omit<ContextPlan, "method">;

const PLAN_BUILDERS: Readonly<Record<PlanMethod, PlanBuilder>> = {
  /** Chen et al. 2023, arXiv 2306.15595: positions are divided by s. */
  linear: ({ rope_theta, targetContext }, factor) => ({
    params: { rope_type: "linear", rope_theta, factor },
    ropeParameters: { rope_type: "linear", rope_theta, factor },
    maxPositionEmbeddings: Math.round(targetContext),
    title: l10n.t("Linear (position interpolation)"),
    note: {
      en: "Slows every pair, including the high-frequency ones, so neighbouring tokens become harder to tell apart. Needs fine-tuning on long texts.",
      zh: "所有维度对都变慢，高频也不例外，相邻词元因此更难区分。需要在长文本上微调。",
    },
  }),
  /** bloc97 2023: the base grows so that the slowest pair rotates s times slower and the fastest stays the same. */
  ntk: ({ rope_theta, rotary_dim, targetContext }, factor) => {
    const base = ntkBase(rope_theta, factor, rotary_dim);
    return {
      params: { rope_type: "ntk", rope_theta, factor },
      ropeParameters: { rope_type: "default", rope_theta: base },
      maxPositionEmbeddings: Math.round(targetContext),
      title: l10n.t("NTK-aware base"),
      note: {
        en: "Changes only the base, so every runtime can read it. Short texts are affected too.",
        zh: "只增大底数，因此所有运行时都能读取。短文本也会受影响。",
      },
    };
  },
  /** transformers' `dynamic`: the base follows the length; `max_position_embeddings` stays the training context. */
  dynamic: ({ rope_theta, trainingContext }, factor) => ({
    params: { rope_type: "dynamic", rope_theta, factor, max_position_embeddings: trainingContext },
    ropeParameters: { rope_type: "dynamic", rope_theta, factor },
    maxPositionEmbeddings: trainingContext,
    title: l10n.t("Dynamic NTK"),
    note: {
      en: "No change within the training context. Beyond it the base grows with the length, but cached keys keep the rotation of the earlier base.",
      zh: "训练上下文以内不变；超过之后底数随长度增长，而缓存中的键仍是按当时的底数旋转的。",
    },
  }),
  /** Peng et al. 2023, arXiv 2309.00071. */
  yarn: ({ rope_theta, trainingContext, targetContext }, factor) => ({
    params: { rope_type: "yarn", rope_theta, factor, original_max_position_embeddings: trainingContext },
    ropeParameters: { rope_type: "yarn", rope_theta, factor, original_max_position_embeddings: trainingContext },
    maxPositionEmbeddings: Math.round(targetContext),
    title: l10n.t("YaRN"),
    note: {
      en: "Keeps high frequencies, divides low ones by the factor and sharpens the scores. Works without training to a degree; best after a short fine-tuning.",
      zh: "高频保持不变，低频除以倍数，并锐化分数。不训练也有一定效果；短暂微调后最佳。",
    },
  }),
  /** Llama 3.1's own: `low_freq_factor` 1, `high_freq_factor` 4. */
  llama3: ({ rope_theta, trainingContext, targetContext }, factor) => ({
    params: {
      rope_type: "llama3",
      rope_theta,
      factor,
      original_max_position_embeddings: trainingContext,
      low_freq_factor: 1,
      high_freq_factor: 4,
    },
    ropeParameters: {
      rope_type: "llama3",
      rope_theta,
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: trainingContext,
    },
    maxPositionEmbeddings: Math.round(targetContext),
    title: l10n.t("Llama 3"),
    note: {
      en: "Slows only the pairs with wavelengths above a quarter of the training context. Intended for models that continue training with it.",
      zh: "只放慢波长超过训练上下文 1/4 的维度对。适用于以此继续训练的模型。",
    },
  }),
  /** Ding et al. 2024, arXiv 2402.13753; without a search, the divisors of an NTK-aware base. */
  longrope: ({ rope_theta, rotary_dim, trainingContext, targetContext }, factor) => {
    const long = ntkDivisors(factor, rotary_dim);
    const lists = { short_factor: long.map(() => 1), long_factor: long };
    const scaling = { rope_type: "longrope", rope_theta, ...lists, original_max_position_embeddings: trainingContext };
    return {
      params: { ...scaling, factor },
      ropeParameters: { ...scaling, factor },
      maxPositionEmbeddings: Math.round(targetContext),
      title: l10n.t("LongRoPE (initial factors for a search)"),
      note: {
        en: "Real LongRoPE factors are found by a search on the model itself; these are the factors equivalent to an NTK-aware base.",
        zh: "真正的 LongRoPE 因子需在模型上搜索得到；此处给出的等价于 NTK 感知底数。",
      },
    };
  },
};
