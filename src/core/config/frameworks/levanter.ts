import type { EncodingSpec } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import classes from "./data/levanterClasses.json" with { type: "json" };
import { type Framework, hasAny } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** Defaults of levanter's model classes, by `type`; a class without RoPE has a learned table. */
interface ModelClass {
  readonly length: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly kvHeads?: number;
  readonly headDim?: number;
  readonly theta?: number;
}

const CLASSES: ReadonlyMap<string, ModelClass> = new Map(Object.entries(classes));

/** levanter: the `type` of a model selects its class, the `type` of its `rope` the scaling. */
export const levanter: Framework = {
  format: "levanter-yaml",
  reference: "stanford-crfm/levanter: src/levanter/models (llama.py, gpt2.py, …), src/levanter/layers/rotary.py",
  signs: ["hidden_dim", "gradient_checkpointing", "tensor_parallel_axes", "use_hf_model_config", "initialize_from_hf"],
  findModels: (root) => {
    const model = root.section("model");
    const isKnown = model !== undefined && (CLASSES.has(model.string("type") ?? "") || model.has("hidden_dim"));
    if (model === undefined || !isKnown || !model.has("type") || !hasAny(root, "trainer", "optimizer"))
      return undefined;
    if (!hasAny(model, "hidden_dim", "seq_len", "num_heads") && !hasAny(root, "data", "data_seed")) return undefined;
    // The configuration is that of a model on Hugging Face.
    return root.get("use_hf_model_config")?.value === true ? [] : [{ section: model }];
  },
  keys: {
    hidden_size: ["hidden_dim"],
    max_position_embeddings: ["max_seq_len", "seq_len"],
    rope_type: ["rope.type"],
    rope_theta: ["rope.theta"],
    factor: ["rope.factor"],
    low_freq_factor: ["rope.low_freq_factor"],
    high_freq_factor: ["rope.high_freq_factor"],
    beta_fast: ["rope.beta_fast"],
    beta_slow: ["rope.beta_slow"],
    mscale: ["rope.mscale"],
    original_max_position_embeddings: ["rope.original_max_position_embeddings"],
  },
  readModel: readLevanter,
};

function readLevanter(model: FrameworkModel): readonly EncodingSpec[] {
  const known = CLASSES.get(model.text("type") ?? "");
  if (known === undefined) {
    model.reportUnknown("type");
    return [];
  }
  const builder = model.sizes();
  const fill = (name: string, value: number | undefined) => {
    if (builder.get(name) === null && value !== undefined) builder.set(name, defaultValue(value));
  };
  fill("num_heads", known.heads);
  fill("num_layers", known.layers);
  fill("num_kv_heads", known.kvHeads ?? known.heads);
  if (known.kvHeads !== undefined && !model.isWritten("num_kv_heads"))
    builder.set("num_kv_heads", defaultValue(known.kvHeads));
  fill("max_position_embeddings", known.length);
  const width = model.number("hidden_size")?.value ?? known.width;
  fill("head_dim", known.headDim ?? Math.floor(width / Number(builder.get("num_heads"))));
  if (known.theta === undefined) return [model.learned(builder)];
  return readRope(model, builder);
}

/** Defaults of the classes of `rope`. */
const ROPE_DEFAULTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  default: { rope_theta: 10_000, factor: 1 },
  llama3: {
    rope_theta: 500_000,
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  },
  yarn: {
    rope_theta: 10_000,
    factor: 1,
    beta_fast: 32,
    beta_slow: 1,
    original_max_position_embeddings: 2048,
    mscale: 1,
  },
};

function readRope(model: FrameworkModel, builder: ReturnType<FrameworkModel["sizes"]>): readonly EncodingSpec[] {
  const type = model.text("rope_type") ?? "default";
  const defaults = ownValue(ROPE_DEFAULTS, type);
  if (defaults === undefined) {
    model.reportUnknown("rope_type");
    return [];
  }
  model.setRotation(builder, "half");
  for (const [name, value] of Object.entries(defaults)) {
    const found = model.number(name) ?? defaultValue(value);
    if (name !== "factor" || type !== "default") builder.set(name, found);
    else if (found.value !== 1) builder.derive("rope_type", "linear").set("factor", found);
  }
  if (type !== "default") builder.derive("rope_type", type);
  return [model.build(builder, "rope")];
}
