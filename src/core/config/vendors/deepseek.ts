import type { EncodingSpec } from "../../spec.ts";
import type { Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import type { Section } from "../text/section.ts";
import { paramsAttributes, readParamsSizes } from "./paramsFile.ts";

/** DeepSeek V3's own inference configuration (deepseek-ai/DeepSeek-V3, inference/model.py, ModelArgs). */
export function readDeepseekSpecs(section: Section, report: ReportProblem): { modelType: null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const fixed = (value: number): Sourced<number> => ({ value, source: "default" });
  const builder = readParamsSizes(attributes);
  const rope = attributes.valueOrDefault("qk_rope_head_dim") ?? fixed(64);
  const nope = attributes.valueOrDefault("qk_nope_head_dim") ?? fixed(128);
  const original = attributes.valueOrDefault("original_seq_len") ?? fixed(4096);
  const longest = attributes.valueOrDefault("max_seq_len") ?? fixed(4096 * 4);
  builder.set("head_dim", rope).set("partial_rotary_factor", fixed(1)).derive("rotary_dim", rope.value);
  builder.derive("layout", "interleaved").set("max_position_embeddings", longest);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta") ?? fixed(10_000));
  if (longest.value > original.value) {
    builder.derive("rope_type", "yarn").set("original_max_position_embeddings", original);
    builder.set("factor", attributes.valueOrDefault("rope_factor") ?? fixed(40));
    builder
      .set("beta_fast", attributes.valueOrDefault("beta_fast") ?? fixed(32))
      .set("beta_slow", attributes.valueOrDefault("beta_slow") ?? fixed(1));
    const mscale = attributes.valueOrDefault("mscale") ?? fixed(1);
    builder.set("mscale", mscale).set("mscale_all_dim", mscale).set("truncate", { value: true, source: "default" });
    builder
      .set("qk_nope_head_dim", nope)
      .derive("qk_head_dim", rope.value + nope.value)
      .derive("yarn_apply_mscale", true);
  } else builder.set("rope_type", { value: "default", source: "default" });
  return { modelType: null, specs: [builder.build("rope", "text", "all", "automatic")] };
}
