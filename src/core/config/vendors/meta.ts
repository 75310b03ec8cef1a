import type { EncodingSpec } from "../../spec.ts";
import { type ConfigAttributes, isStrings, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { paramsAttributes, readParamsSizes, setFullRotation } from "./paramsFile.ts";

/** Larger vocabularies belong to the Llama 3 family, whose code has another default base. */
const MIN_LLAMA3_VOCABULARY = 100_000;

/**
 * Reads `params.json` of Meta's Llama releases. The default base is 10000 for Llama 1 and 2, and 500000 in the code of
 * Llama 3; `use_scaled_rope` enables constants of the code (apply_scaling: 8, 1, 4, 8192).
 */
export function readMetaSpecs(section: Section, report: ReportProblem): { modelType: null; specs: EncodingSpec[] } {
  const attributes = paramsAttributes(section, report);
  const builder = readParamsSizes(attributes);
  setFullRotation(builder);
  setExecuTorchHead(attributes, builder);
  builder.set("rope_theta", attributes.valueOrDefault("rope_theta", "rope_freq_base") ?? defaultMetaTheta(attributes));
  builder.set("max_position_embeddings", attributes.valueOrDefault("max_seq_len"));
  setMetaScaling(attributes, builder);
  return { modelType: null, specs: readLayerTypes(attributes, builder) ?? splitRopeFreeLayers(attributes, builder) };
}

/** ExecuTorch's additions (examples/models/llama/model_args.py): Hugging Face's pair layout and partial rotation. */
function setExecuTorchHead(attributes: ConfigAttributes, builder: SpecBuilder): void {
  if (!attributes.flag("use_hf_rope")) return;
  builder.derive("layout", "half");
  const share = attributes.fromFile("partial_rotary_factor") && attributes.valueOrDefault("partial_rotary_factor");
  const head = builder.get("head_dim");
  if (share === undefined || typeof head !== "number") return;
  builder.set("partial_rotary_factor", share).derive("rotary_dim", Math.trunc(head * share.value));
}

const SLIDING_ATTENTION = "sliding_attention";

/** ExecuTorch's `layer_types`: sliding layers with their own base, and layers without attention. */
function readLayerTypes(attributes: ConfigAttributes, builder: SpecBuilder): EncodingSpec[] | undefined {
  const written = attributes.fromFile("layer_types")?.value;
  const count = builder.get("num_layers");
  if (!isStrings(written) || typeof count !== "number") return undefined;
  const layersOf = (is: (type: string) => boolean) =>
    written.slice(0, count).flatMap((type, i) => (is(type) ? [i] : []));
  const sliding = builder.copy().set("sliding_window", attributes.valueOrDefault("sliding_window"));
  const local = attributes.valueOrDefault("local_rope_theta");
  if (local !== undefined) sliding.set("rope_theta", local);
  const groups = [
    { own: builder, encoding: "rope", layers: layersOf((type) => type === "full_attention") },
    { own: sliding, encoding: "rope", layers: layersOf((type) => type === SLIDING_ATTENTION) },
    {
      own: readParamsSizes(attributes),
      encoding: "none",
      layers: layersOf((type) => type !== "full_attention" && type !== SLIDING_ATTENTION),
    },
  ] as const;
  return groups
    .filter(({ layers }) => layers.length > 0)
    .map(({ own, encoding, layers }) => own.build(encoding, "text", layers, "automatic"));
}

function defaultMetaTheta(attributes: ConfigAttributes): Sourced {
  const vocabulary = attributes.valueOrDefault("vocab_size")?.value ?? 0;
  const isLlama3 = vocabulary > MIN_LLAMA3_VOCABULARY || attributes.fromFile("use_scaled_rope") !== undefined;
  return { value: isLlama3 ? 500_000 : 10_000, source: "default" };
}

function setMetaScaling(attributes: ConfigAttributes, builder: SpecBuilder): void {
  const [short, long] = ["rope_scaling_short_factor", "rope_scaling_long_factor"].map((key) => attributes.numbers(key));
  if (short !== undefined && long !== undefined) {
    builder.derive("rope_type", "longrope").set("short_factor", short).set("long_factor", long);
    builder.set("max_position_embeddings", attributes.valueOrDefault("max_position_embeddings"));
    builder.set("original_max_position_embeddings", attributes.valueOrDefault("original_max_position_embeddings"));
    return;
  }
  if (!attributes.flag("use_scaled_rope")) {
    builder.set("rope_type", { value: "default", source: "default" });
    return;
  }
  const fixed = (value: number): Sourced => ({ value, source: "default" });
  builder.set("rope_type", { value: "llama3", source: "derived" });
  builder.set("factor", attributes.valueOrDefault("rope_scaling_factor", "rope_scale_factor") ?? fixed(8));
  builder.set("low_freq_factor", attributes.valueOrDefault("low_freq_factor") ?? fixed(1));
  builder.set("high_freq_factor", attributes.valueOrDefault("high_freq_factor") ?? fixed(4));
  builder.set("original_max_position_embeddings", attributes.valueOrDefault("old_context_len") ?? fixed(8192));
}

/** Llama 4: each `nope_layer_interval`-th layer has no RoPE. */
function splitRopeFreeLayers(attributes: ConfigAttributes, builder: SpecBuilder): EncodingSpec[] {
  const interval = attributes.valueOrDefault("nope_layer_interval", "no_rope_layer_interval")?.value ?? 0;
  const count = builder.get("num_layers");
  if (interval < 1 || typeof count !== "number" || count > 1000)
    return [builder.build("rope", "text", "all", "automatic")];
  const all = Array.from({ length: count }, (_, i) => i);
  const nope = readParamsSizes(attributes);
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
