import type { RopeFile } from "./ropeFile.ts";
import { asRead, type Runtime, type RuntimeRead, type RuntimeRowId } from "./runtime.ts";

/** A RoPE model's context is what it was trained for; its code could compute more positions. */
export const NOT_A_LIMIT = {
  en: "what the model declares; not a limit of the code",
  zh: "由模型声明，不是代码的上限",
};

/** transformers 5 is what this project computes, and the reference for the other runtimes. */
export function readAsTransformers5(row: RuntimeRowId): (file: RopeFile) => RuntimeRead {
  return (file) => asRead(file.param(row));
}

export const transformers5: Runtime = {
  id: "transformers-5",
  name: "transformers 5.x",
  version: "5.18.0",
  source: "huggingface/transformers: src/transformers/modeling_rope_utils.py",
  reads: {
    rope_theta: readAsTransformers5("rope_theta"),
    rope_type: readAsTransformers5("rope_type"),
    factor: readAsTransformers5("factor"),
    original_max_position_embeddings: readAsTransformers5("original_max_position_embeddings"),
    attention_factor: readAsTransformers5("attention_factor"),
    truncate: readAsTransformers5("truncate"),
    rotary_dim: readAsTransformers5("rotary_dim"),
    layout: readAsTransformers5("layout"),
    sliding_window: readAsTransformers5("sliding_window"),
    context: (file) => asRead(file.param("max_position_embeddings"), NOT_A_LIMIT),
  },
};
