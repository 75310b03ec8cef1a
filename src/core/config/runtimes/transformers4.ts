import type { ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { classicScaling, classicTheta, classicValue, IGNORES_PARAMETERS } from "./classic.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { is, type Read, type Runtime, refused, unknown } from "./runtime.ts";
import { asTransformers5, NO_LIMIT } from "./transformers5.ts";

/** Model types of 5.18 with RoPE that 4.57.6 has no class for. */
const NOT_YET: ReadonlySet<string> = new Set(
  "afmoe axk1 axk2 cohere2_moe cohere_compass_text cosmos3_edge_text cwm deepseek_ocr2_encoder deepseek_ocr2_text deepseek_v32 deepseek_v4 diffusion_gemma_text ernie4_5_vl_moe_text esmc esmfold2 eurobert exaone_moe gemma4_text gemma4_unified_text glm4_moe_lite glm_image_text glm_moe_dsa glm_ocr_text glmasr_encoder granite4_vision_text granite_swa granitemoe_swa gte higgs_audio_v2 hrm_text hunyuan_vl_text hy_v3 hy_v4 hyperclovax jais2 jina_embeddings_v3 laguna lasr_encoder lfm2_moe mellum mimo_v2_flash minicpm3 minimax_m2 minimax_m3_vl_text ministral3 mistral4 moonshine_streaming muse_glimmer_assistant muse_glimmer_text musicflamingo nanochat nemotron3_diarization_audio neomme nomic_bert olmo_hybrid openai_privacy_filter paddleocr_vl_text pe_audio_encoder pe_audio_video_encoder pe_video_encoder qwen3_5_moe_text qwen3_5_text qwen4_exp_text solar_open step3p5 t5gemma2_decoder t5gemma2_text timesfm2_5 voxtral_realtime_encoder voxtral_realtime_text youtu zaya".split(
    " ",
  ),
);

/** Classes of 4.57.6 that copy `type` over `rope_type`, so that the old name wins. */
const COPIES_TYPE: ReadonlySet<string> = new Set(
  "apertus arcee aria_text csm csm_depth_decoder_model deepseek_v2 deepseek_v3 dia_decoder dia_encoder diffllama doge ernie4_5 ernie4_5_moe flex_olmo glm4_moe glm4v_text gpt_neox gpt_neox_japanese gpt_oss llama longcat_flash olmoe persimmon phi qwen2 qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_moe qwen2_vl qwen2_vl_text qwen3 qwen3_moe qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen3_omni_moe_text seed_oss smollm3 stablelm starcoder2".split(
    " ",
  ),
);

/** Bases of 4.57.6's classes where 5.18's are others. */
const BASES: Readonly<Record<string, number>> = {
  cohere: 10_000,
  falcon_h1: 100_000,
  gemma3_text: 1_000_000,
  gemma3n_text: 1_000_000,
  kyutai_speech_to_text: 100_000,
  olmo3: 10_000,
  persimmon: 25_000,
  qwen3_vl_moe_text: 5_000_000,
  qwen3_vl_text: 5_000_000,
};
const SLIDING_BASES: Readonly<Record<string, number>> = { gemma3: 10_000, modernbert: 10_000 };

const NO_CLASS = { en: "4.57.6 has no class for this model type", zh: "4.57.6 没有此模型类型的类" };
const TYPE_WINS = { en: "type overwrites rope_type", zh: "type 会覆盖 rope_type" };
const TOP_ONLY = {
  en: "LongRoPE reads it at the top level, not in the dictionary",
  zh: "LongRoPE 只读文件顶层的值，不读字典里的",
};
const SHORTER = {
  en: "the tables have this width whether or not the model's code splits the head",
  zh: "无论模型代码是否拆分注意力头，表格都取此宽度",
};
const NO_TYPE = { en: "dictionary without a type: KeyError", zh: "字典没有类型：KeyError" };

/** The base that the class of 4.57.6 has when the file says none. */
export function defaultBase(file: RopeFile): ParamValue {
  const { s, t } = file.attributes.type;
  if (file.slides && SLIDING_BASES[s ?? ""] !== undefined) return SLIDING_BASES[s ?? ""] ?? null;
  if (s === "modernbert") return 160_000;
  return ownValue(BASES, file.modelType) ?? t ?? 10_000;
}

/** The type that 4.57.6 settles on: whether `type` or `rope_type` wins is a matter of the class. */
export function typeOf(file: RopeFile): Read {
  const dictionary = classicScaling(file);
  if (dictionary === undefined)
    return is("default", file.param("rope_type") === "default" || file.scaling ? null : IGNORES_PARAMETERS);
  const old = valueIn(dictionary, "type");
  const named = valueIn(dictionary, "rope_type");
  const copied = COPIES_TYPE.has(file.modelType) && old !== null;
  const type = copied ? old : (named ?? old);
  if (type === null) return refused(NO_TYPE);
  const disagree = old !== null && named !== null && old !== named;
  return is(meant(file, type), disagree && copied ? TYPE_WINS : null);
}

function meant(file: RopeFile, type: ParamValue): ParamValue {
  if (type === "mrope" && file.spec.encoding === "mrope") return "default";
  return file.attributes.type.s === "phi3" && (type === "su" || type === "yarn") ? "longrope" : type;
}

function original(file: RopeFile): Read {
  const type = typeOf(file).value;
  const longest = file.param("max_position_embeddings");
  const top = file.top("original_max_position_embeddings");
  if (type === "longrope") {
    const inside = valueIn(classicScaling(file), "original_max_position_embeddings");
    return is(top ?? longest, top === null && inside !== null ? TOP_ONLY : null);
  }
  const read = classicValue(file, "original_max_position_embeddings");
  return read.value === null && type === "yarn" ? is(longest) : read;
}

/** `partial_rotary_factor` at the top counts in every class; within `rope_parameters` in none. */
function rotaryDim(file: RopeFile): Read {
  const head = file.number("head_dim");
  const key = file.attributes.type.s === "gpt_neox" ? "rotary_pct" : "partial_rotary_factor";
  const written = file.top(key);
  if (head === null || file.isFixed) return is(file.param("rotary_dim"));
  const width = (share: number) => Math.trunc(head * share);
  if (typeof written === "number") {
    const own = width(written);
    return is(own, own === file.number("rotary_dim") ? null : SHORTER);
  }
  const inside = valueIn(file.parameters, "partial_rotary_factor");
  return inside === null ? is(file.param("rotary_dim")) : is(width(file.attributes.type.pd ?? 1), IGNORES_PARAMETERS);
}

function known(read: (file: RopeFile) => Read): (file: RopeFile) => Read {
  return (file) => (NOT_YET.has(file.modelType) ? unknown(NO_CLASS) : read(file));
}

export const transformers4: Runtime = {
  id: "transformers-4",
  name: "transformers 4.x",
  version: "4.57.6",
  source: "huggingface/transformers v4.57.6: src/transformers/modeling_rope_utils.py, models/*/configuration_*.py",
  reads: {
    rope_theta: known((file) => classicTheta(file, defaultBase(file))),
    rope_type: known(typeOf),
    factor: known((file) => classicValue(file, "factor")),
    original_max_position_embeddings: known(original),
    attention_factor: known((file) => classicValue(file, "attention_factor")),
    truncate: known((file) => {
      const read = classicValue(file, "truncate");
      return read.value === null ? is(typeOf(file).value === "yarn" ? true : null, read.note) : read;
    }),
    rotary_dim: known(rotaryDim),
    layout: known(asTransformers5("layout")),
    sliding_window: known(asTransformers5("sliding_window")),
    context: known((file) => is(file.param("max_position_embeddings"), NO_LIMIT)),
  },
};
