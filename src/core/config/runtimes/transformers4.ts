import type { ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { IGNORES_ROPE_PARAMETERS, legacyScaling, readLegacyTheta, readLegacyValue } from "./classic.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";
import { NOT_A_LIMIT, readAsTransformers5 } from "./transformers5.ts";

/** Model types with RoPE in 5.18 that 4.57.6 has no class for. */
const ADDED_AFTER_VERSION_4: ReadonlySet<string> = new Set(
  "afmoe axk1 axk2 cohere2_moe cohere_compass_text cosmos3_edge_text cwm deepseek_ocr2_encoder deepseek_ocr2_text deepseek_v32 deepseek_v4 diffusion_gemma_text ernie4_5_vl_moe_text esmc esmfold2 eurobert exaone_moe gemma4_text gemma4_unified_text glm4_moe_lite glm_image_text glm_moe_dsa glm_ocr_text glmasr_encoder granite4_vision_text granite_swa granitemoe_swa gte higgs_audio_v2 hrm_text hunyuan_vl_text hy_v3 hy_v4 hyperclovax jais2 jina_embeddings_v3 laguna lasr_encoder lfm2_moe mellum mimo_v2_flash minicpm3 minimax_m2 minimax_m3_vl_text ministral3 mistral4 moonshine_streaming muse_glimmer_assistant muse_glimmer_text musicflamingo nanochat nemotron3_diarization_audio neomme nomic_bert olmo_hybrid openai_privacy_filter paddleocr_vl_text pe_audio_encoder pe_audio_video_encoder pe_video_encoder qwen3_5_moe_text qwen3_5_text qwen4_exp_text solar_open step3p5 t5gemma2_decoder t5gemma2_text timesfm2_5 voxtral_realtime_encoder voxtral_realtime_text youtu zaya".split(
    " ",
  ),
);

/** Classes of 4.57.6 that copy `type` to `rope_type`, so that the old name wins. */
const COPIES_TYPE_OVER_ROPE_TYPE: ReadonlySet<string> = new Set(
  "apertus arcee aria_text csm csm_depth_decoder_model deepseek_v2 deepseek_v3 dia_decoder dia_encoder diffllama doge ernie4_5 ernie4_5_moe flex_olmo glm4_moe glm4v_text gpt_neox gpt_neox_japanese gpt_oss llama longcat_flash olmoe persimmon phi qwen2 qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_moe qwen2_vl qwen2_vl_text qwen3 qwen3_moe qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen3_omni_moe_text seed_oss smollm3 stablelm starcoder2".split(
    " ",
  ),
);

/** Default bases of 4.57.6's classes where 5.18's differ. */
const VERSION_4_DEFAULT_THETAS: Readonly<Record<string, number>> = {
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
const VERSION_4_SLIDING_THETAS: Readonly<Record<string, number>> = { gemma3: 10_000, modernbert: 10_000 };

const NO_CLASS = { en: "4.57.6 has no class for this model type", zh: "4.57.6 没有此模型类型的类" };
const TYPE_WINS = { en: "type overwrites rope_type", zh: "type 会覆盖 rope_type" };
const LONGROPE_TOP_LEVEL_ONLY = {
  en: "LongRoPE reads it at the top level, not in the dictionary",
  zh: "LongRoPE 只读文件顶层的值，不读字典里的",
};
const TABLES_IGNORE_SPLIT = {
  en: "the tables have this width whether or not the model's code splits the head",
  zh: "无论模型代码是否拆分注意力头，表格都取此宽度",
};
const TYPE_MISSING = { en: "dictionary without a type: KeyError", zh: "字典没有类型：KeyError" };

/** Default base of the class in 4.57.6. */
export function defaultVersion4Theta(file: RopeFile): ParamValue {
  const { ropeConversion, defaultTheta } = file.attributes.type;
  if (file.usesWindow && VERSION_4_SLIDING_THETAS[ropeConversion ?? ""] !== undefined)
    return VERSION_4_SLIDING_THETAS[ropeConversion ?? ""] ?? null;
  if (ropeConversion === "modernbert") return 160_000;
  return ownValue(VERSION_4_DEFAULT_THETAS, file.modelType) ?? defaultTheta ?? 10_000;
}

/** The `rope_type` that 4.57.6 uses: whether `type` or `rope_type` wins depends on the class. */
export function readVersion4RopeType(file: RopeFile): RuntimeRead {
  const dictionary = legacyScaling(file);
  if (dictionary === undefined)
    return asRead(
      "default",
      file.param("rope_type") === "default" || file.ropeScaling ? null : IGNORES_ROPE_PARAMETERS,
    );
  const old = valueIn(dictionary, "type");
  const named = valueIn(dictionary, "rope_type");
  const copied = COPIES_TYPE_OVER_ROPE_TYPE.has(file.modelType) && old !== null;
  const type = copied ? old : (named ?? old);
  if (type === null) return refused(TYPE_MISSING);
  const disagree = old !== null && named !== null && old !== named;
  return asRead(resolveTypeAlias(file, type), disagree && copied ? TYPE_WINS : null);
}

function resolveTypeAlias(file: RopeFile, type: ParamValue): ParamValue {
  if (type === "mrope" && file.spec.encoding === "mrope") return "default";
  return file.attributes.type.ropeConversion === "phi3" && (type === "su" || type === "yarn") ? "longrope" : type;
}

function readVersion4OriginalLength(file: RopeFile): RuntimeRead {
  const type = readVersion4RopeType(file).value;
  const longest = file.param("max_position_embeddings");
  const top = file.topLevel("original_max_position_embeddings");
  if (type === "longrope") {
    const inside = valueIn(legacyScaling(file), "original_max_position_embeddings");
    return asRead(top ?? longest, top === null && inside !== null ? LONGROPE_TOP_LEVEL_ONLY : null);
  }
  const read = readLegacyValue(file, "original_max_position_embeddings");
  return read.value === null && type === "yarn" ? asRead(longest) : read;
}

/** All classes read `partial_rotary_factor` at the top level, none in `rope_parameters`. */
function readVersion4RotaryDim(file: RopeFile): RuntimeRead {
  const head = file.number("head_dim");
  const key = file.attributes.type.ropeConversion === "gpt_neox" ? "rotary_pct" : "partial_rotary_factor";
  const written = file.topLevel(key);
  if (head === null || file.hasFixedTheta) return asRead(file.param("rotary_dim"));
  const width = (share: number) => Math.trunc(head * share);
  if (typeof written === "number") {
    const own = width(written);
    return asRead(own, own === file.number("rotary_dim") ? null : TABLES_IGNORE_SPLIT);
  }
  const inside = valueIn(file.ropeParameters, "partial_rotary_factor");
  return inside === null
    ? asRead(file.param("rotary_dim"))
    : asRead(width(file.attributes.type.defaultPartialFactor ?? 1), IGNORES_ROPE_PARAMETERS);
}

function ifClassExists(read: (file: RopeFile) => RuntimeRead): (file: RopeFile) => RuntimeRead {
  return (file) => (ADDED_AFTER_VERSION_4.has(file.modelType) ? unknown(NO_CLASS) : read(file));
}

export const transformers4: Runtime = {
  id: "transformers-4",
  name: "transformers 4.x",
  version: "4.57.6",
  source: "huggingface/transformers v4.57.6: src/transformers/modeling_rope_utils.py, models/*/configuration_*.py",
  reads: {
    rope_theta: ifClassExists((file) => readLegacyTheta(file, defaultVersion4Theta(file))),
    rope_type: ifClassExists(readVersion4RopeType),
    factor: ifClassExists((file) => readLegacyValue(file, "factor")),
    original_max_position_embeddings: ifClassExists(readVersion4OriginalLength),
    attention_factor: ifClassExists((file) => readLegacyValue(file, "attention_factor")),
    truncate: ifClassExists((file) => {
      const read = readLegacyValue(file, "truncate");
      return read.value === null ? asRead(readVersion4RopeType(file).value === "yarn" ? true : null, read.note) : read;
    }),
    rotary_dim: ifClassExists(readVersion4RotaryDim),
    layout: ifClassExists(readAsTransformers5("layout")),
    sliding_window: ifClassExists(readAsTransformers5("sliding_window")),
    context: ifClassExists((file) => asRead(file.param("max_position_embeddings"), NOT_A_LIMIT)),
  },
};
