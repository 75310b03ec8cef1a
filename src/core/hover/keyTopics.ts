import * as l10n from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { correctionFormula, fullRotationsFormula, rotatedDimsFormula } from "../encodings/rope/detailFormulas.ts";
import { configuredExtendedContext, configuredTrainingContext } from "../measure/trainingContext.ts";
import { ownValue } from "../util/ownValue.ts";
import { formatNumber } from "./formatNumber.ts";
import type { HoverFact } from "./hoverMarkdown.ts";
import type { KeyContext } from "./keyContext.ts";
import { layerFacts } from "./keyLayers.ts";
import { formatShort, keyNumber } from "./keyNumbers.ts";
import {
  attentionFacts,
  attentionFormula,
  betaFacts,
  frequencyFacts,
  frequencyFormulaFor,
  isRotary,
  rotatedDimFacts,
  scalingFacts,
  sectionFacts,
  wavelengthBoundFacts,
  wavelengthFacts,
} from "./keyRotary.ts";

export const slidingWindowFormula: Formula = {
  id: "sliding_window",
  tex: "0 \\le i - j < w",
  text: "query i sees key j only if 0 ≤ i − j < w",
};

/** Formula and facts that explain one parameter. */
interface Topic {
  readonly formula: (context: KeyContext) => Formula | null;
  readonly facts: (context: KeyContext) => HoverFact[];
}

const encodingFormula = ({ encoding, params }: KeyContext): Formula | null => encoding.formula(params);
const noFormula = (): Formula | null => null;
const noFacts = (): HoverFact[] => [];

const frequencyTopic: Topic = { formula: frequencyFormulaFor, facts: frequencyFacts };
const scalingTopic: Topic = { formula: encodingFormula, facts: scalingFacts };
const betaTopic: Topic = { formula: () => correctionFormula, facts: betaFacts };
const attentionTopic: Topic = { formula: attentionFormula, facts: attentionFacts };
const layerTopic: Topic = { formula: noFormula, facts: layerFacts };
const contextTopic: Topic = { formula: lengthFormula, facts: lengthFacts };
const windowTopic: Topic = { formula: () => slidingWindowFormula, facts: windowFacts };

const TOPICS: Readonly<Record<string, Topic>> = {
  rope_theta: frequencyTopic,
  head_dim: frequencyTopic,
  rope_scaling: scalingTopic,
  rope_parameters: scalingTopic,
  yarn: scalingTopic,
  use_scaled_rope: scalingTopic,
  rope_type: scalingTopic,
  factor: scalingTopic,
  original_max_position_embeddings: scalingTopic,
  low_freq_factor: { formula: encodingFormula, facts: wavelengthBoundFacts },
  high_freq_factor: { formula: encodingFormula, facts: wavelengthBoundFacts },
  short_factor: { formula: encodingFormula, facts: frequencyFacts },
  long_factor: { formula: encodingFormula, facts: frequencyFacts },
  beta_fast: betaTopic,
  beta_slow: betaTopic,
  truncate: betaTopic,
  attention_factor: attentionTopic,
  mscale: attentionTopic,
  mscale_all_dim: attentionTopic,
  partial_rotary_factor: { formula: () => rotatedDimsFormula, facts: rotatedDimFacts },
  rotary_dim: { formula: () => rotatedDimsFormula, facts: rotatedDimFacts },
  max_position_embeddings: contextTopic,
  usable_positions: contextTopic,
  sliding_window: windowTopic,
  use_sliding_window: windowTopic,
  max_window_layers: windowTopic,
  layer_types: layerTopic,
  sliding_window_pattern: layerTopic,
  no_rope_layers: layerTopic,
  no_rope_layer_interval: layerTopic,
  layer_rope_theta: layerTopic,
  alibi: { formula: slopeFormulaFor, facts: slopeFacts },
  alibi_bias_max: { formula: slopeFormulaFor, facts: slopeFacts },
  num_heads: { formula: slopeFormulaFor, facts: slopeFacts },
  num_buckets: { formula: bucketFormulaFor, facts: bucketFacts },
  max_distance: { formula: bucketFormulaFor, facts: bucketFacts },
  mrope_section: { formula: encodingFormula, facts: sectionFacts },
};

export function topicOf({ name }: KeyContext): Topic {
  return ownValue(TOPICS, name) ?? { formula: noFormula, facts: noFacts };
}

function lengthFormula(key: KeyContext): Formula | null {
  if (isRotary(key)) return fullRotationsFormula;
  return key.encoding.id === "learned_absolute" ? encodingFormula(key) : null;
}

/** The context compared with RoPE's wavelengths, or the rows of a table. */
function lengthFacts(key: KeyContext): HoverFact[] {
  const rows = keyNumber(key, "max_position_embeddings");
  const usable = keyNumber(key, "usable_positions");
  if (key.encoding.id === "learned_absolute" && rows !== null) {
    const end = usable ?? rows;
    const last = l10n.t("0 … {0}; position {1} does not exist", formatNumber(end - 1), formatNumber(end));
    const rowsNote = end === rows ? {} : { note: l10n.t("{0} rows", formatNumber(rows)) };
    return [{ label: l10n.t("positions"), value: last, ...rowsNote }];
  }
  if (!isRotary(key)) return [];
  const extended = configuredExtendedContext(key.params);
  const trained = configuredTrainingContext(key.params);
  const lengths =
    extended === null || trained === null
      ? ""
      : `${formatNumber(trained)} → ${l10n.t("{0} tokens", formatNumber(extended))}`;
  return [
    ...(lengths === "" ? [] : [{ label: l10n.t("training → extended context"), value: lengths }]),
    ...wavelengthFacts(key),
  ];
}

function windowFacts(key: KeyContext): HoverFact[] {
  const [size, count] = [keyNumber(key, "sliding_window"), keyNumber(key, "num_layers")];
  if (size === null || size < 1)
    return [{ label: l10n.t("used by the model"), value: l10n.t("no: these layers attend to all preceding keys") }];
  const facts: HoverFact[] = [{ label: l10n.t("with these values"), value: `0 ≤ i − j < ${formatNumber(size)}` }];
  const { layers } = key.spec;
  const sliding = layers === "all" ? count : layers.length;
  if (sliding === null) return facts;
  const reach = l10n.t(
    "{0} tokens back across {1} such layers",
    formatNumber(sliding * (size - 1)),
    formatNumber(sliding),
  );
  return [...facts, { label: l10n.t("receptive field"), value: reach }];
}

function slopeFormulaFor(key: KeyContext): Formula | null {
  return key.encoding.partFormulas?.slopes ?? null;
}

function slopeFacts({ derived: { alibi_slopes: slopes } }: KeyContext): HoverFact[] {
  if (!Array.isArray(slopes)) return [];
  const values = slopes.filter((slope) => typeof slope === "number");
  const [steepest, flattest] = [Math.max(...values), Math.min(...values)];
  if (!Number.isFinite(steepest)) return [];
  return [
    {
      label: l10n.t("slopes"),
      value: l10n.t("{0} heads: {1} … {2}", values.length, formatShort(steepest), formatShort(flattest)),
    },
    {
      label: l10n.t("penalty at distance 1000"),
      value: `${formatShort(-1000 * steepest)} … ${formatShort(-1000 * flattest)}`,
    },
  ];
}

function bucketFormulaFor(key: KeyContext): Formula | null {
  return key.encoding.partFormulas?.buckets ?? null;
}

function bucketFacts(key: KeyContext): HoverFact[] {
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
    { label: l10n.t("bucket boundaries"), value: shown.join(" ") },
    { label: l10n.t("start of the last bucket"), value: l10n.t("{0} tokens", formatNumber(last)) },
  ];
}
