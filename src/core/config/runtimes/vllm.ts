import { type RopeFile, valueIn } from "./ropeFile.ts";
import { is, type Read, type Runtime, refused, unknown } from "./runtime.ts";
import { asTransformers5 } from "./transformers5.ts";

const CONFLICT = {
  en: "raises ValueError: type and rope_type differ",
  zh: "抛出 ValueError：type 与 rope_type 不一致",
};
const ATTENTION = {
  en: "get_rope passes only attn_factor (early 2026); later releases are not verified",
  zh: "2026 年初的 get_rope 只传递 attn_factor；之后的版本未核实",
};
const REACHED = {
  en: "default of --max-model-len: training context × factor",
  zh: "--max-model-len 的默认值：训练上下文 × 倍数",
};
const HONOURED = {
  en: "get_rope applies the fraction whatever the type",
  zh: "get_rope 无论类型都采用该比例",
};

/** Both names in one dictionary must agree, but for the two pairs that transformers itself writes. */
function typeOf(file: RopeFile): Read {
  const dictionary = file.scaling ?? file.parameters;
  const old = valueIn(dictionary, "type");
  const named = valueIn(dictionary, "rope_type");
  const meant = (old === "su" && named === "longrope") || (old === "mrope" && named === "default");
  if (old !== null && named !== null && old !== named && !meant) return refused(CONFLICT);
  return is(file.param("rope_type"));
}

/** vLLM multiplies the length for every type but Llama 3's and LongRoPE's, from the original one with YaRN. Not Gemma 3's. */
function context(file: RopeFile): Read {
  const type = file.param("rope_type");
  const longest = file.number("max_position_embeddings");
  const factor = file.number("factor") ?? 1;
  if (longest === null || type === "llama3" || type === "longrope" || file.attributes.type.s === "gemma3")
    return is(longest);
  const from = type === "yarn" ? (file.number("original_max_position_embeddings") ?? longest) : longest;
  return is(Math.trunc(from * factor), factor === 1 ? null : REACHED);
}

function rotaryDim(file: RopeFile): Read {
  const head = file.number("head_dim");
  const share = file.number("partial_rotary_factor");
  if (head === null || share === null || file.param("rope_type") === "proportional" || file.isFixed)
    return is(file.param("rotary_dim"));
  const width = Math.trunc(head * share);
  return is(width, width === file.number("rotary_dim") ? null : HONOURED);
}

export const vllm: Runtime = {
  id: "vllm",
  name: "vLLM",
  version: "0.24+",
  source:
    "vllm-project/vllm: vllm/transformers_utils/config.py (0036026), vllm/model_executor/layers/rotary_embedding/__init__.py (926c71f), vllm/config/model.py",
  reads: {
    rope_theta: asTransformers5("rope_theta"),
    rope_type: typeOf,
    factor: asTransformers5("factor"),
    original_max_position_embeddings: asTransformers5("original_max_position_embeddings"),
    attention_factor: (file) => (file.param("attention_factor") === null ? is(null) : unknown(ATTENTION)),
    truncate: asTransformers5("truncate"),
    rotary_dim: rotaryDim,
    context,
  },
};
