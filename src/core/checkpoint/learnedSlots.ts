import { numberOf, optionalNumber } from "../encodings/support/schema.ts";
import type { EncodingId, Params } from "../spec.ts";
import type { TensorInfo } from "./rangeReader.ts";

/** One array of an encoding's inputs, and the tensor that its numbers are in, row-major. */
export interface StoredArray {
  readonly input: string;
  readonly tensor: TensorInfo;
  /** Sides of the array where they are not the tensor's own: a leading 1 goes, a column of ones becomes a list. */
  readonly shape: readonly number[];
  /** The checkpoint counts its rows from the other end. */
  readonly reversed?: boolean;
}

/** What a checkpoint has of an encoding, under one name that a person can choose. */
export interface Found {
  readonly arrays: readonly StoredArray[];
  /** Parameters that follow from the shapes. */
  readonly params: Params;
}

/** Which tensors of a checkpoint are the learned arrays of an encoding. */
export interface Slot {
  readonly encoding: EncodingId;
  /** The tensor that stands for them all. */
  readonly pattern: RegExp;
  /** undefined where it cannot be this array. @param beside a tensor of this very name */
  read(tensor: TensorInfo, params: Params, beside: (name: string) => TensorInfo | undefined): Found | undefined;
}

/** Two sides, slowest first; a leading 1 goes (ViT keeps [1, rows, width]). */
function sides({ shape }: TensorInfo): readonly [rows: number, columns: number] | undefined {
  const [first, second, ...rest] = shape[0] === 1 && shape.length === 3 ? shape.slice(1) : shape;
  return first === undefined || second === undefined || rest.length > 0 ? undefined : [first, second];
}

function stored(input: string, tensor: TensorInfo | undefined): StoredArray[] {
  return tensor === undefined ? [] : [{ input, tensor, shape: tensor.shape }];
}

function matrix(input: string, tensor: TensorInfo): StoredArray | undefined {
  const shape = sides(tensor);
  return shape === undefined ? undefined : { input, tensor, shape };
}

const learnedAbsolute: Slot = {
  encoding: "learned_absolute",
  pattern: /(?:position_embeddings?|embed_positions|wpe|positions_embed|pos_embed|position_embds)(?:\.weight)?$/,
  read(tensor, params) {
    const table = matrix("position_embeddings", tensor);
    if (table === undefined) return undefined;
    const [rows = 0, columns = 0] = table.shape;
    const fits = columns % numberOf(params, "num_heads") === 0 ? {} : { num_heads: 1 };
    const length = rows - numberOf(params, "offset");
    return { arrays: [table], params: { hidden_size: columns, max_position_embeddings: length, ...fits } };
  },
};

const t5Bias: Slot = {
  encoding: "t5_bias",
  pattern: /relative_attention_bias(?:\.weight)?$/,
  read(tensor) {
    const table = matrix("relative_attention_bias", tensor);
    const [buckets = 0, heads = 0] = table?.shape ?? [];
    return table === undefined ? undefined : { arrays: [table], params: { num_buckets: buckets, num_heads: heads } };
  },
};

/** [(2h − 1)(2w − 1)][heads], with three more rows for BEiT's class token (transformers models/swin, models/beit). */
const swinBias: Slot = {
  encoding: "swin_bias",
  pattern: /relative_position_bias_table$/,
  read(tensor) {
    const [rows = 0, heads = 0] = sides(tensor) ?? [];
    for (const [variant, more] of [
      ["swin", 0],
      ["beit", 3],
    ] as const) {
      const side = Math.sqrt(rows - more);
      const size = (side + 1) / 2;
      if (!Number.isInteger(size)) continue;
      const params = { num_heads: heads, window_size: [size, size], variant };
      return { arrays: stored("relative_position_bias_table", tensor), params };
    }
    return undefined;
  },
};

/**
 * Wav2Vec2-BERT and Seamless have a row for each j − i from −left to right, as Shaw; the BERT family of transformers 4
 * for each i − j from 1 − n to n − 1 (modeling_bert: `position_ids_l - position_ids_r`).
 */
const shaw: Slot = {
  encoding: "shaw",
  pattern: /distance_embedding(?:\.weight)?$/,
  read(tensor, params) {
    const [rows = 0, dim = 0] = sides(tensor) ?? [];
    const reversed = /attention\.self\.distance_embedding/.test(tensor.name);
    const given = optionalNumber(params, "left_max_position_embeddings") ?? rows;
    // Both models look 64 back and 8 ahead, if nothing else is said.
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

/** Of layer 0: v1 has projections of its own for distances, v2 and v3 may take those of the content. */
const deberta: Slot = {
  encoding: "deberta",
  pattern: /rel_embeddings\.weight$/,
  read(tensor, params, beside) {
    const [rows = 0, hidden = 0] = sides(tensor) ?? [];
    const encoder = tensor.name.replace(/rel_embeddings\.weight$/, "");
    const own = (name: string) => beside(`${encoder}layer.0.attention.self.${name}`);
    const first = own("in_proj.weight") !== undefined;
    const names = first
      ? ["pos_proj", "pos_q_proj"]
      : ["query_proj", "key_proj", "pos_key_proj", "pos_query_proj"].filter((name) => own(`${name}.weight`));
    const arrays = names.flatMap((name) => [
      ...stored(name, own(`${name}.weight`)),
      ...stored(`${name}_bias`, own(`${name}.bias`)),
    ]);
    const norm = beside(`${encoder}LayerNorm.weight`);
    if (rows % 2 !== 0 || hidden % 64 !== 0 || arrays.length === 0) return undefined;
    const span = rows / 2;
    const bucketed = !first && numberOf(params, "position_buckets") > 0;
    return {
      arrays: [
        ...stored("rel_embeddings", tensor),
        ...arrays,
        ...stored("rel_layer_norm_weight", norm),
        ...stored("rel_layer_norm_bias", beside(`${encoder}LayerNorm.bias`)),
      ],
      params: {
        hidden_size: hidden,
        // Every published DeBERTa has heads of 64.
        num_heads: hidden / 64,
        version: first ? 1 : Math.max(2, numberOf(params, "version")),
        share_att_key: !first && own("pos_key_proj.weight") === undefined,
        norm_rel_ebd: norm === undefined ? "none" : "layer_norm",
        ...(bucketed ? { position_buckets: span } : { max_relative_positions: span, position_buckets: -1 }),
      },
    };
  },
};

const decomposedRelPos: Slot = {
  encoding: "decomposed_rel_pos",
  pattern: /rel_pos_h$/,
  read(tensor, _params, beside) {
    const across = beside(tensor.name.replace(/h$/, "w"));
    const [rows = 0, dim = 0] = sides(tensor) ?? [];
    const [columns = 0, width = 0] = across === undefined ? [] : (sides(across) ?? []);
    if (across === undefined || width !== dim || rows % 2 === 0 || columns % 2 === 0) return undefined;
    return {
      arrays: [...stored("rel_pos_h", tensor), ...stored("rel_pos_w", across)],
      params: { grid: [(rows + 1) / 2, (columns + 1) / 2], head_dim: dim },
    };
  },
};

const swinv2Cpb: Slot = {
  encoding: "swinv2_cpb",
  pattern: /(?:continuous_position_bias_mlp|cpb_mlp)\.0\.weight$/,
  read(tensor, _params, beside) {
    const [hidden = 0, axes = 0] = sides(tensor) ?? [];
    const second = beside(tensor.name.replace(/0\.weight$/, "2.weight"));
    const first = beside(tensor.name.replace(/weight$/, "bias"));
    const scale = beside(tensor.name.replace(/[^.]+\.0\.weight$/, "logit_scale"));
    const [heads = 0] = second?.shape ?? [];
    if (axes !== 2 || second === undefined || first === undefined || scale === undefined) return undefined;
    return {
      arrays: [
        ...stored("cpb_w1", tensor),
        ...stored("cpb_b1", first),
        ...stored("cpb_w2", second),
        { input: "logit_scale", tensor: scale, shape: [heads] },
      ],
      params: { cpb_hidden: hidden, num_heads: heads },
    };
  },
};

/** XLNet: r is [d_model][heads][head_dim], its three biases [heads][head_dim]. */
const transformerXl: Slot = {
  encoding: "transformer_xl",
  pattern: /rel_attn\.r$/,
  read(tensor, _params, beside) {
    const [model = 0, heads = 0, dim = 0] = tensor.shape;
    const biases = ["r_w_bias", "r_r_bias", "r_s_bias"].flatMap((name) =>
      stored(name, beside(tensor.name.replace(/r$/, name))),
    );
    if (dim === 0 || biases.length < 2) return undefined;
    return {
      arrays: [...stored("w_r", tensor), ...biases],
      params: { num_heads: heads, head_dim: dim, hidden_size: model, attn_type: "bi" },
    };
  },
};

export const SLOTS: readonly Slot[] = [
  learnedAbsolute,
  t5Bias,
  swinBias,
  shaw,
  deberta,
  decomposedRelPos,
  swinv2Cpb,
  transformerXl,
];
