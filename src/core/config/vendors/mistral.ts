import type { EncodingSpec } from "../../spec.ts";
import { Attributes, type Sourced } from "../huggingface/attributes.ts";
import type { ConfigProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { paramsAttributes, paramsBuilder, wholeHead } from "./paramsFile.ts";

type Report = (problem: ConfigProblem) => void;

/** `params.json` of Mistral's own releases (mistral-inference, args.py; the YaRN block as vLLM translates it). */
export function mistralSpecs(section: Section, report: Report): { modelType: string | null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const builder = paramsBuilder(attributes);
  wholeHead(builder);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? missingTheta(attributes));
  builder.set("max_position_embeddings", attributes.valueOrDefault("max_position_embeddings", "max_seq_len"));
  builder.set("sliding_window", attributes.valueOrDefault("sliding_window"));
  yarn(section, attributes, builder, report);
  const text = builder.build("rope", "text", "all", "automatic");
  return { modelType: section.string("model_type") ?? null, specs: [text, ...visionSpecs(section, report)] };
}

/** Today's code takes 1e6; that of early 2024 took 1e4 with a sliding window: the file alone does not say. */
function missingTheta(attributes: Attributes): Sourced {
  const windowed = attributes.valueOrDefault("sliding_window") !== undefined;
  return { value: windowed ? 10_000 : 1_000_000, source: windowed ? "guess" : "default" };
}

function sub(section: Section, key: string, report: Report): Attributes | undefined {
  const inner = section.section(key);
  return inner === undefined ? undefined : paramsAttributes(inner, report);
}

/** beta is `beta_fast` and alpha `beta_slow`. */
function yarn(section: Section, attributes: Attributes, builder: SpecBuilder, report: Report): void {
  const block = sub(section, "yarn", report);
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
  builder.set("llama_4_scaling_beta", sub(section, "llama_4_scaling", report)?.valueOrDefault("beta"));
}

/** Pixtral's tower: RoPE over rows and columns of patches. */
function visionSpecs(section: Section, report: Report): EncodingSpec[] {
  const inner = section.section("vision_encoder");
  if (inner === undefined) return [];
  const attributes = new Attributes({
    section: inner,
    type: { e: [] },
    typeName: "pixtral",
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
  wholeHead(builder);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? { value: 10_000, source: "default" });
  builder.derive("rope_type", "axial");
  return [builder.build("axial_rope", "vision", "all", "automatic")];
}
