import type { EncodingSpec } from "../../spec.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { fixed, makerAttributes, setHeads, setPlainRope } from "./otherMakers.ts";

/** Defaults of `DiffusionTransformer` (stable_audio_tools/models/dit.py). */
const DEFAULTS = { embed_dim: 768, depth: 12, num_heads: 8, rotary_pos_emb: true };

/**
 * Reads a model file of Stability-AI/stable-audio-tools. Its diffusion transformer rotates half of each head, at least
 * 32 dimensions (models/transformer.py, ContinuousTransformer). Other backbones are convolutional and not read.
 */
export function readStableAudioSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: string | null; specs: EncodingSpec[] } {
  const modelType = section.string("model_type") ?? null;
  const diffusion = section.section("model.diffusion");
  if (diffusion?.string("type") !== "dit") return { modelType, specs: [] };
  const attributes = makerAttributes(diffusion.section("config"), DEFAULTS, report);
  const builder = new SpecBuilder();
  setHeads(builder, attributes.valueOrDefault("num_heads"), attributes.valueOrDefault("embed_dim"));
  builder.set("num_layers", attributes.valueOrDefault("depth"));
  const head = builder.get("head_dim");
  if (!attributes.flag("rotary_pos_emb"))
    return { modelType, specs: [builder.build("none", "audio", "all", "automatic")] };
  const rotaryDim = typeof head === "number" ? Math.max(Math.floor(head / 2), 32) : null;
  setPlainRope(builder, {
    theta: fixed(10_000),
    rotaryDim: { value: rotaryDim, source: "derived" },
    layout: "half",
  });
  return { modelType, specs: [builder.build("rope", "audio", "all", "automatic")] };
}
