import type { EncodingSpec } from "../../spec.ts";
import { ConfigAttributes, type Sourced } from "../huggingface/attributes.ts";
import type { IgnoreKey } from "../positionKeys/ignoredKey.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";

/** One training framework's configuration file. */
export interface YamlReader {
  matches(section: Section): boolean;
  /** @param ignore receives keys that are about positions and have no effect, with the reason */
  read(section: Section, report: ReportProblem, ignore: IgnoreKey): EncodingSpec[];
}

export function yamlAttributes(section: Section | undefined, report: ReportProblem): ConfigAttributes {
  return new ConfigAttributes({ section, type: { stacks: [] }, typeName: undefined, confidence: "automatic", report });
}

export function defaultValue<T>(value: T): Sourced<T> {
  return { value, source: "default" };
}

/** A framework's keys for heads, layers and sizes; the first one in the file counts. */
export interface SizeKeys {
  readonly heads: readonly string[];
  readonly keyValueHeads: readonly string[];
  readonly layers: readonly string[];
  readonly width: readonly string[];
  readonly headDim: readonly string[];
  readonly length: readonly string[];
}

export function readSizes(attributes: ConfigAttributes, keys: SizeKeys): SpecBuilder {
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

/** Sets the rotated fraction of a head, its rotary dimension and the pair layout. */
export function setPartialRotation(
  builder: SpecBuilder,
  fraction: Sourced<number>,
  layout: "half" | "interleaved",
): SpecBuilder {
  const head = builder.get("head_dim");
  builder.set("partial_rotary_factor", fraction).derive("layout", layout);
  return typeof head === "number" ? builder.derive("rotary_dim", Math.trunc(head * fraction.value)) : builder;
}

export function hasAny(section: Section | undefined, ...keys: string[]): boolean {
  return keys.some((key) => section?.has(key) === true);
}

/** A learned table without positions beyond its last row. */
export function buildLearnedTable(builder: SpecBuilder): EncodingSpec {
  return builder
    .derive("usable_positions", builder.get("max_position_embeddings"))
    .build("learned_absolute", "text", "all", "automatic");
}
