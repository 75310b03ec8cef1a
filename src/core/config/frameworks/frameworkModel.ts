import * as l10n from "@vscode/l10n";
import type { Confidence, EncodingId, EncodingSpec, PairLayout } from "../../spec.ts";
import {
  ConfigAttributes,
  formatForMessage,
  isFiniteNumber,
  isNumbers,
  type Sourced,
} from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { isReference } from "../text/yamlReferences.ts";
import type { Framework, ModelPlace } from "./framework.ts";

/** A value that its framework's code would use. */
export function defaultValue<T>(value: T): Sourced<T> {
  return { value, source: "default" };
}

/** One model of a framework's file: values by parameter, from the file or the framework's defaults. */
export class FrameworkModel {
  readonly root: Section;
  readonly section: Section;
  readonly where: string;
  readonly #framework: Framework;
  readonly #isComplete: boolean;
  readonly #report: ReportProblem;
  readonly #unresolved = new Set<string>();

  constructor(framework: Framework, root: Section, place: ModelPlace, report: ReportProblem) {
    this.#framework = framework;
    this.root = root;
    this.section = place.section;
    this.where = place.where ?? "text";
    this.#isComplete = place.isComplete ?? true;
    this.#report = report;
  }

  /** A parameter's value, from the file or by default; undefined if the file refers to something outside of it. */
  get(param: string): Sourced | undefined {
    const found = this.#find(param);
    if (found === undefined) return this.#default(param);
    if (!isReference(found.value)) return found;
    this.#reportUnresolved(param, found);
    return undefined;
  }

  number(param: string): Sourced<number> | undefined {
    const found = this.get(param);
    if (found?.value === undefined || found.value === null) return numeric(this.#fallback(param));
    const value = numeric(found);
    if (value === undefined) this.#attributes().reportWrongType(found, l10n.t("a finite number"));
    return value ?? numeric(this.#default(param));
  }

  numbers(param: string): Sourced<readonly number[]> | undefined {
    const found = this.get(param);
    return found !== undefined && isNumbers(found.value) ? { ...found, value: found.value } : undefined;
  }

  /** The value as text; a switch counts as "true" or "false". */
  text(param: string): string | undefined {
    const value = this.get(param)?.value;
    return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
  }

  flag(param: string): boolean {
    const value = this.get(param)?.value;
    return value !== undefined && value !== null && value !== false && value !== 0 && value !== "" && value !== "false";
  }

  /** Whether the file has a value for it, null included. */
  isWritten(param: string): boolean {
    return this.#find(param) !== undefined;
  }

  /** Whether the file refers to a value that it does not have. */
  isUnresolved(param: string): boolean {
    this.get(param);
    return this.#unresolved.has(param);
  }

  /** The dictionary at a parameter's first key that has one. */
  dictionary(param: string): Section | undefined {
    for (const { section, key } of this.#places(param)) {
      const found = section.section(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Heads, layers, the width of a head and the length. */
  sizes(): SpecBuilder {
    const builder = new SpecBuilder();
    const heads = this.number("num_heads");
    builder.set("num_heads", heads).set("num_layers", this.number("num_layers"));
    builder.set("head_dim", this.#headDim(heads));
    builder.set("num_kv_heads", this.number("num_kv_heads") ?? (heads && { value: heads.value, source: "derived" }));
    builder.set("max_position_embeddings", this.number("max_position_embeddings"));
    return builder;
  }

  #headDim(heads: Sourced<number> | undefined): Sourced<number> | undefined {
    const own = this.number("head_dim");
    if (own !== undefined && own.value > 0) return own;
    const width = this.number("hidden_size");
    if (heads === undefined || width === undefined || heads.value <= 0) return undefined;
    return { value: Math.floor(width.value / heads.value), source: "derived" };
  }

  /** RoPE with the file's base and rotated fraction; a type that is already set stays. */
  rope(builder: SpecBuilder, layout: PairLayout, layers: EncodingSpec["layers"] = "all"): EncodingSpec {
    this.setRotation(builder, layout);
    return this.build(builder, "rope", layers);
  }

  /** Sets base, rotated fraction, rotary dimension and layout. */
  setRotation(builder: SpecBuilder, layout: PairLayout): SpecBuilder {
    builder.set("rope_theta", this.number("rope_theta")).derive("layout", layout);
    if (builder.get("rope_type") === null) builder.set("rope_type", defaultValue("default"));
    const head = builder.get("head_dim");
    const rotated = this.number("rotary_dim");
    if (rotated !== undefined && rotated.value > 0) {
      builder.set("rotary_dim", rotated);
      return typeof head === "number" && head > 0
        ? builder.derive("partial_rotary_factor", rotated.value / head)
        : builder;
    }
    const fraction = this.isUnresolved("partial_rotary_factor")
      ? undefined
      : (this.number("partial_rotary_factor") ?? defaultValue(1));
    builder.set("partial_rotary_factor", fraction);
    if (typeof head === "number" && fraction !== undefined)
      builder.derive("rotary_dim", 2 * Math.floor(Math.trunc(head * fraction.value) / 2));
    return builder;
  }

  /** Positions are divided by a factor that differs from 1. */
  setLinear(builder: SpecBuilder, factor = this.number("factor")): SpecBuilder {
    return factor === undefined || factor.value === 1
      ? builder
      : builder.derive("rope_type", "linear").set("factor", factor);
  }

  /** Llama 3's scaling, each value from the file or by the framework's defaults. */
  setLlama3(builder: SpecBuilder): SpecBuilder {
    builder.derive("rope_type", "llama3");
    for (const name of ["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"])
      builder.set(name, this.number(name));
    return builder;
  }

  setYarn(builder: SpecBuilder): SpecBuilder {
    builder.derive("rope_type", "yarn");
    for (const name of [
      "factor",
      "original_max_position_embeddings",
      "beta_fast",
      "beta_slow",
      "mscale",
      "mscale_all_dim",
      "attention_factor",
    ])
      builder.set(name, this.number(name));
    return builder;
  }

  /** A learned table, without positions beyond its last row. */
  learned(builder = this.sizes()): EncodingSpec {
    builder.derive("usable_positions", builder.get("max_position_embeddings"));
    return this.build(builder, "learned_absolute");
  }

  /** T5's buckets; a decoder's look back only. */
  t5Bias(bidirectional: boolean, builder = this.sizes()): EncodingSpec {
    builder.set("num_buckets", this.number("num_buckets")).set("max_distance", this.number("max_distance"));
    return this.build(builder.derive("bidirectional", bidirectional), "t5_bias");
  }

  alibi(builder = this.sizes()): EncodingSpec {
    return this.build(builder.set("alibi_bias_max", this.number("alibi_bias_max") ?? defaultValue(8)), "alibi");
  }

  /** A sinusoidal table; values of its own parameters under their names. */
  sinusoidal(variant: Readonly<Record<string, string | number>> = {}, builder = this.sizes()): EncodingSpec {
    for (const [name, value] of Object.entries(variant)) builder.derive(name, value);
    return this.build(builder, "sinusoidal");
  }

  none(layers: EncodingSpec["layers"] = "all"): EncodingSpec {
    return this.build(this.sizes(), "none", layers);
  }

  build(builder: SpecBuilder, encoding: EncodingId, layers: EncodingSpec["layers"] = "all"): EncodingSpec {
    const confidence: Confidence = this.#isComplete ? "automatic" : "guess";
    return builder.build(encoding, this.where, layers, confidence);
  }

  /** Reports a value that the framework's code does not know; nothing is concluded from it. */
  reportUnknown(param: string): void {
    const found = this.#find(param);
    if (found?.path === undefined || found.range === undefined || isReference(found.value)) return;
    this.#report({
      rule: "config/unknown-value",
      severity: "info",
      message: l10n.t("{0}: a value that Posenc does not know", formatForMessage(found.value)),
      path: found.path,
      range: found.range,
    });
  }

  #find(param: string): Sourced | undefined {
    for (const { section, key } of this.#places(param)) {
      const found = section.get(key);
      if (found === undefined) continue;
      return { ...found, source: "config" };
    }
    return undefined;
  }

  /** Dictionaries and keys at which the file may have a parameter, in the order of trial. */
  *#places(param: string): Generator<{ readonly section: Section; readonly key: string }> {
    const { keys, spellings = (key) => [key] } = this.#framework;
    for (const name of keys[param] ?? [param]) {
      const steps = name.replace(/^\^/, "").split(".");
      const last = steps.pop() ?? "";
      const start = name.startsWith("^") ? this.root : this.section;
      const section = steps.reduce<Section | undefined>((found, step) => found?.section(step), start);
      if (section !== undefined) for (const key of spellings(last)) yield { section, key };
    }
  }

  #default(param: string): Sourced | undefined {
    const { defaults } = this.#framework;
    return defaults !== undefined && Object.hasOwn(defaults, param) ? defaultValue(defaults[param]) : undefined;
  }

  /** The default of a key that is absent or null, but not of one that refers to something outside the file. */
  #fallback(param: string): Sourced | undefined {
    return this.#unresolved.has(param) ? undefined : this.#default(param);
  }

  #attributes(): ConfigAttributes {
    const { section } = this;
    return new ConfigAttributes({
      section,
      type: { stacks: [] },
      typeName: undefined,
      confidence: "automatic",
      report: this.#report,
    });
  }

  #reportUnresolved(param: string, { value, path, range }: Sourced): void {
    if (this.#unresolved.has(param) || path === undefined || range === undefined) return;
    this.#unresolved.add(param);
    this.#report({
      rule: "config/unresolved-reference",
      severity: "info",
      message: l10n.t("{0} is not defined in this file, so the value is unknown", formatForMessage(value)),
      path,
      range,
    });
  }
}

/** YAML 1.1, which the frameworks' loaders read, allows underscores within numbers. */
const NUMBER_WITH_UNDERSCORES = /^[-+]?\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?$/;

function numeric(found: Sourced | undefined): Sourced<number> | undefined {
  if (typeof found?.value === "string" && found.value.includes("_") && NUMBER_WITH_UNDERSCORES.test(found.value))
    return { ...found, value: Number(found.value.replaceAll("_", "")) };
  return found !== undefined && isFiniteNumber(found.value) ? { ...found, value: found.value } : undefined;
}
