import { ConfigAttributes } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";

/** Attributes of a `params.json`: Meta's, Mistral's and DeepSeek's share the keys of heads, layers and width. */
export function paramsAttributes(section: Section, report: ReportProblem): ConfigAttributes {
  return new ConfigAttributes({ section, type: { stacks: [] }, typeName: undefined, confidence: "automatic", report });
}

/** Heads, layers and head size of a `params.json`. */
export function readParamsSizes(attributes: ConfigAttributes): SpecBuilder {
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

/** The whole head rotates in interleaved pairs (2k, 2k + 1), as in the complex-number code of these releases. */
export function setFullRotation(builder: SpecBuilder): void {
  builder.set("partial_rotary_factor", { value: 1, source: "default" });
  builder.derive("rotary_dim", builder.get("head_dim")).derive("layout", "interleaved");
}
