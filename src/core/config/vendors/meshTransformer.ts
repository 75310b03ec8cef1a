import type { EncodingSpec } from "../../spec.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { fixed, makerAttributes, setHeads, setPlainRope } from "./otherMakers.ts";

/**
 * Reads a training file of kingoflolz/mesh-transformer-jax. `pe` chooses the encoding (mesh_transformer/layers.py):
 * `fixed` is a learned table in spite of its name, `t5` a bias with 32 buckets up to 128.
 */
export function readMeshTransformerSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: null; specs: EncodingSpec[] } {
  const attributes = makerAttributes(section, { seq: 2048 }, report);
  const builder = new SpecBuilder();
  setHeads(builder, attributes.valueOrDefault("n_heads"), attributes.valueOrDefault("d_model"));
  builder.set("num_layers", attributes.valueOrDefault("layers"));
  const longest = attributes.valueOrDefault("seq");
  builder.set("max_position_embeddings", longest);
  const kind = section.string("pe");
  if (kind === "rotary") {
    const head = builder.get("head_dim");
    const rotaryDim = attributes.valueOrDefault("pe_rotary_dims") ?? { value: head, source: "default" as const };
    setPlainRope(builder, { theta: fixed(10_000), rotaryDim, layout: "interleaved" });
    return { modelType: null, specs: [builder.build("rope", "text", "all", "automatic")] };
  }
  if (kind === "fixed") {
    builder.set("usable_positions", longest);
    return { modelType: null, specs: [builder.build("learned_absolute", "text", "all", "automatic")] };
  }
  if (kind === "t5") {
    builder.set("num_buckets", fixed(32)).set("max_distance", fixed(128)).derive("bidirectional", false);
    return { modelType: null, specs: [builder.build("t5_bias", "text", "all", "automatic")] };
  }
  return { modelType: null, specs: [] };
}
