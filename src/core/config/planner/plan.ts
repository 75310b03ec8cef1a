import { t } from "@vscode/l10n";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import { ParamError } from "../../util/errors.ts";

/** What is planned for: lengths in tokens, and the rotation that the model was trained with. */
export interface PlanInput {
  /** Context that is wanted. */
  readonly target: number;
  /** Context that the model was trained on. */
  readonly trained: number;
  readonly rope_theta: number;
  /** Dimensions of a head that turn. */
  readonly rotary_dim: number;
}

export const PLAN_METHODS = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope"] as const;
export type PlanMethod = (typeof PLAN_METHODS)[number];

/** One way to a longer context. */
export interface Plan {
  readonly method: PlanMethod;
  /** Parameters of the encoding `rope` that draw it; head_dim, layout and the like are the model's own. */
  readonly params: Params;
  /** What a config file says: the keys of `rope_parameters`, under transformers' names. */
  readonly written: Readonly<Record<string, number | string | readonly number[]>>;
  /** What `max_position_embeddings` must be for it. */
  readonly maxPositions: number;
  readonly title: string;
  /** What to know before it is used. */
  readonly note: Localized;
}

/**
 * The parameters of each method for a context of `target` tokens; with a target within the trained context all of them
 * have factor 1 and change nothing.
 * @throws ParamError for lengths, bases or dimensions that are none
 */
export function planContext(input: PlanInput): readonly Plan[] {
  check(input);
  const factor = Math.max(1, input.target / input.trained);
  return PLAN_METHODS.map((method) => ({ method, ...MAKERS[method](input, factor) }));
}

function check({ target, trained, rope_theta, rotary_dim }: PlanInput): void {
  const lengths = Object.entries({ target, trained });
  for (const [param, value] of lengths)
    if (!Number.isSafeInteger(value) || value < 1)
      throw new ParamError({ param, value, rule: t("must be an integer number of tokens, at least {0}", 1) });
  if (!(rope_theta > 1) || !Number.isFinite(rope_theta))
    throw new ParamError({ param: "rope_theta", value: rope_theta, rule: t("must be greater than {0}", 1) });
  if (!Number.isSafeInteger(rotary_dim) || rotary_dim < 4 || rotary_dim % 2 !== 0)
    throw new ParamError({
      param: "rotary_dim",
      value: rotary_dim,
      rule: t("must be an even number of at least {0}", 4),
    });
}

type Maker = (input: PlanInput, factor: number) => Omit<Plan, "method">;

const MAKERS: Readonly<Record<PlanMethod, Maker>> = {
  /** Chen et al. 2023, arXiv 2306.15595: positions are divided by s. */
  linear: ({ rope_theta, target }, factor) => ({
    params: { rope_type: "linear", rope_theta, factor },
    written: { rope_type: "linear", rope_theta, factor },
    maxPositions: Math.round(target),
    title: t("Linear (position interpolation)"),
    note: {
      en: "Slows every pair, including the high-frequency ones, so neighbouring tokens become harder to tell apart. Needs fine-tuning on long texts.",
      zh: "所有维度对都变慢，高频也不例外，相邻词元因此更难区分。需要在长文本上微调。",
    },
  }),
  /** bloc97 2023: the base grows so that the slowest pair turns s times slower and the fastest stays. */
  ntk: ({ rope_theta, rotary_dim, target }, factor) => {
    const base = ntkBase(rope_theta, factor, rotary_dim);
    return {
      params: { rope_type: "ntk", rope_theta, factor },
      written: { rope_type: "default", rope_theta: base },
      maxPositions: Math.round(target),
      title: t("NTK-aware base"),
      note: {
        en: "Changes only the base, so every runtime can read it. Short texts are affected too.",
        zh: "只增大底数，因此所有运行时都能读取。短文本也会受影响。",
      },
    };
  },
  /** transformers' `dynamic`: the base follows the length; `max_position_embeddings` stays the trained one. */
  dynamic: ({ rope_theta, trained }, factor) => ({
    params: { rope_type: "dynamic", rope_theta, factor, max_position_embeddings: trained },
    written: { rope_type: "dynamic", rope_theta, factor },
    maxPositions: trained,
    title: t("Dynamic NTK"),
    note: {
      en: "No change within the training context. Beyond it the base grows with the length, but cached keys keep the rotation of the earlier base.",
      zh: "训练上下文以内不变；超过之后底数随长度增长，而缓存中的键仍是按当时的底数旋转的。",
    },
  }),
  /** Peng et al. 2023, arXiv 2309.00071. */
  yarn: ({ rope_theta, trained, target }, factor) => ({
    params: { rope_type: "yarn", rope_theta, factor, original_max_position_embeddings: trained },
    written: { rope_type: "yarn", rope_theta, factor, original_max_position_embeddings: trained },
    maxPositions: Math.round(target),
    title: t("YaRN"),
    note: {
      en: "Keeps high frequencies, divides low ones by the factor and sharpens the scores. Works without training to a degree; best after a short fine-tuning.",
      zh: "高频保持不变，低频除以倍数，并锐化分数。不训练也有一定效果；短暂微调后最佳。",
    },
  }),
  /** Llama 3.1's own: `low_freq_factor` 1, `high_freq_factor` 4. */
  llama3: ({ rope_theta, trained, target }, factor) => ({
    params: {
      rope_type: "llama3",
      rope_theta,
      factor,
      original_max_position_embeddings: trained,
      low_freq_factor: 1,
      high_freq_factor: 4,
    },
    written: {
      rope_type: "llama3",
      rope_theta,
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: trained,
    },
    maxPositions: Math.round(target),
    title: t("Llama 3"),
    note: {
      en: "Slows only the pairs with wavelengths above a quarter of the training context. Intended for models that continue training with it.",
      zh: "只放慢波长超过训练上下文 1/4 的维度对。适用于以此继续训练的模型。",
    },
  }),
  /** Ding et al. 2024, arXiv 2402.13753; without a search, the divisors that an NTK-aware base comes to. */
  longrope: ({ rope_theta, rotary_dim, trained, target }, factor) => {
    const long = ntkDivisors(factor, rotary_dim);
    const lists = { short_factor: long.map(() => 1), long_factor: long };
    const scaling = { rope_type: "longrope", rope_theta, ...lists, original_max_position_embeddings: trained };
    return {
      params: { ...scaling, factor },
      written: { ...scaling, factor },
      maxPositions: Math.round(target),
      title: t("LongRoPE (initial factors for a search)"),
      note: {
        en: "Real LongRoPE factors are found by a search on the model itself; these are the factors equivalent to an NTK-aware base.",
        zh: "真正的 LongRoPE 因子需在模型上搜索得到；此处给出的等价于 NTK 感知底数。",
      },
    };
  },
};

/** θ' = θ · s^(d / (d − 2)) */
export function ntkBase(theta: number, factor: number, rotaryDim: number): number {
  return theta * factor ** (rotaryDim / (rotaryDim - 2));
}

/** λ_k = s^(2k / (d − 2)): pair k turns as it does under `ntkBase`. */
function ntkDivisors(factor: number, rotaryDim: number): number[] {
  return Array.from({ length: rotaryDim / 2 }, (_, k) => factor ** ((2 * k) / (rotaryDim - 2)));
}
