import { t } from "@vscode/l10n";
import type { EncodingSpec } from "../../../spec.ts";
import { ownValue } from "../../../util/ownValue.ts";
import type { SpecBuilder } from "../../specBuilder.ts";
import { type Attributes, isNumbers, type Sourced } from "../attributes.ts";
import { commonParams, type Side } from "../commonParams.ts";
import { type LayerKind, layerKinds, windowSize } from "../layers.ts";
import type { StackType } from "../modelTypes.ts";
import { setVariant } from "../variant.ts";
import { DictionaryReader } from "./dictionaryReader.ts";
import type { RopeParameters } from "./ropeDictionary.ts";
import { standardRope } from "./ropeParameters.ts";

/** Keys of `rope_parameters` that are handed on under their own names, numbers unless said otherwise. */
const NUMBER_KEYS = [
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
const LIST_KEYS = ["short_factor", "long_factor"] as const;

/** Other names that people write for a type that exists. transformers refuses them; a rule says so. */
const MEANT: Readonly<Record<string, string>> = {
  su: "longrope",
  mrope: "default",
  deepseek_yarn: "yarn",
  "ntk-aware": "ntk",
  "linear-ntk": "ntk",
  dynamic_ntk: "dynamic",
  "dynamic-ntk": "dynamic",
  none: "default",
};

/** What the size of a head follows from. */
const SIZE_KEYS = ["hidden_size", "num_attention_heads"] as const;

/** Model types whose attention multiplies the softmax scale by YaRN's m(factor, mscale_all_dim)². */
const APPLIES_MSCALE =
  /^(axk[12]|deepseek_v(2|3|32)|glm4_moe_lite|glm_moe_dsa|hy_v4|longcat_flash|minicpm3|mistral4|youtu)$/;

interface Group {
  readonly layers: number[];
  readonly spec: EncodingSpec;
}

/** Specs of a stack with rotary position embedding: one for each set of layers that differs. */
export function rotarySpecs(attributes: Attributes, stack: StackType, where: string, side: Side): EncodingSpec[] {
  const base = commonParams(attributes, stack, side);
  const count = base.get("num_layers");
  const kinds = layerKinds(attributes, typeof count === "number" ? count : null);
  const labels = [...new Set(kinds?.flatMap(({ type }) => (type === null ? [] : [type])) ?? [])];
  const standard = standardRope(attributes, labels);
  const build = (kind: LayerKind, layer: number | null) =>
    layerSpec(attributes, stack, where, base, kind, standard.of(kindLabel(attributes, kind)), layer);
  if (kinds === null) {
    const kind = { type: null, rotates: true, slides: attributes.type.wa === 1 || attributes.confidence === "guess" };
    return [build(kind, null)];
  }
  return grouped(kinds, build, attributes.type.N === "layer_theta");
}

/** DeepSeek V4 has a base for its window layers and one for the compressed ones, not one a layer type. */
function kindLabel(attributes: Attributes, kind: LayerKind): string | null {
  if (attributes.type.s !== "deepseek_v4") return kind.type;
  return kind.type === "sliding_attention" ? "main" : "compress";
}

function grouped(
  kinds: readonly LayerKind[],
  build: (kind: LayerKind, layer: number) => EncodingSpec,
  perLayer: boolean,
): EncodingSpec[] {
  const built = new Map<string, Group>();
  const groups = new Map<string, Group>();
  // Models have a hundred layers and two kinds of them: what is written out to be compared is written once a kind.
  const groupOf = (kind: LayerKind, i: number): Group => {
    const spec = build(kind, i);
    const key = JSON.stringify([spec.encoding, spec.params]);
    const group = groups.get(key) ?? { layers: [], spec };
    groups.set(key, group);
    return group;
  };
  kinds.forEach((kind, i) => {
    const kindKey = `${kind.type} ${kind.rotates} ${kind.slides} ${perLayer ? i : ""}`;
    const group = built.get(kindKey) ?? groupOf(kind, i);
    built.set(kindKey, group);
    group.layers.push(i);
  });
  const all = [...groups.values()];
  if (all.length === 1) return all.map(({ spec }) => ({ ...spec, layers: "all" }));
  return all.map(({ layers, spec }) => ({ ...spec, layers }));
}

function layerSpec(
  attributes: Attributes,
  stack: StackType,
  where: string,
  base: SpecBuilder,
  kind: LayerKind,
  rope: RopeParameters | null,
  layer: number | null,
): EncodingSpec {
  const builder = base.copy();
  if (kind.slides) builder.set("sliding_window", windowSize(attributes));
  if (kind.type === "chunked_attention")
    builder.set("attention_chunk_size", attributes.valueOrDefault("attention_chunk_size"));
  if (!kind.rotates || rope === null) return builder.build("none", where, "all", attributes.confidence);
  const own = perLayer(attributes, rope, layer);
  globalHead(attributes, kind, builder);
  ropeParams(attributes, stack, builder, own);
  return builder.build(stack.i ?? "rope", where, "all", attributes.confidence);
}

/** `layer_rope_theta`: a base for each layer. */
function perLayer(attributes: Attributes, rope: RopeParameters, layer: number | null): RopeParameters {
  if (attributes.type.N !== "layer_theta" || layer === null) return rope;
  const thetas = attributes.fromFile("layer_rope_theta");
  const theta: unknown = Array.isArray(thetas?.value) ? thetas.value[layer] : undefined;
  if (thetas === undefined || theta === undefined) return rope;
  return new Map([...rope, ["rope_theta", { ...thetas, value: theta }]]);
}

/** Gemma 4's full layers have wider heads, and may have fewer keys and values. */
function globalHead(attributes: Attributes, kind: LayerKind, builder: SpecBuilder): void {
  if (kind.type !== "full_attention" || !/^(gemma4|diffusion_gemma)/.test(attributes.typeName ?? "")) return;
  builder.set("head_dim", attributes.valueOrDefault("global_head_dim") ?? { value: 512, source: "default" });
  if (attributes.flag("attention_k_eq_v"))
    builder.set("num_kv_heads", attributes.valueOrDefault("num_global_key_value_heads"));
}

/** Writes the parameters of one standardised dictionary, checked, with what follows from them. */
function ropeParams(attributes: Attributes, stack: StackType, builder: SpecBuilder, rope: RopeParameters): void {
  // Code with a fixed base has no scaling either, whatever the file says.
  const reader = new DictionaryReader(attributes, stack.p?.constant === 1 ? new Map() : rope);
  const type = ropeType(reader);
  builder.set("rope_type", type);
  builder.set("layout", { value: layoutOf(attributes, stack), source: "derived" });
  builder.set("rope_theta", thetaOf(attributes, stack, reader));
  rotaryDims(attributes, stack, builder, reader, String(type.value));
  scalingParams(attributes, builder, reader, String(type.value));
  if (stack.i === "mrope") mropeParams(attributes, builder, rope);
  if (stack.i === "axial_rope") axialParams(attributes, builder);
  setVariant(attributes, stack, builder);
}

function ropeType(reader: DictionaryReader): Sourced {
  const found = reader.string("rope_type") ?? { value: "default", source: "default" as const };
  const meant = ownValue(MEANT, found.value);
  return meant === undefined ? found : { ...found, value: meant };
}

/** `rope_interleave` and `interleaved` switch where the class has such a key; else the code decides. */
function layoutOf(attributes: Attributes, stack: StackType): "half" | "interleaved" {
  if (stack.p?.interleave === 1) return attributes.flag("rope_interleave") ? "interleaved" : "half";
  return stack.l === 1 ? "interleaved" : "half";
}

function thetaOf(attributes: Attributes, stack: StackType, reader: DictionaryReader): Sourced<number> {
  const constant = { value: attributes.type.t ?? 10_000, source: "default" as const };
  if (stack.p?.constant === 1) return constant;
  if (typeof stack.p?.base === "string") return attributes.valueOrDefault(stack.p.base) ?? constant;
  const ratio = attributes.fromFile("rope_ratio") === undefined ? undefined : attributes.valueOrDefault("rope_ratio");
  if (ratio !== undefined) return { value: 10_000 * ratio.value, source: "derived" };
  const theta = reader.number("rope_theta");
  return theta === undefined || theta.value <= 0 ? nonPositive(attributes, theta, constant) : theta;
}

function nonPositive(
  attributes: Attributes,
  theta: Sourced<number> | undefined,
  fallback: Sourced<number>,
): Sourced<number> {
  if (theta !== undefined) attributes.wrongType(theta, t("a positive number"));
  return fallback;
}

/** How much of a head rotates, int(head_dim · partial_rotary_factor) where the code honours the fraction. */
function rotaryDims(
  attributes: Attributes,
  stack: StackType,
  builder: SpecBuilder,
  reader: DictionaryReader,
  type: string,
): void {
  const head = builder.get("head_dim");
  if (typeof head !== "number") {
    attributes.missing(...SIZE_KEYS.filter((key) => !attributes.section?.has(key)));
    return;
  }
  const rotary =
    stack.p?.rope_dim === "rotary_dim" || attributes.type.x === 1 ? attributes.valueOrDefault("rotary_dim") : undefined;
  if (rotary !== undefined) {
    builder.set("rotary_dim", rotary).derive("partial_rotary_factor", rotary.value / head);
    return;
  }
  const partial = fractionOf(attributes, reader);
  builder.set("partial_rotary_factor", partial);
  const honoured =
    !["default", "axial"].includes(type) ||
    attributes.type.p === 1 ||
    isChatGlm2(attributes) ||
    attributes.confidence === "guess";
  const share = honoured ? partial.value : 1;
  const dim = type === "proportional" ? 2 * Math.trunc((share * head) / 2) : Math.trunc(head * share);
  builder.derive("rotary_dim", dim);
}

/** From its second version on ChatGLM turns half of a head; the first turned all of it, by two positions. */
function isChatGlm2(attributes: Attributes): boolean {
  return attributes.typeName === "chatglm" && !attributes.flag("position_encoding_2d");
}

function fractionOf(attributes: Attributes, reader: DictionaryReader): Sourced<number> {
  const whole = { value: 1, source: "default" as const };
  // Latent attention: the head that counts here is the part that rotates.
  if (attributes.type.s === "mistral4" || attributes.type.s === "deepseek_v4") return whole;
  if (isChatGlm2(attributes)) return { value: 0.5, source: "default" };
  if (attributes.typeName === "qwen") return attributes.valueOrDefault("rotary_pct") ?? whole;
  return reader.number("partial_rotary_factor") ?? whole;
}

function scalingParams(attributes: Attributes, builder: SpecBuilder, reader: DictionaryReader, type: string): void {
  if (type === "default" || type === "axial") return;
  const lengths = ["yarn", "longrope", "llama3"].includes(type);
  const original = lengths ? reader.number("original_max_position_embeddings") : undefined;
  builder.set("original_max_position_embeddings", original);
  builder.set("factor", reader.number("factor") ?? impliedFactor(builder, type));
  for (const key of NUMBER_KEYS) builder.set(key, reader.number(key));
  for (const key of LIST_KEYS) if (type === "longrope") builder.set(key, reader.numbers(key));
  if (type === "yarn") yarnParams(attributes, builder, reader);
}

/** YaRN and LongRoPE take the ratio of the lengths; proportional divides by 1. */
function impliedFactor(builder: SpecBuilder, type: string): Sourced | undefined {
  const longest = builder.get("max_position_embeddings");
  const original = builder.get("original_max_position_embeddings");
  if (type === "proportional") return { value: 1, source: "default" };
  if (type !== "yarn" && type !== "longrope") return undefined;
  if (typeof longest !== "number" || typeof original !== "number" || original <= 0) return undefined;
  return { value: longest / original, source: "derived" };
}

function yarnParams(attributes: Attributes, builder: SpecBuilder, reader: DictionaryReader): void {
  if (builder.get("beta_fast") === null) builder.set("beta_fast", { value: 32, source: "default" });
  if (builder.get("beta_slow") === null) builder.set("beta_slow", { value: 1, source: "default" });
  builder.set("truncate", reader.boolean("truncate") ?? { value: true, source: "default" });
  if (!APPLIES_MSCALE.test(attributes.typeName ?? "") || !builder.get("mscale_all_dim")) return;
  const rope = attributes.valueOrDefault("qk_rope_head_dim");
  const nope = attributes.valueOrDefault("qk_nope_head_dim");
  builder.set("qk_nope_head_dim", nope);
  if (rope !== undefined && nope !== undefined) builder.derive("qk_head_dim", rope.value + nope.value);
  builder.derive("yarn_apply_mscale", true);
}

function mropeParams(attributes: Attributes, builder: SpecBuilder, rope: RopeParameters): void {
  const written = rope.get("mrope_section");
  if (written !== undefined && isNumbers(written.value)) builder.set("mrope_section", written);
  else if (attributes.type.ms !== undefined)
    builder.set("mrope_section", { value: attributes.type.ms, source: "default" });
  builder.set("mrope_interleaved", { value: attributes.type.mi === 1, source: "default" });
}

/** How the tower deals frequencies to rows and columns, for those that differ from Qwen2-VL's. */
const AXIAL_VARIANTS: Readonly<Record<string, string>> = {
  pixtral: "pixtral",
  gemma4_vision: "gemma4_vision",
  llama4_vision_model: "llama4_vision",
  dinov3_vit: "dinov3",
  eomt_dinov3: "dinov3",
};

function axialParams(attributes: Attributes, builder: SpecBuilder): void {
  if (builder.get("rope_type") === "default") builder.derive("rope_type", "axial");
  const variant = AXIAL_VARIANTS[attributes.typeName ?? ""];
  if (variant !== undefined) builder.derive("variant", variant);
}
