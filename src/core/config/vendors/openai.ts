import type { EncodingSpec } from "../../spec.ts";
import type { Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { paramsAttributes } from "./paramsFile.ts";

/**
 * Reads the original `config.json` of gpt-oss (openai/gpt-oss, gpt_oss/torch/model.py): YaRN with unrounded bounds, and
 * a window in every second layer from layer 0 on.
 */
export function readOpenaiSpecs(section: Section, report: ReportProblem): { modelType: null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const fixed = (value: number | boolean): Sourced => ({ value, source: "default" });
  const builder = new SpecBuilder();
  const layers = attributes.valueOrDefault("num_hidden_layers");
  builder.set("num_heads", attributes.valueOrDefault("num_attention_heads")).set("num_layers", layers);
  builder.set("num_kv_heads", attributes.valueOrDefault("num_key_value_heads"));
  builder.set("head_dim", attributes.valueOrDefault("head_dim") ?? fixed(64));
  builder.set("partial_rotary_factor", fixed(1)).derive("rotary_dim", builder.get("head_dim")).derive("layout", "half");
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? fixed(150_000));
  const original = attributes.valueOrDefault("initial_context_length") ?? { value: 4096, source: "default" as const };
  const factor = attributes.valueOrDefault("rope_scaling_factor") ?? { value: 32, source: "default" as const };
  builder.derive("rope_type", "yarn").set("factor", factor).set("original_max_position_embeddings", original);
  builder.derive("max_position_embeddings", original.value * factor.value);
  builder.set("beta_fast", attributes.valueOrDefault("rope_ntk_beta") ?? fixed(32));
  builder.set("beta_slow", attributes.valueOrDefault("rope_ntk_alpha") ?? fixed(1));
  builder.set("truncate", fixed(false));
  const windowed = builder.copy().set("sliding_window", attributes.valueOrDefault("sliding_window"));
  const count = Math.min(layers?.value ?? 0, 1000);
  const every = (rest: number) => Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === rest);
  if (count < 2 || windowed.get("sliding_window") === null) {
    return { modelType: null, specs: [builder.build("rope", "text", "all", "automatic")] };
  }
  return {
    modelType: null,
    specs: [
      windowed.build("rope", "text", every(0), "automatic"),
      builder.build("rope", "text", every(1), "automatic"),
    ],
  };
}
