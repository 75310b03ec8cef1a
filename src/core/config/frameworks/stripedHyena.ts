import { isNumbers } from "../huggingface/attributes.ts";
import { type Framework, hasAll, hasAny } from "./framework.ts";

/** StripedHyena and Evo: RoPE in the few layers of attention, between Hyena's convolutions. */
export const stripedHyena: Framework = {
  format: "stripedhyena-yaml",
  reference:
    "togethercomputer/stripedhyena: stripedhyena/model.py (AttentionBlock), stripedhyena/positional_embeddings.py; evo-design/evo: evo/configs",
  signs: ["attn_layer_idxs", "hyena_layer_idxs"],
  findModels: (root) =>
    hasAny(root, "hyena_layer_idxs", "hcl_layer_idxs") && hasAll(root, "attn_layer_idxs", "hidden_size")
      ? [{ section: root }]
      : undefined,
  keys: {
    num_heads: ["num_attention_heads"],
    hidden_size: ["hidden_size"],
    max_position_embeddings: ["max_seqlen", "max_sequence_len"],
    rope_theta: ["rotary_emb_base"],
    factor: ["rotary_emb_scaling_factor"],
  },
  defaults: { rope_theta: 10_000, factor: 1 },
  readModel: (model) => {
    const builder = model.sizes();
    const heads = builder.get("num_heads");
    const groups = model.number("proj_groups");
    if (typeof heads === "number" && groups !== undefined && groups.value > 0)
      builder.derive("num_kv_heads", Math.floor(heads / groups.value));
    const layers = model.get("attn_layer_idxs")?.value;
    if (!isNumbers(layers)) return [];
    if (layers.length === 0) return [model.none()];
    if (model.flag("use_interpolated_rotary_pos_emb")) model.setLinear(builder);
    return [model.rope(builder, "half", [...layers])];
  },
};
