import { ownValue } from "../../util/ownValue.ts";
import { type ConfigAttributes, isNumbers, isStrings, type MaybeNumber } from "./attributes.ts";

/** More layers are not listed one by one: the number may be hostile. */
const MAX_LISTED_LAYERS = 1000;

const SLIDING_ATTENTION = "sliding_attention";
const FULL_ATTENTION = "full_attention";
const LINEAR_ATTENTION = "linear_attention";

/** Names that transformers 5 still reads (`_LEGACY_LAYER_TYPE_REMAP`). */
const LEGACY_NAMES: Readonly<Record<string, string>> = {
  mamba: LINEAR_ATTENTION,
  attention: FULL_ATTENTION,
  deepseek_sparse_attention: "indexed_attention",
  qwen_sparse_attention: "indexed_attention",
};

/** Layers without attention, or with attention that ignores positions. */
const TYPES_WITHOUT_POSITIONS: ReadonlySet<string> = new Set([
  LINEAR_ATTENTION,
  "conv",
  "recurrent",
  "moe",
  "mlp",
  "cross_attention",
]);

/** How a layer's attention uses positions. */
export interface LayerKind {
  readonly type: string | undefined;
  readonly usesRope: boolean;
  readonly usesWindow: boolean;
}

/**
 * Resolves the kind of each layer.
 * @param count number of layers
 * @returns undefined if all layers are alike
 */
export function resolveLayerKinds(
  attributes: ConfigAttributes,
  count: number | undefined,
): readonly LayerKind[] | undefined {
  if (count === undefined || count > MAX_LISTED_LAYERS || count < 1) return undefined;
  const types = resolveLayerTypes(attributes, count);
  const { ropeLayers, thetaPerLayer } = attributes.type;
  if (types === undefined && ropeLayers === undefined && thetaPerLayer !== true) return undefined;
  const hasWindow = resolveWindowSize(attributes) !== undefined;
  return Array.from({ length: count }, (_, i) => {
    const type = types?.[i];
    return {
      type,
      usesRope: layerUsesRope(attributes, ropeLayers, type, i, hasWindow),
      usesWindow: layerUsesWindow(attributes, type),
    };
  });
}

function layerUsesWindow(attributes: ConfigAttributes, type: string | undefined): boolean {
  if (attributes.type.windowInEveryLayer === true) return type === undefined || !TYPES_WITHOUT_POSITIONS.has(type);
  return type === SLIDING_ATTENTION || type === "hybrid_sliding" || type === "local";
}

function layerUsesRope(
  attributes: ConfigAttributes,
  ropeLayers: string | undefined,
  type: string | undefined,
  i: number,
  hasWindow: boolean,
): boolean {
  if (type !== undefined && TYPES_WITHOUT_POSITIONS.has(type)) return false;
  const thetas = attributes.type.thetaPerLayer === true ? attributes.get("layer_rope_theta")?.value : undefined;
  if (Array.isArray(thetas)) return Boolean(thetas[i]);
  switch (ropeLayers) {
    case "sliding":
      return type === SLIDING_ATTENTION;
    case "sliding_if_window":
      return type === SLIDING_ATTENTION || !hasWindow;
    case "no_rope_layers":
      return (
        ropeFlags(attributes)?.[i] !== 0 &&
        (ropeFlags(attributes) !== undefined || exceptEveryNth(i, ropeInterval(attributes)))
      );
    default:
      return true;
  }
}

/** Entries of `no_rope_layers`, where 1 means that the layer uses RoPE. */
function ropeFlags(attributes: ConfigAttributes): readonly number[] | undefined {
  const flags = attributes.get("no_rope_layers")?.value;
  return isNumbers(flags) && flags.length > 0 ? flags : undefined;
}

function ropeInterval(attributes: ConfigAttributes): number {
  return attributes.valueOrDefault("no_rope_layer_interval")?.value ?? 4;
}

/** true except for each `interval`-th layer. */
function exceptEveryNth(i: number, interval: number): boolean {
  return (i + 1) % interval !== 0;
}

/** Window of the sliding layers, in tokens; undefined if there is none. */
export function resolveWindowSize(attributes: ConfigAttributes): Exclude<MaybeNumber, { value: null }> {
  const { windowNeedsFlag, windowSpanKey, halvesWindowWhen } = attributes.type;
  if (windowNeedsFlag === true && !attributes.flag("use_sliding_window")) return undefined;
  if (windowSpanKey !== undefined) return halfWindow(attributes, windowSpanKey);
  const found = attributes.valueOrDefault("sliding_window");
  if (found === undefined || found.value <= 0) return undefined;
  const isHalved =
    halvesWindowWhen !== undefined && attributes.get("use_bidirectional_attention")?.value === halvesWindowWhen;
  return isHalved ? { value: Math.floor(found.value / 2) + 1, source: "derived" } : found;
}

/** Half of a width that counts both directions, unless only `sliding_window` is written. */
function halfWindow(attributes: ConfigAttributes, spanKey: string): Exclude<MaybeNumber, { value: null }> {
  if (attributes.fromFile("sliding_window") !== undefined && attributes.fromFile(spanKey) === undefined)
    return attributes.valueOrDefault("sliding_window");
  const span = attributes.valueOrDefault(spanKey);
  return span === undefined ? undefined : { value: Math.floor(span.value / 2), source: "derived" };
}

/** The file's `layer_types`, or those that the class generates; undefined if the model has none. */
export function resolveLayerTypes(attributes: ConfigAttributes, count: number): readonly string[] | undefined {
  const written = writtenTypes(attributes, count);
  if (written === undefined) return defaultLayerTypes(attributes, count);
  const types = written.map((type) => ownValue(LEGACY_NAMES, type) ?? type);
  return attributes.type.fullLastLayer === "always" ? withFullLastLayer(types, count) : types;
}

function withFullLastLayer(types: readonly string[], count: number): readonly string[] {
  return types.map((type, i) => (i === count - 1 ? FULL_ATTENTION : type));
}

function writtenTypes(attributes: ConfigAttributes, count: number): readonly string[] | undefined {
  const { value } = attributes.fromFile("layer_types") ?? attributes.fromFile("layers_block_type") ?? {};
  if (isStrings(value) && value.length > 0) return value.slice(0, count);
  return undefined;
}

function fillLayers(count: number, at: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => at(i));
}

function defaultLayerTypes(attributes: ConfigAttributes, count: number): readonly string[] | undefined {
  const [kind, ...args] = attributes.type.layerTypeRule ?? [];
  const types = kind === undefined ? undefined : ownValue(LAYER_TYPE_RULES, kind)?.(attributes, count, args);
  const { fullLastLayer } = attributes.type;
  if (types === undefined || fullLastLayer === undefined) return types;
  return fullLastLayer === "if_none" && types.includes(FULL_ATTENTION) ? types : withFullLastLayer(types, count);
}

type LayerTypeRule = (attributes: ConfigAttributes, count: number, args: readonly unknown[]) => readonly string[];

/**
 * Each n-th layer is `second`, the others `first`.
 * @param isRare whether the layer is one of the n-th
 */
function periodicTypes(isRare: (i: number, n: number, count: number) => boolean): LayerTypeRule {
  return (attributes, count, [key, period, first, second]) => {
    const written = typeof key === "string" && key !== "" ? attributes.valueOrDefault(key)?.value : undefined;
    const n = written ?? (typeof period === "number" ? period : 1);
    const needsWindow = attributes.type.layerPatternNeedsWindow === true;
    if (n < 1 || (needsWindow && resolveWindowSize(attributes) === undefined))
      return fillLayers(count, () => String(second));
    return fillLayers(count, (i) => String(isRare(i, n, count) ? second : first));
  };
}

function listedTypes(attributes: ConfigAttributes, count: number, args: readonly unknown[]): readonly string[] {
  const [key, inside, outside] = args;
  const listed = attributes.numbers(String(key))?.value;
  if (listed === undefined && key === "full_attn_idxs") return fillLayers(count, () => String(inside));
  return fillLayers(count, (i) => String(listed?.includes(i) === true ? inside : outside));
}

/** A list with 1 for each layer that is `first`, and 0 for those that are `second`. */
function flaggedTypes(attributes: ConfigAttributes, count: number, args: readonly unknown[]): readonly string[] {
  const [key, first, second] = args;
  const flags = attributes.numbers(String(key))?.value;
  return fillLayers(count, (i) => String(flags === undefined || flags[i] === 1 ? first : second));
}

const windowTypes: LayerTypeRule = (attributes, count) => {
  const from = attributes.valueOrDefault("max_window_layers")?.value ?? count;
  const windowed = resolveWindowSize(attributes) !== undefined;
  return fillLayers(count, (i) => (windowed && i >= from ? SLIDING_ATTENTION : FULL_ATTENTION));
};

const alternateWindowTypes: LayerTypeRule = (attributes, count) => {
  const until = attributes.valueOrDefault("max_window_layers")?.value ?? count;
  const used = attributes.flag("use_sliding_window");
  return fillLayers(count, (i) => (used && i < until && (i + 1) % 2 !== 0 ? SLIDING_ATTENTION : FULL_ATTENTION));
};

const slidingWithoutRopeTypes: LayerTypeRule = (attributes, count) => {
  const windowed = attributes.flag("use_sliding_window") && resolveWindowSize(attributes) !== undefined;
  return fillLayers(count, (i) =>
    windowed && !layerUsesRope(attributes, "no_rope_layers", undefined, i, false) ? SLIDING_ATTENTION : FULL_ATTENTION,
  );
};

/** `attention_types`: [[["global", "local"], 12]] repeats the pattern 12 times. */
function attentionTypes(attributes: ConfigAttributes, count: number): readonly string[] {
  const groups = attributes.get("attention_types")?.value;
  const types = (Array.isArray(groups) ? groups : [[["global", "local"], Math.ceil(count / 2)]]).flatMap(
    (group: unknown) => {
      const [pattern, times] = Array.isArray(group) ? group : [];
      if (!isStrings(pattern) || typeof times !== "number") return [];
      return fillLayers(
        Math.min(times, MAX_LISTED_LAYERS) * pattern.length,
        (i) => pattern[i % pattern.length] ?? "global",
      );
    },
  );
  return fillLayers(count, (i) => types[i] ?? "global");
}

/** Dense layers come first and have a pattern of their own. */
function densePrefixTypes(attributes: ConfigAttributes, count: number): readonly string[] {
  const dense = attributes.valueOrDefault("first_k_dense_replace")?.value ?? 0;
  const prefix = attributes.valueOrDefault("prefix_dense_sliding_window_pattern")?.value ?? 1;
  const rest = attributes.valueOrDefault("sliding_window_pattern")?.value ?? 4;
  return fillLayers(count, (i) => {
    const sliding = i < dense ? exceptEveryNth(i, prefix) : exceptEveryNth(i - dense, rest);
    return sliding ? SLIDING_ATTENTION : FULL_ATTENTION;
  });
}

/** Runs of equal layers, as [type, count]; later layers have the last type. */
const runTypes: LayerTypeRule = (_attributes, count, [runs, rest]) => {
  const types = (Array.isArray(runs) ? runs : []).flatMap((run: unknown) => {
    const [type, length] = Array.isArray(run) ? run : [];
    return fillLayers(Number(length), () => String(type));
  });
  return fillLayers(count, (i) => types[i] ?? String(rest));
};

/** How much each layer compresses the keys; 0 means not at all. */
function compressionTypes(attributes: ConfigAttributes, count: number): readonly string[] {
  const ratios = attributes.numbers("compress_ratios")?.value;
  const names: Readonly<Record<number, string>> = {
    0: SLIDING_ATTENTION,
    4: "compressed_sparse_attention",
    128: "heavily_compressed_attention",
  };
  if (ratios !== undefined) return fillLayers(count, (i) => names[ratios[i] ?? 128] ?? "heavily_compressed_attention");
  return fillLayers(count, (i) =>
    i < 2 || i % 2 === 0 ? "heavily_compressed_attention" : "compressed_sparse_attention",
  );
}

/** Rules for missing `layer_types`, by name; their arguments follow it in the table of model types. */
const LAYER_TYPE_RULES: Readonly<Record<string, LayerTypeRule>> = {
  every: periodicTypes((i, n) => (i + 1) % n === 0),
  every_from_end: periodicTypes((i, n, count) => (count - 1 - i) % n === 0),
  first_and_every: periodicTypes((i, n) => i === 0 || (i + 1) % n === 0),
  mod: periodicTypes((i, n) => i % n === 0),
  const: (_attributes, count, [type]) => fillLayers(count, () => String(type)),
  in: listedTypes,
  flags: flaggedTypes,
  repeat: (attributes, count, [key]) => {
    const block = attributes.strings(String(key))?.value ?? ["recurrent", "recurrent", "attention"];
    return fillLayers(count, (i) => block[i % block.length] ?? FULL_ATTENTION);
  },
  runs: runTypes,
  window: windowTypes,
  window_alternate: alternateWindowTypes,
  sliding_if_window: (attributes, count) =>
    fillLayers(count, () => (resolveWindowSize(attributes) === undefined ? FULL_ATTENTION : SLIDING_ATTENTION)),
  sliding_without_rope: slidingWithoutRopeTypes,
  chunked_with_rope: (attributes, count) =>
    fillLayers(count, (i) =>
      layerUsesRope(attributes, "no_rope_layers", undefined, i, false) ? "chunked_attention" : FULL_ATTENTION,
    ),
  attention_types: attentionTypes,
  dense_prefix: densePrefixTypes,
  compress_ratios: compressionTypes,
};

/** Names that the first entry of `layerTypeRule` can have. */
export function layerTypeRuleNames(): string[] {
  return Object.keys(LAYER_TYPE_RULES);
}
