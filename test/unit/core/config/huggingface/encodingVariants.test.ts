import { describe, expect, test } from "vitest";
import { modelTypeNames } from "../../../../../src/core/config/huggingface/modelTypes.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { specToJson } from "../../../../../src/core/config/report/specJson.ts";
import { encodingById } from "../../../../../src/core/encodings/index.ts";
import { checkParams, pickKnownParams, requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { EncodingSpec, Params } from "../../../../../src/core/spec.ts";

function read(config: Readonly<Record<string, unknown>>): readonly EncodingSpec[] {
  return readConfig(JSON.stringify(config)).specs;
}

/** The encoding's own parameters, completed, as the panel draws them. */
function drawn(config: Readonly<Record<string, unknown>>, encoding: string, where?: string): Params {
  const spec = read(config).find((one) => one.encoding === encoding && (where === undefined || one.where === where));
  const found = encodingById(encoding);
  if (spec === undefined || found === undefined) throw new Error(`no ${encoding}`);
  return requireParams(found, pickKnownParams(found, spec.params));
}

/** Model type → parameters in its code, with the class defaults (modelling files of transformers 5.18). */
const FAMILIES: readonly (readonly [string, string, Params])[] = [
  ["marian", "sinusoidal", { layout: "concat", frequency: "paper", padding_idx: null, embed_scale: "1" }],
  ["pegasus", "sinusoidal", { layout: "concat", frequency: "paper", padding_idx: null, embed_scale: "1" }],
  ["pegasus_x", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", embed_scale: "sqrt(embedding_dim)" }],
  ["m2m_100", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 1 }],
  ["nllb-moe", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 1 }],
  ["speech_to_text", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 1 }],
  ["fsmt", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 1 }],
  ["xglm", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 1 }],
  ["seamless_m4t", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: 0 }],
  ["musicgen_decoder", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: null }],
  ["whisper", "sinusoidal", { layout: "concat", frequency: "tensor2tensor", padding_idx: null, embed_scale: "1" }],
  ["fun_asr_nano_encoder", "sinusoidal", { frequency: "tensor2tensor", position_offset: 1 }],
  ["ctrl", "sinusoidal", { layout: "concat", frequency: "paper", embed_scale: "sqrt(embedding_dim)" }],
  ["informer", "sinusoidal", { layout: "concat", frequency: "paper" }],
  ["videomae", "sinusoidal", { layout: "interleaved", frequency: "paper" }],
  ["opt", "learned_absolute", { offset: 2, padding_idx: null, max_position_embeddings: 2048, usable_positions: 2048 }],
  ["bart", "learned_absolute", { offset: 2, padding_idx: null, max_position_embeddings: 1024 }],
  ["biogpt", "learned_absolute", { offset: 2 }],
  ["bert", "learned_absolute", { offset: 0, padding_idx: null }],
  ["xlm-roberta", "learned_absolute", { offset: 0, padding_idx: 1, usable_positions: 510 }],
  ["audio-spectrogram-transformer", "learned_absolute", { max_position_embeddings: 1214 }],
  ["sew-d", "deberta", { version: 2, position_buckets: 256, share_att_key: true, norm_rel_ebd: "layer_norm" }],
  ["mpnet", "t5_bias", { scale_scores: true, num_buckets: 32, max_distance: 128 }],
  ["layoutlmv3", "t5_bias", { scale_scores: true }],
  ["cpmant", "t5_bias", { scale_scores: true, num_buckets: 512, max_distance: 2048 }],
  ["t5", "t5_bias", { scale_scores: false }],
  ["bloom", "alibi", { variant: "bloom" }],
  ["mpt", "alibi", { variant: "mpt", alibi_bias_max: 8 }],
  ["pixtral", "axial_rope", { variant: "pixtral" }],
  ["dinov3_vit", "axial_rope", { variant: "dinov3" }],
  ["qwen2_vl_vision", "axial_rope", { variant: "qwen2_vl_vision" }],
];

describe("the variant of an encoding", () => {
  test.each(FAMILIES)("is read for %s: %s", (model_type, encoding, wanted) => {
    expect(drawn({ model_type }, encoding)).toMatchObject(wanted);
  });

  test("follows the flags of the file", () => {
    expect(drawn({ model_type: "marian", scale_embedding: true }, "sinusoidal").embed_scale).toBe(
      "sqrt(embedding_dim)",
    );
    expect(drawn({ model_type: "m2m_100", scale_embedding: false }, "sinusoidal").embed_scale).toBe("1");
    expect(drawn({ model_type: "distilbert", sinusoidal_pos_embds: true }, "sinusoidal").layout).toBe("interleaved");
    expect(drawn({ model_type: "falcon", alibi: true }, "alibi").variant).toBe("falcon");
    const baichuan = { model_type: "baichuan", hidden_size: 5120, num_attention_heads: 40, num_hidden_layers: 40 };
    expect(drawn(baichuan, "alibi").variant).toBe("bloom");
  });

  test("takes the first position from pad_token_id, with its place in the file", () => {
    const config = { model_type: "roberta", max_position_embeddings: 514, pad_token_id: 3 };
    expect(drawn(config, "learned_absolute")).toMatchObject({ padding_idx: 3, usable_positions: 510 });
    expect(read(config)[0]?.evidence.map(({ param }) => param)).toContain("padding_idx");
  });

  test("has DeBERTa's version, clipping, buckets, shared projections and norm of the distances", () => {
    const own = { relative_attention: true, pos_att_type: "c2p|p2c" };
    expect(drawn({ ...own, model_type: "deberta", share_att_key: true }, "deberta")).toMatchObject({
      version: 1,
      position_buckets: -1,
      share_att_key: false,
      max_relative_positions: -1,
      norm_rel_ebd: "none",
    });
    const third = { position_buckets: 256, share_att_key: true, norm_rel_ebd: "layer_norm" };
    expect(drawn({ ...own, ...third, model_type: "deberta-v2" }, "deberta")).toMatchObject({ version: 2, ...third });
    expect(drawn({ ...own, model_type: "deberta-v2", max_relative_positions: 99 }, "deberta")).toMatchObject({
      position_buckets: -1,
      share_att_key: false,
      max_relative_positions: 99,
    });
  });

  test("takes the number of a spectrogram table's rows from max_length", () => {
    const config = { model_type: "audio-spectrogram-transformer", max_length: 512 };
    expect(drawn(config, "learned_absolute").max_position_embeddings).toBe(12 * 50 + 2);
  });

  test("counts each run of HRM's stack as a layer, unless the file gives the number of layers", () => {
    expect(read({ model_type: "hrm_text", num_hidden_layers: 4 })[0]?.params.num_layers).toBe(32);
    const saved = { model_type: "hrm_text", num_hidden_layers: 32, num_layers_per_stack: 4 };
    expect(read(saved)[0]?.params.num_layers).toBe(32);
  });

  test("has `layout` at the top level of its JSON only for rotated pairs", () => {
    const [marian] = read({ model_type: "marian" }).map(specToJson);
    expect(marian).toMatchObject({ layout: null, params: { layout: "concat" } });
    const [llama] = read({ model_type: "llama" }).map(specToJson);
    expect(llama).toMatchObject({ layout: "half" });
    expect(llama?.params).not.toHaveProperty("layout");
  });
});

/** Classes whose defaults contradict each other (checkpoints override them), with the parameters that are not drawn. */
const CONTRADICTIONS: Readonly<Record<string, string>> = {
  // 4096 / 96 heads, half of it rotated: 21 dimensions. Checkpoints give head_dim 128.
  glm4_moe: "rotary_dim",
  glm4v_moe: "rotary_dim",
  glm4v_moe_text: "rotary_dim",
  // Sections for a half-rotated head, and no partial_rotary_factor. Checkpoints give 0.5.
  glm4v: "mrope_section",
  glm4v_text: "mrope_section",
  glm46v: "mrope_section",
  glmga: "mrope_section",
  // 2048 / 28 heads: 73 dimensions; the talker has sections of a head twice as long. Checkpoints give head_dim.
  qwen3_omni_moe: "rotary_dim|mrope_section",
  qwen3_omni_moe_thinker: "rotary_dim",
  qwen3_omni_moe_text: "rotary_dim",
  qwen3_omni_moe_talker_text: "mrope_section",
  // Sections for a quarter of the head; the default rotates all of it.
  qwen4_exp: "mrope_section",
  qwen4_exp_text: "mrope_section",
  // Two axes on alternating pairs, which M-RoPE's three sections cannot express.
  neomme: "mrope_section",
};

test.each(modelTypeNames())("the class defaults of %s give an encoding that can be computed", (model_type) => {
  const refused = new Set<string>();
  for (const spec of read({ model_type })) {
    const encoding = encodingById(spec.encoding);
    expect([spec.encoding, encoding?.id]).toEqual([spec.encoding, spec.encoding]);
    if (encoding === undefined) continue;
    for (const { param } of checkParams(encoding, pickKnownParams(encoding, spec.params)).problems) refused.add(param);
  }
  expect([...refused].join("|")).toBe(CONTRADICTIONS[model_type] ?? "");
});
