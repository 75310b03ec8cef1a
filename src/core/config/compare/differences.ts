import type { Localized } from "../../l10n/l10n.ts";
import type { EncodingSpec, ParamValue, ValueSource } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { findCounterpart } from "./counterpart.ts";
import { type Divergence, type DivergenceOptions, findFirstDivergence } from "./firstDivergence.ts";

/** What a difference affects. */
export type Impact = "scores" | "visibility" | "length" | "weights" | "size";

export interface Difference {
  readonly param: string;
  readonly a: ParamValue;
  readonly b: ParamValue;
  /** undefined if this side has no such parameter. */
  readonly sourceA: ValueSource | undefined;
  readonly sourceB: ValueSource | undefined;
  readonly impact: Impact;
}

export const IMPACTS: Readonly<Record<Impact, Localized>> = {
  scores: { en: "scores for the same q and k", zh: "相同 q、k 的分数" },
  visibility: { en: "keys visible to a query", zh: "查询可见的键" },
  length: { en: "maximum sequence length", zh: "最大序列长度" },
  weights: {
    en: "weight compatibility: the rows of q and k are in a different order",
    zh: "权重是否通用：q、k 的行序不同",
  },
  size: { en: "model size", zh: "模型大小" },
};

const IMPACT_OF_PARAM: Readonly<Record<string, Impact>> = {
  sliding_window: "visibility",
  attention_chunk_size: "visibility",
  max_position_embeddings: "length",
  usable_positions: "length",
  layout: "weights",
  num_layers: "size",
  num_heads: "size",
  num_kv_heads: "size",
};

/** Parameters in which two encodings differ; those that affect the scores first, the model's size last. */
export function findDifferences(a: EncodingSpec, b: EncodingSpec): readonly Difference[] {
  const names = [...new Set([...Object.keys(a.params), ...Object.keys(b.params)])];
  const found = names.flatMap((param): Difference[] => {
    const [own, other] = [a.params[param] ?? null, b.params[param] ?? null];
    if (JSON.stringify(own) === JSON.stringify(other)) return [];
    const sources = { sourceA: a.sources[param], sourceB: b.sources[param] };
    return [{ param, a: own, b: other, ...sources, impact: ownValue(IMPACT_OF_PARAM, param) ?? "scores" }];
  });
  const order = Object.keys(IMPACTS);
  return found.toSorted((x, y) => order.indexOf(x.impact) - order.indexOf(y.impact));
}

/** Encodings of two models that correspond, by index; null where a model has no counterpart. */
export interface ComparedPair {
  readonly a: number | null;
  readonly b: number | null;
  readonly differences: readonly Difference[];
  readonly divergence: Divergence | null;
}

/** Pairs all encodings of two models by stack and layers, and compares them. */
export function compareSpecs(
  a: readonly EncodingSpec[],
  b: readonly EncodingSpec[],
  options: DivergenceOptions = {},
): readonly ComparedPair[] {
  const pairs: ComparedPair[] = a.map((spec, index) => {
    const found = findCounterpart(spec, b);
    const other = b[found];
    if (other === undefined || other.where !== spec.where)
      return { a: index, b: null, differences: [], divergence: null };
    return {
      a: index,
      b: found,
      differences: findDifferences(spec, other),
      divergence: findFirstDivergence(spec, other, options),
    };
  });
  const met = new Set(pairs.map((pair) => pair.b));
  const left = b.flatMap((_, index): ComparedPair[] =>
    met.has(index) ? [] : [{ a: null, b: index, differences: [], divergence: null }],
  );
  return [...pairs, ...left];
}
