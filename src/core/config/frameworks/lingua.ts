import { type Framework, hasAll, hasAny } from "./framework.ts";

/** Meta's lingua: the `model` of a training file with its `dump_dir`. */
export const lingua: Framework = {
  format: "lingua-yaml",
  reference:
    "facebookresearch/lingua: lingua/transformer.py (BaseTransformerArgs, precompute_freqs_cis), apps/main/train.py",
  signs: ["dump_dir", "fsdp_type"],
  findModels: (root) => {
    const model = root.section("model");
    const isLingua = root.section("distributed")?.has("fsdp_type") === true || hasAll(root, "dump_dir", "optim");
    if (model === undefined || !isLingua || !hasAny(root, "optim", "checkpoint", "data")) return undefined;
    // State-space and recurrent models of the same repository.
    if (hasAny(model, "state_dim", "conv_size", "lru_dim_multiplier")) return [];
    return hasAll(model, "dim", "n_layers") && hasAny(model, "n_heads", "head_dim") ? [{ section: model }] : undefined;
  },
  keys: {
    num_heads: ["n_heads"],
    num_kv_heads: ["n_kv_heads"],
    num_layers: ["n_layers"],
    hidden_size: ["dim"],
    max_position_embeddings: ["^data.seq_len", "max_seqlen"],
  },
  defaults: { hidden_size: 512, num_layers: 8, max_position_embeddings: 1024, rope_theta: 10_000 },
  readModel: (model) => {
    const builder = model.sizes();
    const width = model.number("hidden_size");
    const head = builder.get("head_dim");
    if (builder.get("num_heads") === null && width !== undefined && typeof head === "number" && head > 0)
      builder
        .derive("num_heads", Math.floor(width.value / head))
        .derive("num_kv_heads", Math.floor(width.value / head));
    return [model.rope(builder, "interleaved")];
  },
};
