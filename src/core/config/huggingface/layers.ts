import { ownValue } from "../../util/ownValue.ts";
import { type Attributes, isNumbers, isStrings, type MaybeNumber } from "./attributes.ts";

/** Layers beyond this are not listed one by one: the number is hostile input. */
const MAX_LAYERS = 1000;

const SLIDING = "sliding_attention";
const FULL = "full_attention";
const LINEAR = "linear_attention";

/** Names that transformers 5 still reads (`_LEGACY_LAYER_TYPE_REMAP`). */
const LEGACY_NAMES: Readonly<Record<string, string>> = {
  mamba: LINEAR,
  attention: FULL,
  deepseek_sparse_attention: "indexed_attention",
  qwen_sparse_attention: "indexed_attention",
};

/** Layers without attention of their own, or with attention that has no positions. */
const WITHOUT_POSITIONS: ReadonlySet<string> = new Set([LINEAR, "conv", "recurrent", "moe", "mlp", "cross_attention"]);

/** What a layer's attention is like, as far as positions are concerned. */
export interface LayerKind {
  readonly type: string | null;
  readonly rotates: boolean;
  readonly slides: boolean;
}

/**
 * The kind of each layer, or null where all layers are alike.
 * @param count number of layers
 */
export function layerKinds(attributes: Attributes, count: number | null): readonly LayerKind[] | null {
  if (count === null || count > MAX_LAYERS || count < 1) return null;
  const types = layerTypes(attributes, count);
  const nope = attributes.type.N;
  if (types === null && nope === undefined) return null;
  const windowed = windowSize(attributes) !== undefined;
  return Array.from({ length: count }, (_, i) => {
    const type = types?.[i] ?? null;
    return { type, rotates: rotates(attributes, nope, type, i, windowed), slides: slides(attributes, type) };
  });
}

function slides(attributes: Attributes, type: string | null): boolean {
  if (attributes.type.wa === 1) return type === null || !WITHOUT_POSITIONS.has(type);
  return type === SLIDING || type === "hybrid_sliding" || type === "local";
}

function rotates(
  attributes: Attributes,
  nope: string | undefined,
  type: string | null,
  i: number,
  windowed: boolean,
): boolean {
  if (type !== null && WITHOUT_POSITIONS.has(type)) return false;
  switch (nope) {
    case "sliding":
      return type === SLIDING;
    case "sliding_if_window":
      return type === SLIDING || !windowed;
    case "no_rope_layers":
      return (
        ropeFlags(attributes)?.[i] !== 0 && (ropeFlags(attributes) !== null || everyNth(i, ropeInterval(attributes)))
      );
    case "layer_theta": {
      const thetas = attributes.get("layer_rope_theta")?.value;
      if (!Array.isArray(thetas)) return attributes.typeName !== "muse_glimmer_text" || type === SLIDING;
      return Boolean(thetas[i]);
    }
    default:
      return true;
  }
}

/** `no_rope_layers`: 1 = the layer uses RoPE. */
function ropeFlags(attributes: Attributes): readonly number[] | null {
  const flags = attributes.get("no_rope_layers")?.value;
  return isNumbers(flags) && flags.length > 0 ? flags : null;
}

function ropeInterval(attributes: Attributes): number {
  return attributes.valueOrDefault("no_rope_layer_interval")?.value ?? 4;
}

/** All layers but each `interval`-th. */
function everyNth(i: number, interval: number): boolean {
  return (i + 1) % interval !== 0;
}

/** The window that sliding layers of this configuration have; undefined where there is none. */
export function windowSize(attributes: Attributes): Exclude<MaybeNumber, { value: null }> {
  if (attributes.type.uw === 1 && !attributes.flag("use_sliding_window")) return undefined;
  if (attributes.typeName === "modernbert" || attributes.typeName === "modernbert-decoder")
    return modernBertWindow(attributes);
  const found = attributes.valueOrDefault("sliding_window");
  if (found === undefined || found.value <= 0) return undefined;
  return bidirectionalWindow(attributes) ? { value: Math.floor(found.value / 2) + 1, source: "derived" } : found;
}

/** `local_attention` is the whole window, both sides; the class halves it. */
function modernBertWindow(attributes: Attributes): Exclude<MaybeNumber, { value: null }> {
  const own = attributes.fromFile("sliding_window");
  const local = attributes.valueOrDefault("local_attention");
  if (own !== undefined && attributes.fromFile("local_attention") === undefined)
    return attributes.valueOrDefault("sliding_window");
  return local === undefined ? undefined : { value: Math.floor(local.value / 2), source: "derived" };
}

function bidirectionalWindow(attributes: Attributes): boolean {
  const value = attributes.get("use_bidirectional_attention")?.value;
  if (attributes.type.s === "as_written") return value === "all";
  return attributes.typeName === "gemma3_text" && value === true;
}

/** `layer_types`, or as the class makes it; null where the model has none. */
export function layerTypes(attributes: Attributes, count: number): readonly string[] | null {
  const written = writtenTypes(attributes, count);
  if (written === null) return ruleTypes(attributes, count);
  const types = written.map((type) => ownValue(LEGACY_NAMES, type) ?? type);
  // Gemma 4 makes its last layer a full one, whatever the file says.
  const forced = attributes.type.s === "as_written" && /^(gemma4|diffusion_gemma)/.test(attributes.typeName ?? "");
  return forced ? forceLast(types, count) : types;
}

function forceLast(types: readonly string[], count: number): readonly string[] {
  return types.map((type, i) => (i === count - 1 ? FULL : type));
}

function writtenTypes(attributes: Attributes, count: number): readonly string[] | null {
  const { value } = attributes.fromFile("layer_types") ?? attributes.fromFile("layers_block_type") ?? {};
  if (isStrings(value) && value.length > 0) return value.slice(0, count);
  return null;
}

function fill(count: number, at: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => at(i));
}

function ruleTypes(attributes: Attributes, count: number): readonly string[] | null {
  const rule = attributes.type.L;
  if (rule === undefined) return null;
  const [kind, ...args] = rule;
  switch (kind) {
    case "every":
    case "mod":
      return periodicTypes(attributes, count, kind, args);
    case "const":
      return fill(count, () => String(args[0]));
    case "in":
      return listedTypes(attributes, count, args);
    case "repeat": {
      const block = attributes.strings(String(args[0]))?.value ?? ["recurrent", "recurrent", "attention"];
      return fill(count, (i) => block[i % block.length] ?? FULL);
    }
    default:
      return ownRule(attributes, count, kind);
  }
}

/** `every`: all but each n-th are `first`; `mod`: each n-th from layer 0 on is `second`. */
function periodicTypes(
  attributes: Attributes,
  count: number,
  kind: string,
  args: readonly unknown[],
): readonly string[] {
  const [key, period, first, second] = args;
  const written = typeof key === "string" && key !== "" ? attributes.valueOrDefault(key)?.value : undefined;
  const n = written ?? (typeof period === "number" ? period : 1);
  if (n < 1 || exaoneWithoutWindow(attributes)) return fill(count, () => String(second));
  const types = fill(count, (i) => String((kind === "every" ? i + 1 : i) % n === 0 ? second : first));
  if (attributes.typeName === "olmo_hybrid" && !types.includes(FULL)) return forceLast(types, count);
  return attributes.type.s === "as_written" ? forceLast(types, count) : types;
}

function exaoneWithoutWindow(attributes: Attributes): boolean {
  return attributes.typeName?.startsWith("exaone") === true && windowSize(attributes) === undefined;
}

function listedTypes(attributes: Attributes, count: number, args: readonly unknown[]): readonly string[] {
  const [key, inside, outside] = args;
  const listed = attributes.numbers(String(key))?.value;
  if (listed === undefined && key === "full_attn_idxs") return fill(count, () => String(inside));
  return fill(count, (i) => String(listed?.includes(i) === true ? inside : outside));
}

function ownRule(attributes: Attributes, count: number, rule: string): readonly string[] | null {
  switch (rule) {
    case "window": {
      const from = attributes.valueOrDefault("max_window_layers")?.value ?? count;
      const windowed = windowSize(attributes) !== undefined;
      return fill(count, (i) => (windowed && i >= from ? SLIDING : FULL));
    }
    case "window_alternate": {
      const until = attributes.valueOrDefault("max_window_layers")?.value ?? count;
      const used = attributes.flag("use_sliding_window");
      return fill(count, (i) => (used && i < until && (i + 1) % 2 !== 0 ? SLIDING : FULL));
    }
    case "ministral":
      return fill(count, () => (windowSize(attributes) === undefined ? FULL : SLIDING));
    case "smollm3":
      return smolTypes(attributes, count);
    case "llama4":
      return fill(count, (i) => (rotates(attributes, "no_rope_layers", null, i, false) ? "chunked_attention" : FULL));
    case "muse":
      return fill(count, (i) => ((count - 1 - i) % 4 === 0 ? FULL : SLIDING));
    case "mimo":
      return fill(count, (i) => (i === 0 || (i + 1) % 6 === 0 ? FULL : SLIDING));
    case "neomme":
      return fill(count, (i) => ((i + 1) % 6 === 0 || i === count - 1 ? FULL : SLIDING));
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

function smolTypes(attributes: Attributes, count: number): readonly string[] {
  const windowed = attributes.flag("use_sliding_window") && windowSize(attributes) !== undefined;
  return fill(count, (i) => (windowed && !rotates(attributes, "no_rope_layers", null, i, false) ? SLIDING : FULL));
}

/** `attention_types`: [[["global", "local"], 12]] repeats the pattern 12 times. */
function gptNeoTypes(attributes: Attributes, count: number): readonly string[] {
  const groups = attributes.get("attention_types")?.value;
  const types = (Array.isArray(groups) ? groups : [[["global", "local"], Math.ceil(count / 2)]]).flatMap(
    (group: unknown) => {
      const [pattern, times] = Array.isArray(group) ? group : [];
      if (!isStrings(pattern) || typeof times !== "number") return [];
      return fill(Math.min(times, MAX_LAYERS) * pattern.length, (i) => pattern[i % pattern.length] ?? "global");
    },
  );
  return fill(count, (i) => types[i] ?? "global");
}

function cohereMoeTypes(attributes: Attributes, count: number): readonly string[] {
  const dense = attributes.valueOrDefault("first_k_dense_replace")?.value ?? 0;
  const prefix = attributes.valueOrDefault("prefix_dense_sliding_window_pattern")?.value ?? 1;
  const rest = attributes.valueOrDefault("sliding_window_pattern")?.value ?? 4;
  return fill(count, (i) => {
    const sliding = i < dense ? everyNth(i, prefix) : everyNth(i - dense, rest);
    return sliding ? SLIDING : FULL;
  });
}

/** Zamba 2's published pattern; other depths need `layers_block_type` in the file. */
function zambaTypes(attributes: Attributes, count: number): readonly string[] {
  if (attributes.typeName !== "zamba2") return fill(count, () => FULL);
  const block = (linear: number) => [...fill(linear, () => LINEAR), "hybrid"];
  const pattern = [LINEAR, ...fill(7, () => "").flatMap(() => block(5)), ...block(4), ...block(3), LINEAR, LINEAR];
  return fill(count, (i) => pattern[i] ?? LINEAR);
}

function deepseekTypes(attributes: Attributes, count: number): readonly string[] {
  const ratios = attributes.numbers("compress_ratios")?.value;
  const names: Readonly<Record<number, string>> = {
    0: SLIDING,
    4: "compressed_sparse_attention",
    128: "heavily_compressed_attention",
  };
  if (ratios !== undefined) return fill(count, (i) => names[ratios[i] ?? 128] ?? "heavily_compressed_attention");
  return fill(count, (i) => (i < 2 || i % 2 === 0 ? "heavily_compressed_attention" : "compressed_sparse_attention"));
}
