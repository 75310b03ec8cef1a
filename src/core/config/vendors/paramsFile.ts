import { Attributes } from "../huggingface/attributes.ts";
import type { ConfigProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";

/** Keys of `params.json`: Meta's, Mistral's and DeepSeek's say heads, layers and width alike. */
export function paramsAttributes(section: Section, report: (problem: ConfigProblem) => void): Attributes {
  return new Attributes({ section, type: { e: [] }, typeName: null, confidence: "automatic", report });
}

/** Heads, layers, head size of a `params.json`. */
export function paramsBuilder(attributes: Attributes): SpecBuilder {
  const builder = new SpecBuilder();
  const heads = attributes.valueOrDefault("n_heads");
  const width = attributes.valueOrDefault("dim");
  builder.set("num_heads", heads).set("num_layers", attributes.valueOrDefault("n_layers"));
  const derived =
    heads === undefined || width === undefined || heads.value <= 0 ? undefined : Math.floor(width.value / heads.value);
  builder.set(
    "head_dim",
    attributes.valueOrDefault("head_dim") ??
      (derived === undefined ? undefined : { value: derived, source: "derived" }),
  );
  builder.set(
    "num_kv_heads",
    attributes.valueOrDefault("n_kv_heads") ??
      (heads === undefined ? undefined : { value: heads.value, source: "derived" }),
  );
  return builder;
}

/** A whole head rotates in pairs (2k, 2k + 1): these files go with complex-number code. */
export function wholeHead(builder: SpecBuilder): void {
  builder.set("partial_rotary_factor", { value: 1, source: "default" });
  builder.derive("rotary_dim", builder.get("head_dim")).derive("layout", "interleaved");
}
