import { isLibraryModule } from "../../patterns/calls.ts";
import type { Occurrence } from "../../symbols/module.ts";

/** Names that never denote an encoding. */
const STOP_WORDS = new Set(
  (
    "self cls shape size device dtype ndim dim_size hidden_states hidden_state x q k v xq xk xv query key value queries keys values " +
    "query_states key_states value_states query_layer key_layer value_layer attention_mask position_ids position_id positions position " +
    "input_ids config cfg args super torch np numpy jnp jax math tf mx nn F K ops keras float int to device_type register_buffer " +
    "requires_grad forward __init__ call __call__ setup build training dropout einops typing batch_size seq_len seq_length seqlen " +
    "max_seq_len max_position_embeddings num_heads n_heads embed_dim hidden_size offset type_as view reshape unsqueeze transpose " +
    "expand contiguous flatten eps hidden_dim d_model range len isinstance getattr hasattr print " +
    "Module Tensor Parameter Embedding Linear embedding_dim num_embeddings int64 int32 float32 float64 bfloat16 clone permute repeat " +
    "tensor array asarray astype cast detach axis persistent broadcast_to as_tensor type inputs input tokens length newaxis module new_zeros inputs_embeds full"
  ).split(" "),
);

/** Names that mean nothing by themselves, but may be assigned an encoding. */
const GENERIC_NAMES = new Set("cache mask bias weight scale output outputs out embeddings".split(" "));

export function isStopWord(name: string): boolean {
  return STOP_WORDS.has(name);
}

/** True for names without a hover, even inside an expression of an encoding. */
export function isUninformative(occurrence: Occurrence): boolean {
  const { name, kind, expr } = occurrence;
  if (STOP_WORDS.has(name) || GENERIC_NAMES.has(name) || kind === "import" || kind === "keyword") return true;
  return kind === "name" && expr !== null && isLibraryModule(expr);
}
