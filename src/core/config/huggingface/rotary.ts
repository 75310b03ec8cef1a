import * as l10n from "@vscode/l10n";
import type { EncodingSpec } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import { type ConfigAttributes, isFiniteNumber, isNumbers, type Sourced } from "./attributes.ts";
import { type EncoderDecoder, readCommonParams } from "./commonParams.ts";
import { type LayerKind, resolveLayerKinds, resolveWindowSize } from "./layers.ts";
import type { StackType } from "./modelTypes.ts";
import { RopeDictionary, readRopeParameters } from "./ropeParameters.ts";
import { setVariant } from "./variant.ts";

/** Keys of `rope_parameters` that are passed on under their own names. */
const SCALING_NUMBER_KEYS = [
  "attention_factor",
  "beta_fast",
  "beta_slow",
  "mscale",
  "mscale_all_dim",
  "low_freq_factor",
  "high_freq_factor",
  "short_mscale",
  "long_mscale",
  "llama_4_scaling_beta",
  "alpha",
] as const;
const SCALING_LIST_KEYS = ["short_factor", "long_factor"] as const;

/** Other names in use for supported types. transformers rejects them, and a rule reports it. */
const ROPE_TYPE_ALIASES: Readonly<Record<string, string>> = {
  su: "longrope",
  mrope: "default",
  deepseek_yarn: "yarn",
  "ntk-aware": "ntk",
  "linear-ntk": "ntk",
  dynamic_ntk: "dynamic",
  "dynamic-ntk": "dynamic",
  none: "default",
  no_scaling: "default",
};

/** Keys that determine the size of a head. */
const HEAD_SIZE_KEYS = ["hidden_size", "num_attention_heads"] as const;

interface LayerGroup {
  readonly layers: number[];
  readonly spec: EncodingSpec;
}

/** Reads the encodings of a stack with RoPE: one spec for each set of layers that differs. */
export function readRotarySpecs(
  attributes: ConfigAttributes,
  latentStack: StackType,
  where: string,
  side: EncoderDecoder,
): EncodingSpec[] {
  const stack = withoutUnusedLatentHead(attributes, latentStack);
  const base = readCommonParams(attributes, stack, side);
  const count = base.get("num_layers");
  const kinds = resolveLayerKinds(attributes, typeof count === "number" ? count : undefined);
  const layerTypes = [...new Set(kinds?.flatMap(({ type }) => (type === undefined ? [] : [type])) ?? [])];
  const rope = readRopeParameters(attributes, layerTypes);
  const build = (kind: LayerKind, layer: number | undefined) =>
    buildLayerSpec(attributes, stack, where, base, kind, rope.forLayerType(kind.type), layer);
  if (kinds === undefined) {
    const kind = {
      type: undefined,
      usesRope: true,
      usesWindow: attributes.type.windowInEveryLayer === true || attributes.confidence === "guess",
    };
    return [build(kind, undefined)];
  }
  return groupLayers(kinds, build, attributes.type.thetaPerLayer === true);
}

/** `qk_rope_head_dim: 0` switches latent attention off; the heads are then LLaMA's. */
function withoutUnusedLatentHead(attributes: ConfigAttributes, stack: StackType): StackType {
  const key = "qk_rope_head_dim";
  if (stack.parameterKeys?.rotary_dim !== key || attributes.fromFile(key)?.value !== 0) return stack;
  const { interleaved: _, layoutByFlag: __, parameterKeys, ...plain } = stack;
  const { rotary_dim: ___, ...others } = parameterKeys;
  return { ...plain, parameterKeys: others };
}

function groupLayers(
  kinds: readonly LayerKind[],
  build: (kind: LayerKind, layer: number) => EncodingSpec,
  thetaPerLayer: boolean,
): EncodingSpec[] {
  const groupByKind = new Map<string, LayerGroup>();
  const groups = new Map<string, LayerGroup>();
  // Models have a hundred layers but few kinds of them, so that each kind is built and compared once.
  const findOrAddGroup = (kind: LayerKind, i: number): LayerGroup => {
    const spec = build(kind, i);
    const key = JSON.stringify([spec.encoding, spec.params]);
    const group = groups.get(key) ?? { layers: [], spec };
    groups.set(key, group);
    return group;
  };
  kinds.forEach((kind, i) => {
    const kindKey = `${kind.type} ${kind.usesRope} ${kind.usesWindow} ${thetaPerLayer ? i : ""}`;
    const group = groupByKind.get(kindKey) ?? findOrAddGroup(kind, i);
    groupByKind.set(kindKey, group);
    group.layers.push(i);
  });
  const all = [...groups.values()];
  if (all.length === 1) return all.map(({ spec }) => ({ ...spec, layers: "all" }));
  return all.map(({ layers, spec }) => ({ ...spec, layers }));
}

function buildLayerSpec(
  attributes: ConfigAttributes,
  stack: StackType,
  where: string,
  base: SpecBuilder,
  kind: LayerKind,
  rope: RopeDictionary | null,
  layer: number | undefined,
): EncodingSpec {
  const builder = base.copy();
  if (kind.usesWindow) builder.set("sliding_window", resolveWindowSize(attributes));
  if (kind.type === "chunked_attention")
    builder.set("attention_chunk_size", attributes.valueOrDefault("attention_chunk_size"));
  if (!kind.usesRope || rope === null) return builder.build("none", where, "all", attributes.confidence);
  setGlobalHead(attributes, kind, builder);
  setRopeParams(attributes, stack, builder, rope, layer);
  return builder.build(stack.encoding ?? "rope", where, "all", attributes.confidence);
}

/** Layers with full attention may have wider heads, and fewer key-value heads. */
function setGlobalHead(attributes: ConfigAttributes, kind: LayerKind, builder: SpecBuilder): void {
  const { globalHeadDim } = attributes.type;
  if (kind.type !== "full_attention" || globalHeadDim === undefined) return;
  builder.set("head_dim", attributes.valueOrDefault("global_head_dim") ?? { value: globalHeadDim, source: "default" });
  if (attributes.flag("attention_k_eq_v"))
    builder.set("num_kv_heads", attributes.valueOrDefault("num_global_key_value_heads"));
}

/** Sets the parameters of one standardised dictionary, checked, and the values derived from them. */
function setRopeParams(
  attributes: ConfigAttributes,
  stack: StackType,
  builder: SpecBuilder,
  written: RopeDictionary,
  layer: number | undefined,
): void {
  // Code with a fixed base has no scaling either.
  const rope = stack.constantTheta === true ? new RopeDictionary(attributes) : written;
  const type = readFlaggedType(attributes) ?? readRopeType(rope);
  builder.set("rope_type", type);
  builder.set("layout", { value: resolveLayout(attributes, stack), source: "derived" });
  builder.set("rope_theta", resolveTheta(attributes, stack, rope, layer));
  setRotaryDims(attributes, stack, builder, rope, String(type.value));
  setScalingParams(attributes, builder, rope, String(type.value));
  if (stack.encoding === "mrope") setMropeParams(attributes, builder, written);
  if (stack.encoding === "axial_rope" && type.value === "default") builder.derive("rope_type", "axial");
  setVariant(attributes, stack, builder);
}

/** Dynamic NTK that a flag of the file switches on. */
function readFlaggedType(attributes: ConfigAttributes): Sourced<string> | undefined {
  const { dynamicNtkFlag } = attributes.type;
  if (dynamicNtkFlag === undefined || !attributes.flag(dynamicNtkFlag)) return undefined;
  return { value: "dynamic", source: "derived" };
}

function readRopeType(rope: RopeDictionary): Sourced {
  const found = rope.string("rope_type") ?? { value: "default", source: "default" as const };
  const meant = ownValue(ROPE_TYPE_ALIASES, found.value);
  return meant === undefined ? found : { ...found, value: meant };
}

/** The file's `rope_interleave` decides where the class has that key, else the code. */
function resolveLayout(attributes: ConfigAttributes, stack: StackType): "half" | "interleaved" {
  if (stack.layoutByFlag === true) return attributes.flag("rope_interleave") ? "interleaved" : "half";
  return stack.interleaved === true ? "interleaved" : "half";
}

/** The base: fixed in the code, at a key of the class's own, or that of the layer or its dictionary. */
function resolveTheta(
  attributes: ConfigAttributes,
  stack: StackType,
  rope: RopeDictionary,
  layer: number | undefined,
): Sourced<number> {
  const constant = { value: attributes.type.defaultTheta ?? 10_000, source: "default" as const };
  if (stack.constantTheta === true) return constant;
  const thetaKey = stack.parameterKeys?.rope_theta;
  if (thetaKey !== undefined) return attributes.valueOrDefault(thetaKey) ?? constant;
  const ratio = attributes.fromFile("rope_ratio") === undefined ? undefined : attributes.valueOrDefault("rope_ratio");
  if (ratio !== undefined) return { value: 10_000 * ratio.value, source: "derived" };
  const theta = readLayerTheta(attributes, layer) ?? rope.number("rope_theta");
  return theta === undefined || theta.value <= 0 ? rejectTheta(attributes, theta, constant) : theta;
}

/** `layer_rope_theta`: a base for each layer. */
function readLayerTheta(attributes: ConfigAttributes, layer: number | undefined): Sourced<number> | undefined {
  const thetas = attributes.type.thetaPerLayer === true ? attributes.fromFile("layer_rope_theta") : undefined;
  const value: unknown = Array.isArray(thetas?.value) ? thetas.value[layer ?? -1] : undefined;
  return thetas !== undefined && isFiniteNumber(value) ? { ...thetas, value } : undefined;
}

function rejectTheta(
  attributes: ConfigAttributes,
  theta: Sourced<number> | undefined,
  fallback: Sourced<number>,
): Sourced<number> {
  if (theta !== undefined) attributes.reportWrongType(theta, l10n.t("a positive number"));
  return fallback;
}

/** Rotated dimensions of a head: int(head_dim · partial_rotary_factor) where the code honours the fraction. */
function setRotaryDims(
  attributes: ConfigAttributes,
  stack: StackType,
  builder: SpecBuilder,
  rope: RopeDictionary,
  type: string,
): void {
  const head = builder.get("head_dim");
  if (typeof head !== "number") {
    attributes.reportMissing(...HEAD_SIZE_KEYS.filter((key) => !attributes.section?.has(key)));
    return;
  }
  const rotary =
    stack.parameterKeys?.rotary_dim === "rotary_dim" || attributes.type.remoteCode !== undefined
      ? attributes.valueOrDefault("rotary_dim")
      : undefined;
  if (rotary !== undefined) {
    builder.set("rotary_dim", rotary).derive("partial_rotary_factor", rotary.value / head);
    return;
  }
  const partial = resolvePartialFactor(attributes, stack, rope);
  builder.set("partial_rotary_factor", partial);
  const honoured =
    !["default", "axial"].includes(type) ||
    attributes.type.honoursPartialFactor === true ||
    stack.partialFactor !== undefined ||
    attributes.confidence === "guess" ||
    isDeclaredFraction(attributes, partial);
  const share = honoured ? partial.value : 1;
  const dim = type === "proportional" ? 2 * Math.trunc((share * head) / 2) : Math.trunc(head * share);
  builder.derive("rotary_dim", dim);
}

/**
 * A fraction in the file, of a model whose code in transformers 5.18 rotates the whole head all the same. The function
 * for default frequencies that all models of version 4 share honours it.
 */
function isDeclaredFraction({ view }: ConfigAttributes, partial: Sourced<number>): boolean {
  if (partial.source !== "config" || partial.value === 1) return false;
  view.noteDifference();
  return view.isDeclared;
}

function resolvePartialFactor(attributes: ConfigAttributes, stack: StackType, rope: RopeDictionary): Sourced<number> {
  const whole = { value: 1, source: "default" as const };
  if (attributes.type.headDimIsRotated === true) return whole;
  if (stack.partialFactor !== undefined) return { value: stack.partialFactor, source: "default" };
  return rope.number("partial_rotary_factor") ?? whole;
}

function setScalingParams(
  attributes: ConfigAttributes,
  builder: SpecBuilder,
  rope: RopeDictionary,
  type: string,
): void {
  if (type === "default" || type === "axial") return;
  const lengths = ["yarn", "longrope", "llama3"].includes(type);
  const original = lengths ? rope.number("original_max_position_embeddings") : undefined;
  builder.set("original_max_position_embeddings", original);
  builder.set("factor", rope.number("factor") ?? deriveFactor(builder, type, attributes.type.defaultFactor));
  for (const key of SCALING_NUMBER_KEYS) builder.set(key, rope.number(key));
  for (const key of SCALING_LIST_KEYS) if (type === "longrope") builder.set(key, rope.numbers(key));
  if (type === "yarn") setYarnParams(attributes, builder, rope);
}

/** Without `factor`, YaRN and LongRoPE use the ratio of the lengths; proportional divides by 1. */
function deriveFactor(builder: SpecBuilder, type: string, fallback: number | undefined): Sourced | undefined {
  const longest = builder.get("max_position_embeddings");
  const original = builder.get("original_max_position_embeddings");
  if (type === "proportional") return { value: 1, source: "default" };
  if (type !== "yarn" && type !== "longrope")
    return fallback === undefined ? undefined : { value: fallback, source: "default" };
  if (typeof longest !== "number" || typeof original !== "number" || original <= 0) return undefined;
  return { value: longest / original, source: "derived" };
}

function setYarnParams(attributes: ConfigAttributes, builder: SpecBuilder, rope: RopeDictionary): void {
  if (builder.get("beta_fast") === null) builder.set("beta_fast", { value: 32, source: "default" });
  if (builder.get("beta_slow") === null) builder.set("beta_slow", { value: 1, source: "default" });
  builder.set("truncate", rope.boolean("truncate") ?? { value: true, source: "default" });
  if (attributes.type.appliesMscale !== true || !builder.get("mscale_all_dim")) return;
  const rotated = attributes.valueOrDefault("qk_rope_head_dim");
  const other = attributes.valueOrDefault("qk_nope_head_dim");
  builder.set("qk_nope_head_dim", other);
  if (rotated !== undefined && other !== undefined) builder.derive("qk_head_dim", rotated.value + other.value);
  builder.derive("yarn_apply_mscale", true);
}

function setMropeParams(attributes: ConfigAttributes, builder: SpecBuilder, rope: RopeDictionary): void {
  const written = rope.get("mrope_section");
  if (written !== undefined && isNumbers(written.value)) builder.set("mrope_section", written);
  else if (attributes.type.mropeSection !== undefined)
    builder.set("mrope_section", { value: attributes.type.mropeSection, source: "default" });
  builder.set("mrope_interleaved", { value: attributes.type.mropeInterleaved === true, source: "default" });
}
