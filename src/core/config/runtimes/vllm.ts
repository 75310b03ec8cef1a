import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";
import { readAsTransformers5 } from "./transformers5.ts";

const TYPES_CONFLICT = {
  en: "raises ValueError: type and rope_type differ",
  zh: "抛出 ValueError：type 与 rope_type 不一致",
};
const ONLY_ATTN_FACTOR_PASSED = {
  en: "get_rope passes only attn_factor (early 2026); later releases are not verified",
  zh: "2026 年初的 get_rope 只传递 attn_factor；之后的版本未核实",
};
const CONTEXT_TIMES_FACTOR = {
  en: "default of --max-model-len: training context × factor",
  zh: "--max-model-len 的默认值：训练上下文 × 倍数",
};
const FRACTION_ALWAYS_HONOURED = {
  en: "get_rope applies the fraction whatever the type",
  zh: "get_rope 无论类型都采用该比例",
};

/** `type` and `rope_type` in one dictionary must agree, except for the two pairs that transformers itself writes. */
function readVllmRopeType(file: RopeFile): RuntimeRead {
  const dictionary = file.ropeScaling ?? file.ropeParameters;
  const old = valueIn(dictionary, "type");
  const named = valueIn(dictionary, "rope_type");
  const isKnownAlias = (old === "su" && named === "longrope") || (old === "mrope" && named === "default");
  if (old !== null && named !== null && old !== named && !isKnownAlias) return refused(TYPES_CONFLICT);
  return asRead(file.param("rope_type"));
}

/**
 * vLLM multiplies the length for all types except Llama 3's and LongRoPE's; YaRN starts from the original length.
 */
function readVllmContext(file: RopeFile): RuntimeRead {
  const type = file.param("rope_type");
  const longest = file.number("max_position_embeddings");
  const factor = file.number("factor") ?? 1;
  const isUnscaled = type === "llama3" || type === "longrope" || file.facts.vllm?.ignoresFactorInContext === true;
  if (longest === null || isUnscaled) return asRead(longest);
  const from = type === "yarn" ? (file.number("original_max_position_embeddings") ?? longest) : longest;
  return asRead(Math.trunc(from * factor), factor === 1 ? null : CONTEXT_TIMES_FACTOR);
}

function readVllmRotaryDim(file: RopeFile): RuntimeRead {
  const head = file.number("head_dim");
  const share = file.number("partial_rotary_factor");
  if (head === null || share === null || file.param("rope_type") === "proportional" || file.hasFixedTheta)
    return asRead(file.param("rotary_dim"));
  const width = Math.trunc(head * share);
  return asRead(width, width === file.number("rotary_dim") ? null : FRACTION_ALWAYS_HONOURED);
}

export const vllm: Runtime = {
  id: "vllm",
  name: "vLLM",
  version: "0.24+",
  source:
    "vllm-project/vllm: vllm/transformers_utils/config.py (0036026), vllm/model_executor/layers/rotary_embedding/__init__.py (926c71f), vllm/config/model.py",
  reads: {
    rope_theta: readAsTransformers5("rope_theta"),
    rope_type: readVllmRopeType,
    factor: readAsTransformers5("factor"),
    original_max_position_embeddings: readAsTransformers5("original_max_position_embeddings"),
    attention_factor: (file) =>
      file.param("attention_factor") === null ? asRead(null) : unknown(ONLY_ATTN_FACTOR_PASSED),
    truncate: readAsTransformers5("truncate"),
    rotary_dim: readVllmRotaryDim,
    context: readVllmContext,
  },
};
