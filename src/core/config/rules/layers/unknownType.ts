import { isStrings } from "../../huggingface/attributes.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

/** transformers 5.18, configuration_utils.py: ALLOWED_ATTN_LAYER_TYPES and the older names that it translates. */
const KNOWN_LAYER_TYPES: ReadonlySet<string> = new Set([
  "full_attention",
  "sliding_attention",
  "chunked_attention",
  "window_attention",
  "indexed_attention",
  "compressed_sparse_attention",
  "heavily_compressed_attention",
  "minimax_m3_sparse",
  "conv",
  "moe",
  "mlp",
  "hybrid",
  "hybrid_sliding",
  "linear_attention",
  "mamba",
  "attention",
  "deepseek_sparse_attention",
  "qwen_sparse_attention",
  "recurrent",
]);

export const layersUnknownType: Rule = {
  id: "layers/unknown-type",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Unknown layer type", zh: "未知的层类型" },
  rationale: {
    en: "transformers accepts only certain names in layer_types and raises ValueError for any other.",
    zh: "transformers 只接受 layer_types 中的固定名称，其他名称会抛出 ValueError。",
  },
  reference: "transformers/configuration_utils.py: ALLOWED_ATTN_LAYER_TYPES",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("layer_types");
    if (!isStrings(found?.value) || attributes.type.layerTypesNameBlocks === true) return [];
    const unknown = [...new Set(found.value.filter((type) => !KNOWN_LAYER_TYPES.has(type)))];
    if (unknown.length === 0) return [];
    return findingAt(found, { en: "unknown layer type: {0}", zh: "未知的层类型：{0}" }, { args: [unknown.join(", ")] });
  }),
};
