import type { RopeFile } from "./ropeFile.ts";
import { is, type Read, type RowId, type Runtime } from "./runtime.ts";

/** The limit of a rotary model is what it was trained for, not what its code can do. */
export const NO_LIMIT = {
  en: "what the model declares; not a limit of the code",
  zh: "由模型声明，不是代码的上限",
};

/** What this project computes everywhere else, and what the others are compared with. */
export function asTransformers5(row: RowId): (file: RopeFile) => Read {
  return (file) => is(file.param(row));
}

export const transformers5: Runtime = {
  id: "transformers-5",
  name: "transformers 5.x",
  version: "5.18.0",
  source: "huggingface/transformers: src/transformers/modeling_rope_utils.py",
  reads: {
    rope_theta: asTransformers5("rope_theta"),
    rope_type: asTransformers5("rope_type"),
    factor: asTransformers5("factor"),
    original_max_position_embeddings: asTransformers5("original_max_position_embeddings"),
    attention_factor: asTransformers5("attention_factor"),
    truncate: asTransformers5("truncate"),
    rotary_dim: asTransformers5("rotary_dim"),
    layout: asTransformers5("layout"),
    sliding_window: asTransformers5("sliding_window"),
    context: (file) => is(file.param("max_position_embeddings"), NO_LIMIT),
  },
};
