import type { Localized } from "../../l10n/l10n.ts";
import type { EncodingSpec, ParamValue, Source } from "../../spec.ts";
import { counterpart } from "./counterpart.ts";
import { firstParting, type Parting, type PartingOptions } from "./firstDivergence.ts";

/** What a difference changes. */
export type Matter = "scores" | "visibility" | "length" | "weights" | "size";

export interface Difference {
  readonly param: string;
  readonly a: ParamValue;
  readonly b: ParamValue;
  /** undefined where a side has no such parameter. */
  readonly sourceA: Source | undefined;
  readonly sourceB: Source | undefined;
  readonly matter: Matter;
}

export const MATTERS: Readonly<Record<Matter, Localized>> = {
  scores: { en: "scores for the same q and k", zh: "相同 q、k 的分数" },
  visibility: { en: "keys visible to a query", zh: "查询可见的键" },
  length: { en: "maximum sequence length", zh: "最大序列长度" },
  weights: {
    en: "weight compatibility: the rows of q and k are in a different order",
    zh: "权重是否通用：q、k 的行序不同",
  },
  size: { en: "model size", zh: "模型大小" },
};

const OF_PARAM: Readonly<Record<string, Matter>> = {
  sliding_window: "visibility",
  attention_chunk_size: "visibility",
  max_position_embeddings: "length",
  usable_positions: "length",
  layout: "weights",
  num_layers: "size",
  num_heads: "size",
  num_kv_heads: "size",
};

/** Parameters in which two encodings differ; scores first, the size of the model last. */
export function differences(a: EncodingSpec, b: EncodingSpec): readonly Difference[] {
  const names = [...new Set([...Object.keys(a.params), ...Object.keys(b.params)])];
  const found = names.flatMap((param): Difference[] => {
    const [own, other] = [a.params[param] ?? null, b.params[param] ?? null];
    if (JSON.stringify(own) === JSON.stringify(other)) return [];
    const sources = { sourceA: a.sources[param], sourceB: b.sources[param] };
    return [{ param, a: own, b: other, ...sources, matter: OF_PARAM[param] ?? "scores" }];
  });
  const order = Object.keys(MATTERS);
  return found.toSorted((x, y) => order.indexOf(x.matter) - order.indexOf(y.matter));
}

/** Two encodings that stand for each other, by their indices; null where a model has no counterpart. */
export interface ComparedPair {
  readonly a: number | null;
  readonly b: number | null;
  readonly differences: readonly Difference[];
  readonly parting: Parting | null;
}

/** All encodings of two models, those of the same stack and layers beside each other. */
export function compareSpecs(
  a: readonly EncodingSpec[],
  b: readonly EncodingSpec[],
  options: PartingOptions = {},
): readonly ComparedPair[] {
  const pairs: ComparedPair[] = a.map((spec, index) => {
    const found = counterpart(spec, b);
    const other = b[found];
    if (other === undefined || other.where !== spec.where) return { a: index, b: null, differences: [], parting: null };
    return { a: index, b: found, differences: differences(spec, other), parting: firstParting(spec, other, options) };
  });
  const met = new Set(pairs.map((pair) => pair.b));
  const left = b.flatMap((_, index): ComparedPair[] =>
    met.has(index) ? [] : [{ a: null, b: index, differences: [], parting: null }],
  );
  return [...pairs, ...left];
}
