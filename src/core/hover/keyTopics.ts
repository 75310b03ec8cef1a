import { t } from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { extendedLength, trainedLength } from "../measure/pairs.ts";
import { ownValue } from "../util/ownValue.ts";
import type { KeyContext } from "./keyContext.ts";
import { correction, rotatedPart, slidingWindow, turns } from "./keyFormulas.ts";
import { layerFacts } from "./keyLayers.ts";
import {
  attentionFacts,
  attentionFormula,
  betaFacts,
  frequenciesOf,
  frequencyFacts,
  partFacts,
  rotary,
  scalingFacts,
  sectionFacts,
  waveBound,
  waveFacts,
} from "./keyRotary.ts";
import { num, short } from "./keyValues.ts";
import type { Fact } from "./markdown.ts";
import { readable } from "./numbers.ts";
import { bucketFormula, slopeFormula } from "./partFormulas.ts";

/** What is said of one name: its formula, the formula with the file's numbers, and what follows from them. */
interface Topic {
  readonly formula: (context: KeyContext) => Formula | null;
  readonly facts: (context: KeyContext) => Fact[];
}

const own = ({ encoding, params }: KeyContext): Formula | null => encoding.formula(params);
const none = (): Formula | null => null;
const nothing = (): Fact[] => [];

const frequencies: Topic = { formula: frequenciesOf, facts: frequencyFacts };
const scaling: Topic = { formula: own, facts: scalingFacts };
const betas: Topic = { formula: () => correction, facts: betaFacts };
const attention: Topic = { formula: attentionFormula, facts: attentionFacts };
const layers: Topic = { formula: none, facts: layerFacts };
const context: Topic = { formula: lengthFormula, facts: lengthFacts };
const window: Topic = { formula: () => slidingWindow, facts: windowFacts };

const TOPICS: Readonly<Record<string, Topic>> = {
  rope_theta: frequencies,
  head_dim: frequencies,
  rope_scaling: scaling,
  rope_parameters: scaling,
  yarn: scaling,
  use_scaled_rope: scaling,
  rope_type: scaling,
  factor: scaling,
  original_max_position_embeddings: scaling,
  low_freq_factor: { formula: own, facts: waveBound },
  high_freq_factor: { formula: own, facts: waveBound },
  short_factor: { formula: own, facts: frequencyFacts },
  long_factor: { formula: own, facts: frequencyFacts },
  beta_fast: betas,
  beta_slow: betas,
  truncate: betas,
  attention_factor: attention,
  mscale: attention,
  mscale_all_dim: attention,
  partial_rotary_factor: { formula: () => rotatedPart, facts: partFacts },
  rotary_dim: { formula: () => rotatedPart, facts: partFacts },
  max_position_embeddings: context,
  usable_positions: context,
  sliding_window: window,
  use_sliding_window: window,
  max_window_layers: window,
  layer_types: layers,
  sliding_window_pattern: layers,
  no_rope_layers: layers,
  no_rope_layer_interval: layers,
  layer_rope_theta: layers,
  alibi: { formula: slopesOf, facts: slopeFacts },
  alibi_bias_max: { formula: slopesOf, facts: slopeFacts },
  num_heads: { formula: slopesOf, facts: slopeFacts },
  num_buckets: { formula: bucketsOf, facts: bucketFacts },
  max_distance: { formula: bucketsOf, facts: bucketFacts },
  mrope_section: { formula: own, facts: sectionFacts },
};

export function topicOf({ name }: KeyContext): Topic {
  return ownValue(TOPICS, name) ?? { formula: none, facts: nothing };
}

function lengthFormula(key: KeyContext): Formula | null {
  if (rotary(key)) return turns;
  return key.encoding.id === "learned_absolute" ? own(key) : null;
}

/** The context against the waves of RoPE, or the rows of a table. */
function lengthFacts(key: KeyContext): Fact[] {
  const rows = num(key, "max_position_embeddings");
  const usable = num(key, "usable_positions");
  if (key.encoding.id === "learned_absolute" && rows !== null) {
    const end = usable ?? rows;
    const last = t("0 … {0}; position {1} does not exist", readable(end - 1), readable(end));
    const held = end === rows ? {} : { note: t("{0} rows", readable(rows)) };
    return [{ label: t("positions"), value: last, ...held }];
  }
  if (!rotary(key)) return [];
  const reached = extendedLength(key.params);
  const trained = trainedLength(key.params);
  const lengths =
    reached === null || trained === null ? "" : `${readable(trained)} → ${t("{0} tokens", readable(reached))}`;
  return [...(lengths === "" ? [] : [{ label: t("training → extended context"), value: lengths }]), ...waveFacts(key)];
}

function windowFacts(key: KeyContext): Fact[] {
  const [size, count] = [num(key, "sliding_window"), num(key, "num_layers")];
  if (size === null || size < 1)
    return [{ label: t("used by the model"), value: t("no: these layers attend to all preceding keys") }];
  const facts: Fact[] = [{ label: t("with these values"), value: `0 ≤ i − j < ${readable(size)}` }];
  const { layers } = key.spec;
  const sliding = layers === "all" ? count : layers.length;
  if (sliding === null) return facts;
  const reach = t("{0} tokens back across {1} such layers", readable(sliding * (size - 1)), readable(sliding));
  return [...facts, { label: t("receptive field"), value: reach }];
}

function slopesOf(key: KeyContext): Formula | null {
  return key.encoding.id === "alibi" ? slopeFormula : null;
}

function slopeFacts({ derived, encoding }: KeyContext): Fact[] {
  const { alibi_slopes: slopes } = derived;
  if (encoding.id !== "alibi" || !Array.isArray(slopes)) return [];
  const values = slopes.filter((slope) => typeof slope === "number");
  const [steepest, flattest] = [Math.max(...values), Math.min(...values)];
  if (!Number.isFinite(steepest)) return [];
  return [
    { label: t("slopes"), value: t("{0} heads: {1} … {2}", values.length, short(steepest), short(flattest)) },
    {
      label: t("penalty at distance 1000"),
      value: `${short(-1000 * steepest)} … ${short(-1000 * flattest)}`,
    },
  ];
}

function bucketsOf(key: KeyContext): Formula | null {
  return key.encoding.id === "t5_bias" ? bucketFormula : null;
}

function bucketFacts(key: KeyContext): Fact[] {
  const { bucket_starts: starts } = key.derived;
  if (!Array.isArray(starts)) return [];
  const from: number[] = starts.flatMap((start: unknown) =>
    typeof start === "object" && start !== null && "from" in start && typeof start.from === "number"
      ? [start.from]
      : [],
  );
  const distinct = [...new Set(from.map(Math.abs))].sort((a, b) => a - b);
  const last = distinct.at(-1);
  if (last === undefined) return [];
  const shown = distinct.length > 24 ? [...distinct.slice(0, 23).map(String), "…", String(last)] : distinct.map(String);
  return [
    { label: t("bucket boundaries"), value: shown.join(" ") },
    { label: t("start of the last bucket"), value: t("{0} tokens", readable(last)) },
  ];
}
