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
  readonly type: string | null;
  readonly usesRope: boolean;
  readonly usesWindow: boolean;
}

/**
 * Resolves the kind of each layer.
 * @param count number of layers
 * @returns null if all layers are alike
 */
export function resolveLayerKinds(attributes: ConfigAttributes, count: number | null): readonly LayerKind[] | null {
  if (count === null || count > MAX_LISTED_LAYERS || count < 1) return null;
  const types = resolveLayerTypes(attributes, count);
  const ropeLayers = attributes.type.ropeLayers;
  if (types === null && ropeLayers === undefined) return null;
  const hasWindow = resolveWindowSize(attributes) !== undefined;
  return Array.from({ length: count }, (_, i) => {
    const type = types?.[i] ?? null;
    return {
      type,
      usesRope: layerUsesRope(attributes, ropeLayers, type, i, hasWindow),
      usesWindow: layerUsesWindow(attributes, type),
    };
  });
}

function layerUsesWindow(attributes: ConfigAttributes, type: string | null): boolean {
  if (attributes.type.windowInEveryLayer === true) return type === null || !TYPES_WITHOUT_POSITIONS.has(type);
  return type === SLIDING_ATTENTION || type === "hybrid_sliding" || type === "local";
}

function layerUsesRope(
  attributes: ConfigAttributes,
  ropeLayers: string | undefined,
  type: string | null,
  i: number,
  hasWindow: boolean,
): boolean {
  if (type !== null && TYPES_WITHOUT_POSITIONS.has(type)) return false;
  switch (ropeLayers) {
    case "sliding":
      return type === SLIDING_ATTENTION;
    case "sliding_if_window":
      return type === SLIDING_ATTENTION || !hasWindow;
    case "no_rope_layers":
      return (
        ropeFlags(attributes)?.[i] !== 0 &&
        (ropeFlags(attributes) !== null || exceptEveryNth(i, ropeInterval(attributes)))
      );
    case "layer_rope_theta": {
      const thetas = attributes.get("layer_rope_theta")?.value;
      if (!Array.isArray(thetas)) return attributes.typeName !== "muse_glimmer_text" || type === SLIDING_ATTENTION;
      return Boolean(thetas[i]);
    }
    default:
      return true;
  }
}

/** Entries of `no_rope_layers`, where 1 means that the layer uses RoPE. */
function ropeFlags(attributes: ConfigAttributes): readonly number[] | null {
  const flags = attributes.get("no_rope_layers")?.value;
  return isNumbers(flags) && flags.length > 0 ? flags : null;
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
  if (attributes.type.windowNeedsFlag === true && !attributes.flag("use_sliding_window")) return undefined;
  if (attributes.typeName === "modernbert" || attributes.typeName === "modernbert-decoder")
    return modernBertWindow(attributes);
  const found = attributes.valueOrDefault("sliding_window");
  if (found === undefined || found.value <= 0) return undefined;
  return bidirectionalWindow(attributes) ? { value: Math.floor(found.value / 2) + 1, source: "derived" } : found;
}

/** `local_attention` spans both directions; the class halves it. */
function modernBertWindow(attributes: ConfigAttributes): Exclude<MaybeNumber, { value: null }> {
  const own = attributes.fromFile("sliding_window");
  const local = attributes.valueOrDefault("local_attention");
  if (own !== undefined && attributes.fromFile("local_attention") === undefined)
    return attributes.valueOrDefault("sliding_window");
  return local === undefined ? undefined : { value: Math.floor(local.value / 2), source: "derived" };
}

function bidirectionalWindow(attributes: ConfigAttributes): boolean {
  const value = attributes.get("use_bidirectional_attention")?.value;
  if (attributes.type.ropeConversion === "as_written") return value === "all";
  return attributes.typeName === "gemma3_text" && value === true;
}

/** The file's `layer_types`, or those that the class generates; null if the model has none. */
export function resolveLayerTypes(attributes: ConfigAttributes, count: number): readonly string[] | null {
  const written = writtenTypes(attributes, count);
  if (written === null) return defaultLayerTypes(attributes, count);
  const types = written.map((type) => ownValue(LEGACY_NAMES, type) ?? type);
  // Gemma 4 always makes its last layer a full one.
  const forced =
    attributes.type.ropeConversion === "as_written" && /^(gemma4|diffusion_gemma)/.test(attributes.typeName ?? "");
  return forced ? withFullLastLayer(types, count) : types;
}

function withFullLastLayer(types: readonly string[], count: number): readonly string[] {
  return types.map((type, i) => (i === count - 1 ? FULL_ATTENTION : type));
}

function writtenTypes(attributes: ConfigAttributes, count: number): readonly string[] | null {
  const { value } = attributes.fromFile("layer_types") ?? attributes.fromFile("layers_block_type") ?? {};
  if (isStrings(value) && value.length > 0) return value.slice(0, count);
  return null;
}

function fillLayers(count: number, at: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => at(i));
}

function defaultLayerTypes(attributes: ConfigAttributes, count: number): readonly string[] | null {
  const rule = attributes.type.layerTypeRule;
  if (rule === undefined) return null;
  const [kind, ...args] = rule;
  switch (kind) {
    case "every":
    case "mod":
      return periodicTypes(attributes, count, kind, args);
    case "const":
      return fillLayers(count, () => String(args[0]));
    case "in":
      return listedTypes(attributes, count, args);
    case "repeat": {
      const block = attributes.strings(String(args[0]))?.value ?? ["recurrent", "recurrent", "attention"];
      return fillLayers(count, (i) => block[i % block.length] ?? FULL_ATTENTION);
    }
    default:
      return modelSpecificTypes(attributes, count, kind);
  }
}

/** `every`: each n-th layer is `second`, the others `first`. `mod`: the same, counted from layer 0. */
function periodicTypes(
  attributes: ConfigAttributes,
  count: number,
  kind: string,
  args: readonly unknown[],
): readonly string[] {
  const [key, period, first, second] = args;
  const written = typeof key === "string" && key !== "" ? attributes.valueOrDefault(key)?.value : undefined;
  const n = written ?? (typeof period === "number" ? period : 1);
  if (n < 1 || exaoneWithoutWindow(attributes)) return fillLayers(count, () => String(second));
  const types = fillLayers(count, (i) => String((kind === "every" ? i + 1 : i) % n === 0 ? second : first));
  if (attributes.typeName === "olmo_hybrid" && !types.includes(FULL_ATTENTION)) return withFullLastLayer(types, count);
  return attributes.type.ropeConversion === "as_written" ? withFullLastLayer(types, count) : types;
}

function exaoneWithoutWindow(attributes: ConfigAttributes): boolean {
  return attributes.typeName?.startsWith("exaone") === true && resolveWindowSize(attributes) === undefined;
}

function listedTypes(attributes: ConfigAttributes, count: number, args: readonly unknown[]): readonly string[] {
  const [key, inside, outside] = args;
  const listed = attributes.numbers(String(key))?.value;
  if (listed === undefined && key === "full_attn_idxs") return fillLayers(count, () => String(inside));
  return fillLayers(count, (i) => String(listed?.includes(i) === true ? inside : outside));
}

function modelSpecificTypes(attributes: ConfigAttributes, count: number, rule: string): readonly string[] | null {
  switch (rule) {
    case "window": {
      const from = attributes.valueOrDefault("max_window_layers")?.value ?? count;
      const windowed = resolveWindowSize(attributes) !== undefined;
      return fillLayers(count, (i) => (windowed && i >= from ? SLIDING_ATTENTION : FULL_ATTENTION));
    }
    case "window_alternate": {
      const until = attributes.valueOrDefault("max_window_layers")?.value ?? count;
      const used = attributes.flag("use_sliding_window");
      return fillLayers(count, (i) => (used && i < until && (i + 1) % 2 !== 0 ? SLIDING_ATTENTION : FULL_ATTENTION));
    }
    case "ministral":
      return fillLayers(count, () =>
        resolveWindowSize(attributes) === undefined ? FULL_ATTENTION : SLIDING_ATTENTION,
      );
    case "smollm3":
      return smolLm3Types(attributes, count);
    case "llama4":
      return fillLayers(count, (i) =>
        layerUsesRope(attributes, "no_rope_layers", null, i, false) ? "chunked_attention" : FULL_ATTENTION,
      );
    case "muse":
      return fillLayers(count, (i) => ((count - 1 - i) % 4 === 0 ? FULL_ATTENTION : SLIDING_ATTENTION));
    case "mimo":
      return fillLayers(count, (i) => (i === 0 || (i + 1) % 6 === 0 ? FULL_ATTENTION : SLIDING_ATTENTION));
    case "neomme":
      return fillLayers(count, (i) => ((i + 1) % 6 === 0 || i === count - 1 ? FULL_ATTENTION : SLIDING_ATTENTION));
    case "gpt_neo":
      return gptNeoTypes(attributes, count);
    case "cohere2_moe":
      return cohereMoeTypes(attributes, count);
    case "zamba":
      return zambaTypes(attributes, count);
    case "deepseek_v4":
      return deepseekTypes(attributes, count);
    default:
      return null;
  }
}

function smolLm3Types(attributes: ConfigAttributes, count: number): readonly string[] {
  const windowed = attributes.flag("use_sliding_window") && resolveWindowSize(attributes) !== undefined;
  return fillLayers(count, (i) =>
    windowed && !layerUsesRope(attributes, "no_rope_layers", null, i, false) ? SLIDING_ATTENTION : FULL_ATTENTION,
  );
}

/** `attention_types`: [[["global", "local"], 12]] repeats the pattern 12 times. */
function gptNeoTypes(attributes: ConfigAttributes, count: number): readonly string[] {
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

function cohereMoeTypes(attributes: ConfigAttributes, count: number): readonly string[] {
  const dense = attributes.valueOrDefault("first_k_dense_replace")?.value ?? 0;
  const prefix = attributes.valueOrDefault("prefix_dense_sliding_window_pattern")?.value ?? 1;
  const rest = attributes.valueOrDefault("sliding_window_pattern")?.value ?? 4;
  return fillLayers(count, (i) => {
    const sliding = i < dense ? exceptEveryNth(i, prefix) : exceptEveryNth(i - dense, rest);
    return sliding ? SLIDING_ATTENTION : FULL_ATTENTION;
  });
}

/** Zamba 2's published pattern; models of other depths have `layers_block_type` in the file. */
function zambaTypes(attributes: ConfigAttributes, count: number): readonly string[] {
  if (attributes.typeName !== "zamba2") return fillLayers(count, () => FULL_ATTENTION);
  const block = (linear: number) => [...fillLayers(linear, () => LINEAR_ATTENTION), "hybrid"];
  const pattern = [
    LINEAR_ATTENTION,
    ...fillLayers(7, () => "").flatMap(() => block(5)),
    ...block(4),
    ...block(3),
    LINEAR_ATTENTION,
    LINEAR_ATTENTION,
  ];
  return fillLayers(count, (i) => pattern[i] ?? LINEAR_ATTENTION);
}

function deepseekTypes(attributes: ConfigAttributes, count: number): readonly string[] {
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
