import type { EncodingSpec } from "../../spec.ts";
import { ConfigAttributes } from "../huggingface/attributes.ts";
import { readCommonParams } from "../huggingface/commonParams.ts";
import type { ReportProblem } from "../problems.ts";
import type { Section } from "../text/section.ts";

/** Reads configurations of the first releases of BERT, ALBERT and XLNet, from before Hugging Face's format. */
export function readOriginalBertSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: null; specs: EncodingSpec[] } {
  const attributes = new ConfigAttributes({
    section,
    type: { stacks: [] },
    typeName: undefined,
    confidence: "automatic",
    report,
  });
  const isXlnet = section.has("n_layer") && section.has("d_model");
  const builder = readCommonParams(attributes, { where: "text" }, undefined);
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
