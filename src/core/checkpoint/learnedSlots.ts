import { getNumber, optionalNumber } from "../encodings/support/schema.ts";
import type { EncodingId, Params } from "../spec.ts";
import type { TensorInfo } from "./rangeReader.ts";

/** One input array of an encoding, and the tensor that stores it, row-major. */
export interface StoredArray {
  readonly input: string;
  readonly tensor: TensorInfo;
  /** Shape of the array where it differs from the tensor's: without a leading 1, or a list instead of a column. */
  readonly shape: readonly number[];
  /** The checkpoint stores the rows in reverse order. */
  readonly reversed?: boolean;
}

/** Learned arrays that a checkpoint has for an encoding, and the parameters that follow from their shapes. */
export interface SlotMatch {
  readonly arrays: readonly StoredArray[];
  readonly params: Params;
}

/** How the learned arrays of an encoding are found among a checkpoint's tensors. */
export interface LearnedSlot {
  readonly encoding: EncodingId;
  /** The tensor that the arrays are listed under. */
  readonly pattern: RegExp;
  /**
   * @param tensorNamed finds a tensor by its exact name
   * @returns undefined if the tensor cannot be this array
   */
  match(
    tensor: TensorInfo,
    params: Params,
    tensorNamed: (name: string) => TensorInfo | undefined,
  ): SlotMatch | undefined;
}

/** [rows, columns] of a tensor, without a leading 1 (ViT keeps [1, rows, width]). */
function matrixShape({ shape }: TensorInfo): readonly [rows: number, columns: number] | undefined {
  const [first, second, ...rest] = shape[0] === 1 && shape.length === 3 ? shape.slice(1) : shape;
  return first === undefined || second === undefined || rest.length > 0 ? undefined : [first, second];
}

function storedArrays(input: string, tensor: TensorInfo | undefined): StoredArray[] {
  return tensor === undefined ? [] : [{ input, tensor, shape: tensor.shape }];
}

function storedMatrix(input: string, tensor: TensorInfo): StoredArray | undefined {
  const shape = matrixShape(tensor);
  return shape === undefined ? undefined : { input, tensor, shape };
}

const learnedAbsoluteSlot: LearnedSlot = {
  encoding: "learned_absolute",
  pattern: /(?:position_embeddings?|embed_positions|wpe|positions_embed|pos_embed|position_embds)(?:\.weight)?$/,
  match(tensor, params) {
    const table = storedMatrix("position_embeddings", tensor);
    if (table === undefined) return undefined;
    const [rows = 0, columns = 0] = table.shape;
    const fits = columns % getNumber(params, "num_heads") === 0 ? {} : { num_heads: 1 };
    const length = rows - getNumber(params, "offset");
    return { arrays: [table], params: { hidden_size: columns, max_position_embeddings: length, ...fits } };
  },
};

const t5BiasSlot: LearnedSlot = {
  encoding: "t5_bias",
  pattern: /relative_attention_bias(?:\.weight)?$/,
  match(tensor) {
    const table = storedMatrix("relative_attention_bias", tensor);
    const [buckets = 0, heads = 0] = table?.shape ?? [];
    return table === undefined ? undefined : { arrays: [table], params: { num_buckets: buckets, num_heads: heads } };
  },
};

/** [(2h − 1)(2w − 1)][heads]; BEiT has three more rows for its class token (transformers models/swin, models/beit). */
const swinBiasSlot: LearnedSlot = {
  encoding: "swin_bias",
  pattern: /relative_position_bias_table$/,
  match(tensor) {
    const [rows = 0, heads = 0] = matrixShape(tensor) ?? [];
    for (const [variant, more] of [
      ["swin", 0],
      ["beit", 3],
    ] as const) {
      const side = Math.sqrt(rows - more);
      const size = (side + 1) / 2;
      if (!Number.isInteger(size)) continue;
      const params = { num_heads: heads, window_size: [size, size], variant };
      return { arrays: storedArrays("relative_position_bias_table", tensor), params };
    }
    return undefined;
  },
};

/**
 * Wav2Vec2-BERT and Seamless have a row for each j − i from −left to right, like Shaw; the BERT family of transformers
 * 4 has one for each i − j from 1 − n to n − 1 (modeling_bert: `position_ids_l - position_ids_r`).
 */
const shawSlot: LearnedSlot = {
  encoding: "shaw",
  pattern: /distance_embedding(?:\.weight)?$/,
  match(tensor, params) {
    const [rows = 0, dim = 0] = matrixShape(tensor) ?? [];
    const reversed = /attention\.self\.distance_embedding/.test(tensor.name);
    const given = optionalNumber(params, "left_max_position_embeddings") ?? rows;
    // By default both models look 64 positions back and 8 ahead, which makes 73 rows.
    const left = given < rows ? given : rows === 73 ? 64 : (rows - 1) / 2;
    if (!Number.isInteger(reversed ? (rows - 1) / 2 : left)) return undefined;
    const clip: Params = reversed
      ? {
          max_relative_position: (rows - 1) / 2,
          left_max_position_embeddings: null,
          right_max_position_embeddings: null,
        }
      : { left_max_position_embeddings: left, right_max_position_embeddings: rows - 1 - left };
    const type = params["position_embeddings_type"] ?? "relative_key";
    return {
      arrays: [{ input: "relative_keys", tensor, shape: [rows, dim], reversed }],
      params: { ...clip, head_dim: dim, variant: "shaw", position_embeddings_type: type },
    };
  },
};

/** Layer 0: version 1 has separate projections for distances; versions 2 and 3 may share those of the content. */
const debertaSlot: LearnedSlot = {
  encoding: "deberta",
  pattern: /rel_embeddings\.weight$/,
  match(tensor, params, tensorNamed) {
    const [rows = 0, hidden = 0] = matrixShape(tensor) ?? [];
    const encoder = tensor.name.replace(/rel_embeddings\.weight$/, "");
    const own = (name: string) => tensorNamed(`${encoder}layer.0.attention.self.${name}`);
    const first = own("in_proj.weight") !== undefined;
    const names = first
      ? ["pos_proj", "pos_q_proj"]
      : ["query_proj", "key_proj", "pos_key_proj", "pos_query_proj"].filter((name) => own(`${name}.weight`));
    const arrays = names.flatMap((name) => [
      ...storedArrays(name, own(`${name}.weight`)),
      ...storedArrays(`${name}_bias`, own(`${name}.bias`)),
    ]);
    const norm = tensorNamed(`${encoder}LayerNorm.weight`);
    if (rows % 2 !== 0 || hidden % 64 !== 0 || arrays.length === 0) return undefined;
    const span = rows / 2;
    const bucketed = !first && getNumber(params, "position_buckets") > 0;
    return {
      arrays: [
        ...storedArrays("rel_embeddings", tensor),
        ...arrays,
        ...storedArrays("rel_layer_norm_weight", norm),
        ...storedArrays("rel_layer_norm_bias", tensorNamed(`${encoder}LayerNorm.bias`)),
      ],
      params: {
        hidden_size: hidden,
        // Every published DeBERTa has heads of 64.
        num_heads: hidden / 64,
        version: first ? 1 : Math.max(2, getNumber(params, "version")),
        share_att_key: !first && own("pos_key_proj.weight") === undefined,
        norm_rel_ebd: norm === undefined ? "none" : "layer_norm",
        ...(bucketed ? { position_buckets: span } : { max_relative_positions: span, position_buckets: -1 }),
      },
    };
  },
};

const decomposedRelPosSlot: LearnedSlot = {
  encoding: "decomposed_rel_pos",
  pattern: /rel_pos_h$/,
  match(tensor, _params, tensorNamed) {
    const across = tensorNamed(tensor.name.replace(/h$/, "w"));
    const [rows = 0, dim = 0] = matrixShape(tensor) ?? [];
    const [columns = 0, width = 0] = across === undefined ? [] : (matrixShape(across) ?? []);
    if (across === undefined || width !== dim || rows % 2 === 0 || columns % 2 === 0) return undefined;
    return {
      arrays: [...storedArrays("rel_pos_h", tensor), ...storedArrays("rel_pos_w", across)],
      params: { grid: [(rows + 1) / 2, (columns + 1) / 2], head_dim: dim },
    };
  },
};

const swinv2CpbSlot: LearnedSlot = {
  encoding: "swinv2_cpb",
  pattern: /(?:continuous_position_bias_mlp|cpb_mlp)\.0\.weight$/,
  match(tensor, _params, tensorNamed) {
    const [hidden = 0, axes = 0] = matrixShape(tensor) ?? [];
    const second = tensorNamed(tensor.name.replace(/0\.weight$/, "2.weight"));
    const first = tensorNamed(tensor.name.replace(/weight$/, "bias"));
    const scale = tensorNamed(tensor.name.split(".").slice(0, -3).concat("logit_scale").join("."));
    const [heads = 0] = second?.shape ?? [];
    if (axes !== 2 || second === undefined || first === undefined || scale === undefined) return undefined;
    return {
      arrays: [
        ...storedArrays("cpb_w1", tensor),
        ...storedArrays("cpb_b1", first),
        ...storedArrays("cpb_w2", second),
        { input: "logit_scale", tensor: scale, shape: [heads] },
      ],
      params: { cpb_hidden: hidden, num_heads: heads },
    };
  },
};

/** XLNet: r is [d_model][heads][head_dim], its three biases [heads][head_dim]. */
const transformerXlSlot: LearnedSlot = {
  encoding: "transformer_xl",
  pattern: /rel_attn\.r$/,
  match(tensor, _params, tensorNamed) {
    const [model = 0, heads = 0, dim = 0] = tensor.shape;
    const biases = ["r_w_bias", "r_r_bias", "r_s_bias"].flatMap((name) =>
      storedArrays(name, tensorNamed(tensor.name.replace(/r$/, name))),
    );
    if (dim === 0 || biases.length < 2) return undefined;
    return {
      arrays: [...storedArrays("w_r", tensor), ...biases],
      params: { num_heads: heads, head_dim: dim, hidden_size: model, attn_type: "bi" },
    };
  },
};

export const LEARNED_SLOTS: readonly LearnedSlot[] = [
  learnedAbsoluteSlot,
  t5BiasSlot,
  swinBiasSlot,
  shawSlot,
  debertaSlot,
  decomposedRelPosSlot,
  swinv2CpbSlot,
  transformerXlSlot,
];
