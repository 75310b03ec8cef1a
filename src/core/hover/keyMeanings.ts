import type { Localized } from "../l10n/l10n.ts";

/**
 * Meaning of keys that are not parameters of an encoding, by parameter name or by key. Parameters of encodings are
 * explained in the encoding's schema and not repeated here.
 */
export const KEY_MEANINGS: Readonly<Record<string, Localized>> = {
  rope_scaling: {
    en: "Changes RoPE's frequencies for a longer context (the older form in transformers). If not empty, it replaces rope_parameters entirely.",
    zh: "为更长上下文修改 RoPE 频率的方式（transformers 旧写法）。非空时会完全取代 rope_parameters。",
  },
  rope_parameters: {
    en: "All RoPE parameters in transformers 5: the base, the scaling type and its values; for some models, one set per layer type.",
    zh: "transformers 5 中 RoPE 的全部参数：底数、缩放方式及其取值；部分模型按层类型分别给出。",
  },
  yarn: {
    en: "YaRN in Mistral's own format: beta is beta_fast, alpha is beta_slow.",
    zh: "Mistral 自有格式的 YaRN：beta 即 beta_fast，alpha 即 beta_slow。",
  },
  use_scaled_rope: {
    en: "Llama 3.1 scaling with the constants of Meta's code: factor 8, bounds 1 and 4, training context 8192.",
    zh: "使用 Meta 代码内置常数的 Llama 3.1 缩放：倍数 8，界限 1 与 4，训练上下文 8192。",
  },
  sliding_window: {
    en: "Number of keys that a query sees, including itself. Changes the mask, not the encoding.",
    zh: "每个查询可见的键数（含自身）。它改变掩码，不改变编码。",
  },
  use_sliding_window: {
    en: "Whether sliding_window is used.",
    zh: "是否真正启用 sliding_window。",
  },
  max_window_layers: {
    en: "Layers below this index have full attention; the others use the sliding window.",
    zh: "编号小于此值的层使用全注意力，从此层起才使用滑动窗口。",
  },
  sliding_window_pattern: {
    en: "Period of the layer pattern: one layer per period has full attention; the others use the sliding window.",
    zh: "每隔这么多层有一层使用全注意力，其余层使用滑动窗口。",
  },
  attention_chunk_size: {
    en: "Chunk length: queries see only keys in their own chunk of this many positions.",
    zh: "查询只能看到同一分块内的键，分块长度为此值。",
  },
  layer_types: {
    en: "Attention type of each layer. Layers of different types can have different bases, windows or no positions at all.",
    zh: "各层的注意力类型。不同类型的层可以有不同的底数、窗口，或完全没有位置编码。",
  },
  no_rope_layers: {
    en: "One number per layer. Despite the name, 1 means that the layer uses RoPE and 0 that it does not.",
    zh: "每层一个数。与名字相反，1 表示该层使用 RoPE，0 表示不使用。",
  },
  no_rope_layer_interval: {
    en: "Interval between layers without position encoding (NoPE).",
    zh: "每隔这么多层有一层没有位置编码（NoPE）。",
  },
  layer_rope_theta: {
    en: "Base for each layer; null or 0 means that the layer does not rotate.",
    zh: "每层各自的底数；null 或 0 表示该层不旋转。",
  },
  alibi: {
    en: "ALiBi: each head subtracts a penalty on distance, instead of a rotation or a table.",
    zh: "ALiBi：各头按距离减去惩罚，取代旋转或位置表。",
  },
  position_embedding_type: {
    en: "Type of position encoding. In transformers 5, the BERT family no longer reads it and always uses the absolute table.",
    zh: "指定位置编码的种类。transformers 5 中 BERT 一族不再读取此键，始终使用绝对位置表。",
  },
  num_kv_heads: {
    en: "Number of key-value heads; groups of query heads share one. Positions are the same in each.",
    zh: "键与值的头数，若干查询头共用一个。各头的位置编码相同。",
  },
  num_layers: {
    en: "Number of layers. RoPE and ALiBi act in every layer, tables only once, at the input.",
    zh: "层数。RoPE 与 ALiBi 在每层起作用，位置表只在输入处加一次。",
  },
  max_position_embeddings: {
    en: "Maximum context that the model is configured for.",
    zh: "模型配置的最大上下文长度。",
  },
  original_max_position_embeddings: {
    en: "Training context before scaling.",
    zh: "缩放之前的训练上下文。",
  },
  partial_rotary_factor: {
    en: "Fraction of the head that rotates; the rest carries no position.",
    zh: "每个头中参与旋转的比例；其余维度不带位置信息。",
  },
  qk_nope_head_dim: {
    en: "Number of query and key dimensions that do not rotate (latent attention).",
    zh: "查询与键中不旋转的维数（潜在注意力 MLA）。",
  },
  llama_4_scaling_beta: {
    en: "Queries are scaled with their position i by 1 + β · ln(1 + ⌊i / training context⌋).",
    zh: "查询随位置 i 放大：1 + β · ln(1 + ⌊i / 训练上下文⌋)。",
  },
  attn_temperature_tuning: {
    en: "Queries of layers without RoPE are scaled with their position i by 1 + attn_scale · ln(1 + ⌊(i + 1) / floor_scale⌋).",
    zh: "无 RoPE 层的查询随位置 i 放大：1 + attn_scale · ln(1 + ⌊(i + 1) / floor_scale⌋)。",
  },
};
