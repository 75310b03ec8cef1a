import { type Framework, hasAny } from "./framework.ts";
import { defaultValue } from "./frameworkModel.ts";

/** stable-audio-tools: a diffusion Transformer below `model.diffusion`. */
export const stableAudio: Framework = {
  format: "stable-audio",
  reference:
    "Stability-AI/stable-audio-tools: stable_audio_tools/models/dit.py, stable_audio_tools/models/transformer.py (ContinuousTransformer, RotaryEmbedding)",
  signs: ["sample_size", "diffusion_cond", "continuous_transformer"],
  findModels: (root) => {
    const diffusion = root.section("model.diffusion");
    if (diffusion?.string("type") !== "dit" || !hasAny(root, "sample_size", "sample_rate")) return undefined;
    const config = diffusion.section("config");
    return config?.string("transformer_type") === "continuous_transformer" || config?.has("embed_dim") === true
      ? [{ section: config, where: "audio" }]
      : undefined;
  },
  keys: { num_layers: ["depth"], hidden_size: ["embed_dim"] },
  defaults: { hidden_size: 768, num_layers: 12, num_heads: 8, rope_theta: 10_000, rotary_pos_emb: true },
  readModel: (model) => {
    const builder = model.sizes();
    if (model.flag("use_sinusoidal_emb")) return [model.sinusoidal({}, builder)];
    if (!model.flag("rotary_pos_emb")) return [];
    model.setRotation(builder, "half");
    const head = builder.get("head_dim");
    if (typeof head !== "number" || head <= 0) return [];
    const rotated = Math.min(head, Math.max(Math.floor(head / 2), 32));
    builder.set("rotary_dim", defaultValue(rotated)).derive("partial_rotary_factor", rotated / head);
    return [model.build(builder, "rope")];
  },
};
