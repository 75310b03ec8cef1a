import type { EncodingSpec } from "../../spec.ts";
import { Attributes } from "../huggingface/attributes.ts";
import { commonParams } from "../huggingface/commonParams.ts";
import type { ConfigProblem } from "../problems.ts";
import type { Section } from "../text/section.ts";

/** Configurations of the first releases of BERT, ALBERT and XLNet, before Hugging Face had a format. */
export function originalBertSpecs(
  section: Section,
  report: (problem: ConfigProblem) => void,
): { modelType: null; specs: EncodingSpec[] } {
  const attributes = new Attributes({ section, type: { e: [] }, typeName: null, confidence: "automatic", report });
  const isXlnet = section.has("n_layer") && section.has("d_model");
  const builder = commonParams(attributes, { w: "text" }, null);
  if (isXlnet) {
    builder
      .set("head_dim", attributes.valueOrDefault("d_head"))
      .set("clamp_len", attributes.valueOrDefault("clamp_len"));
    return { modelType: null, specs: [builder.build("transformer_xl", "text", "all", "automatic")] };
  }
  if (builder.get("max_position_embeddings") === null)
    builder.set("max_position_embeddings", { value: 512, source: "default" });
  builder.derive("usable_positions", builder.get("max_position_embeddings"));
  return { modelType: null, specs: [builder.build("learned_absolute", "text", "all", "automatic")] };
}
