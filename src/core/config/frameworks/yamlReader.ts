import type { EncodingSpec } from "../../spec.ts";
import { Attributes, type Sourced } from "../huggingface/attributes.ts";
import type { ConfigProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";

export type Report = (problem: ConfigProblem) => void;

/** One training framework's configuration file. */
export interface YamlReader {
  matches(section: Section): boolean;
  read(section: Section, report: Report): EncodingSpec[];
}

export function attributesOf(section: Section | undefined, report: Report): Attributes {
  return new Attributes({ section, type: { e: [] }, typeName: null, confidence: "automatic", report });
}

export function fixed<T>(value: T): Sourced<T> {
  return { value, source: "default" };
}

/** Names under which a framework keeps heads, layers and sizes; the first that the file has counts. */
export interface SizeKeys {
  readonly heads: readonly string[];
  readonly keyValueHeads: readonly string[];
  readonly layers: readonly string[];
  readonly width: readonly string[];
  readonly headDim: readonly string[];
  readonly length: readonly string[];
}

export function sizes(attributes: Attributes, keys: SizeKeys): SpecBuilder {
  const builder = new SpecBuilder();
  const heads = attributes.valueOrDefault(...keys.heads);
  const width = attributes.valueOrDefault(...keys.width);
  const derived =
    heads === undefined || width === undefined || heads.value <= 0 ? undefined : Math.floor(width.value / heads.value);
  builder.set("num_heads", heads).set("num_layers", attributes.valueOrDefault(...keys.layers));
  builder.set(
    "head_dim",
    attributes.valueOrDefault(...keys.headDim) ??
      (derived === undefined ? undefined : { value: derived, source: "derived" }),
  );
  builder.set(
    "num_kv_heads",
    attributes.valueOrDefault(...keys.keyValueHeads) ?? (heads && { value: heads.value, source: "derived" }),
  );
  return builder.set("max_position_embeddings", attributes.valueOrDefault(...keys.length));
}

/** Fraction, rotary dimension and layout of a head that rotates in part. */
export function rotates(builder: SpecBuilder, fraction: Sourced<number>, layout: "half" | "interleaved"): SpecBuilder {
  const head = builder.get("head_dim");
  builder.set("partial_rotary_factor", fraction).derive("layout", layout);
  return typeof head === "number" ? builder.derive("rotary_dim", Math.trunc(head * fraction.value)) : builder;
}

export function hasAny(section: Section | undefined, ...keys: string[]): boolean {
  return keys.some((key) => section?.has(key) === true);
}

/** A learned table that ends where it ends. */
export function learned(builder: SpecBuilder): EncodingSpec {
  return builder
    .derive("usable_positions", builder.get("max_position_embeddings"))
    .build("learned_absolute", "text", "all", "automatic");
}
