import type { EncodingSpec, PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { SpecBuilder } from "../specBuilder.ts";
import models from "./data/torchtuneModels.json" with { type: "json" };
import type { Framework } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** Defaults of torchtune's model builders. The first whose name occurs in `_component_` counts. */
interface ModelFamily {
  readonly builder: string;
  readonly theta: number;
  readonly layout: PairLayout;
  /** Llama 3's factor. */
  readonly factor?: number;
  readonly highFrequency?: number;
  /** Every n-th layer has no RoPE. */
  readonly skipInterval?: number;
}

const MODEL_FAMILIES: readonly ModelFamily[] = [
  { builder: ".llama4", theta: 500_000, layout: "interleaved", factor: 16, highFrequency: 1, skipInterval: 4 },
  { builder: ".llama3_2_vision", theta: 500_000, layout: "interleaved", factor: 8 },
  { builder: ".llama3_2", theta: 500_000, layout: "interleaved", factor: 32 },
  { builder: ".llama3_1", theta: 500_000, layout: "interleaved", factor: 8 },
  { builder: ".llama3_3", theta: 500_000, layout: "interleaved", factor: 8 },
  { builder: ".llama3", theta: 500_000, layout: "interleaved" },
  { builder: ".llama2", theta: 10_000, layout: "interleaved" },
  { builder: ".code_llama2", theta: 1_000_000, layout: "interleaved" },
  { builder: ".mistral", theta: 10_000, layout: "interleaved" },
  { builder: ".gemma", theta: 10_000, layout: "interleaved" },
  { builder: ".qwen", theta: 1_000_000, layout: "half" },
  { builder: ".phi", theta: 10_000, layout: "half" },
];

const MODEL_SIZES: Readonly<Record<string, Readonly<Record<string, number>>>> = models;

/** torchtune's recipes: a builder's name selects the model, and arguments override the builder's defaults. */
export const torchtune: Framework = {
  format: "torchtune-yaml",
  reference:
    "pytorch/torchtune: torchtune/models/*/_model_builders.py, torchtune/models/*/_component_builders.py, torchtune/modules/position_embeddings.py",
  signs: ["_component_"],
  findModels: (root) => {
    const model = root.section("model");
    return model?.string("_component_")?.startsWith("torchtune.") === true ? [{ section: model }] : undefined;
  },
  keys: { rope_theta: ["rope_base"], factor: ["scale_factor", "rope_scale_factor"] },
  readModel: (model) => {
    const component = model.text("_component_") ?? "";
    const family = MODEL_FAMILIES.find(({ builder }) => component.includes(builder));
    return family === undefined ? [] : readFamily(model, family, component);
  },
};

function readFamily(model: FrameworkModel, family: ModelFamily, component: string): readonly EncodingSpec[] {
  const name = (component.split(".").at(-1) ?? "").replace(/^q?lora_/, "");
  const sizes = ownValue(MODEL_SIZES, name) ?? {};
  const size = (key: string) => model.number(key) ?? (sizes[key] === undefined ? undefined : defaultValue(sizes[key]));
  const builder = new SpecBuilder();
  const heads = size("num_heads");
  const width = size("embed_dim");
  builder.set("num_heads", heads).set("num_layers", size("num_layers")).set("num_kv_heads", size("num_kv_heads"));
  builder.set("max_position_embeddings", size("max_seq_len")).set("head_dim", size("head_dim"));
  if (builder.get("head_dim") === null && heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
  const unrotated = builder.copy();
  const factor = model.number("factor") ?? (family.factor === undefined ? undefined : defaultValue(family.factor));
  if (factor !== undefined)
    builder
      .derive("rope_type", "llama3")
      .set("factor", factor)
      .set("original_max_position_embeddings", defaultValue(8192))
      .set("low_freq_factor", defaultValue(1))
      .set("high_freq_factor", defaultValue(family.highFrequency ?? 4));
  model.setRotation(builder, family.layout);
  if (builder.get("rope_theta") === null) builder.set("rope_theta", defaultValue(family.theta));
  return splitSkipped(model, builder, unrotated, family.skipInterval);
}

function splitSkipped(
  model: FrameworkModel,
  builder: SpecBuilder,
  unrotated: SpecBuilder,
  interval: number | undefined,
): EncodingSpec[] {
  const count = builder.get("num_layers");
  if (interval === undefined || typeof count !== "number") return [model.build(builder, "rope")];
  const layers = Array.from({ length: Math.min(count, 1000) }, (_, layer) => layer);
  const isSkipped = (layer: number) => (layer + 1) % interval === 0;
  const rotated = model.build(
    builder,
    "rope",
    layers.filter((layer) => !isSkipped(layer)),
  );
  return [rotated, model.build(unrotated, "none", layers.filter(isSkipped))];
}
