import type { EncodingSpec } from "../spec.ts";
import type { Attributes, Valued } from "./attributes.ts";
import { paramsAttributes, paramsBuilder, wholeHead } from "./paramsFile.ts";
import type { ConfigProblem } from "./problems.ts";
import type { Section } from "./section.ts";
import type { SpecBuilder } from "./specBuilder.ts";

/** From this vocabulary on a file is of the Llama 3 family, whose code has another default base. */
const LLAMA3_VOCABULARY = 100_000;

/**
 * `params.json` of Meta's Llama releases. The base is 10000 where the file has none in Llama 1 and 2, 500000 in the
 * code of Llama 3; `use_scaled_rope` stands for constants in the code (apply_scaling: 8, 1, 4, 8192).
 */
export function metaSpecs(
  section: Section,
  report: (problem: ConfigProblem) => void,
): { modelType: null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const builder = paramsBuilder(attributes);
  wholeHead(builder);
  builder.set("rope_theta", attributes.given("rope_theta", "rope_freq_base") ?? defaultTheta(attributes));
  builder.set("max_position_embeddings", attributes.given("max_seq_len"));
  scaling(attributes, builder);
  return { modelType: null, specs: withoutRope(attributes, builder) };
}

function defaultTheta(attributes: Attributes): Valued {
  const vocabulary = attributes.given("vocab_size")?.value ?? 0;
  const isLlama3 = vocabulary > LLAMA3_VOCABULARY || attributes.own("use_scaled_rope") !== undefined;
  return { value: isLlama3 ? 500_000 : 10_000, source: "default" };
}

function scaling(attributes: Attributes, builder: SpecBuilder): void {
  if (!attributes.flag("use_scaled_rope")) {
    builder.set("rope_type", { value: "default", source: "default" });
    return;
  }
  const fixed = (value: number): Valued => ({ value, source: "default" });
  builder.set("rope_type", { value: "llama3", source: "derived" });
  builder.set("factor", attributes.given("rope_scaling_factor", "rope_scale_factor") ?? fixed(8));
  builder.set("low_freq_factor", attributes.given("low_freq_factor") ?? fixed(1));
  builder.set("high_freq_factor", attributes.given("high_freq_factor") ?? fixed(4));
  builder.set("original_max_position_embeddings", attributes.given("old_context_len") ?? fixed(8192));
}

/** Llama 4: each `nope_layer_interval`-th layer is without RoPE. */
function withoutRope(attributes: Attributes, builder: SpecBuilder): EncodingSpec[] {
  const interval = attributes.given("nope_layer_interval", "no_rope_layer_interval")?.value ?? 0;
  const count = builder.get("num_layers");
  if (interval < 1 || typeof count !== "number" || count > 1000)
    return [builder.build("rope", "text", "all", "automatic")];
  const all = Array.from({ length: count }, (_, i) => i);
  const nope = paramsBuilder(attributes);
  return [
    builder.build(
      "rope",
      "text",
      all.filter((i) => (i + 1) % interval !== 0),
      "automatic",
    ),
    nope.build(
      "none",
      "text",
      all.filter((i) => (i + 1) % interval === 0),
      "automatic",
    ),
  ];
}
