/** A valid config as text, with the keys that a test adds. */
export const config = (more: object = {}) =>
  JSON.stringify({
    model_type: "llama",
    hidden_size: 4096,
    num_attention_heads: 32,
    num_hidden_layers: 32,
    max_position_embeddings: 4096,
    rope_theta: 500000,
    ...more,
  });
/** A config whose two scaling types disagree, without an original length. */
export const wrong = config({ rope_scaling: { type: "linear", rope_type: "yarn", factor: 4 } });
