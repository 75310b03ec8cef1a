import { ConfigAttributes, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";

/** Attributes of a file whose format decides the encoding, with the defaults of its maker's code. */
export function makerAttributes(
  section: Section | undefined,
  defaults: Readonly<Record<string, unknown>>,
  report: ReportProblem,
): ConfigAttributes {
  const type = { stacks: [], defaults };
  return new ConfigAttributes({ section, type, typeName: undefined, confidence: "automatic", report });
}

export function fixed<T>(value: T): Sourced<T> {
  return { value, source: "default" };
}

/** Rotation of `rotary_dim` dimensions of each head, without scaling. */
export function setPlainRope(
  builder: SpecBuilder,
  { theta, rotaryDim, layout }: { theta: Sourced<number>; rotaryDim: Sourced; layout: "half" | "interleaved" },
): void {
  const head = builder.get("head_dim");
  builder.set("rope_type", fixed("default")).set("rope_theta", theta).derive("layout", layout);
  builder.set("rotary_dim", rotaryDim);
  if (typeof head === "number" && head > 0 && typeof rotaryDim.value === "number")
    builder.derive("partial_rotary_factor", rotaryDim.value / head);
}

/** Heads, and the width of one that follows from the model's. */
export function setHeads(
  builder: SpecBuilder,
  heads: Sourced<number> | undefined,
  width: Sourced<number> | undefined,
): void {
  builder.set("num_heads", heads).set("num_kv_heads", heads && { value: heads.value, source: "derived" });
  if (heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
}
