import type { EncodingSpec } from "../../spec.ts";
import { ConfigAttributes, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { paramsAttributes, readParamsSizes, setFullRotation } from "./paramsFile.ts";

/** Reads `params.json` of Mistral's releases (mistral-inference, args.py; the YaRN block as vLLM translates it). */
export function readMistralSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: string | null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const builder = readParamsSizes(attributes);
  setFullRotation(builder);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? assumeTheta(attributes));
  builder.set("max_position_embeddings", attributes.valueOrDefault("max_position_embeddings", "max_seq_len"));
  builder.set("sliding_window", attributes.valueOrDefault("sliding_window"));
  setMistralYarn(section, attributes, builder, report);
  const text = builder.build("rope", "text", "all", "automatic");
  return { modelType: section.string("model_type") ?? null, specs: [text, ...readVisionSpecs(section, report)] };
}

/** Current code uses 1e6; that of early 2024 used 1e4 with a sliding window. The file does not tell which applies. */
function assumeTheta(attributes: ConfigAttributes): Sourced {
  const windowed = attributes.valueOrDefault("sliding_window") !== undefined;
  return { value: windowed ? 10_000 : 1_000_000, source: windowed ? "guess" : "default" };
}

function subAttributes(section: Section, key: string, report: ReportProblem): ConfigAttributes | undefined {
  const inner = section.section(key);
  return inner === undefined ? undefined : paramsAttributes(inner, report);
}

/** beta is `beta_fast` and alpha `beta_slow`. */
function setMistralYarn(
  section: Section,
  attributes: ConfigAttributes,
  builder: SpecBuilder,
  report: ReportProblem,
): void {
  const block = subAttributes(section, "yarn", report);
  builder.set("rope_type", {
    value: block === undefined ? "default" : "yarn",
    source: block === undefined ? "default" : "derived",
  });
  if (block === undefined) return;
  const longest = attributes.valueOrDefault("max_position_embeddings");
  builder.set("factor", block.valueOrDefault("factor"));
  builder.set(
    "original_max_position_embeddings",
    block.valueOrDefault("original_max_position_embeddings") ??
      (longest && { value: longest.value, source: "default" }),
  );
  builder.set("beta_fast", block.valueOrDefault("beta") ?? { value: 32, source: "default" });
  builder.set("beta_slow", block.valueOrDefault("alpha") ?? { value: 1, source: "default" });
  builder.set("mscale_all_dim", { value: 1, source: "default" });
  builder.set("mscale", { value: 1, source: "default" });
  builder.set("truncate", { value: true, source: "default" });
  builder.set("llama_4_scaling_beta", subAttributes(section, "llama_4_scaling", report)?.valueOrDefault("beta"));
}

/** Pixtral's tower: RoPE over rows and columns of patches. */
function readVisionSpecs(section: Section, report: ReportProblem): EncodingSpec[] {
  const inner = section.section("vision_encoder");
  if (inner === undefined) return [];
  const attributes = new ConfigAttributes({
    section: inner,
    type: { stacks: [] },
    typeName: undefined,
    confidence: "automatic",
    report,
  });
  const builder = new SpecBuilder();
  const heads = attributes.valueOrDefault("num_attention_heads");
  const width = attributes.valueOrDefault("hidden_size");
  builder.set("num_heads", heads).set("num_kv_heads", heads && { value: heads.value, source: "derived" });
  builder.set("num_layers", attributes.valueOrDefault("num_hidden_layers"));
  if (heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
  setFullRotation(builder);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? { value: 10_000, source: "default" });
  builder.derive("rope_type", "axial").set("variant", { value: "pixtral", source: "default" });
  return [builder.build("axial_rope", "vision", "all", "automatic")];
}
