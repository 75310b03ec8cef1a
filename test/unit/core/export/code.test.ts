import { describe, expect, it } from "vitest";
import { buildAttention, type Scene } from "../../../../src/core/encodings/encoding.ts";
import { ENCODINGS, encodingById } from "../../../../src/core/encodings/index.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { CODE_BY_ENCODING } from "../../../../src/core/export/code/families.ts";
import { exportPythonCode } from "../../../../src/core/export/code/program.ts";
import { type Library, translateToLibrary } from "../../../../src/core/export/code/python.ts";
import type { CodeExportRequest } from "../../../../src/core/export/code/request.ts";
import { goldenSnippet } from "../../../../src/core/export/golden.ts";
import type { Params } from "../../../../src/core/spec.ts";
import { createContent, onesContent } from "../../../../src/core/terms/content.ts";
import {
  factorRows,
  indexRange,
  logitMatrix,
  maskMatrix,
  termMatrix,
  weightMatrix,
} from "../../../../src/core/terms/engine.ts";
import type { Mask } from "../../../../src/core/terms/term.ts";
import { findPython, type PythonCase, runPython } from "../../support/python.ts";

interface Case {
  readonly name: string;
  readonly encoding: string;
  readonly params?: Params;
  readonly content?: CodeExportRequest["content"];
  readonly scene?: Partial<Scene>;
  readonly mask?: Mask;
  readonly sink?: number;
  readonly show?: CodeExportRequest["show"];
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
}

const SCORES: CodeExportRequest["show"] = { of: "logits", hidden: [] };
const LENGTH = 40;

function pastOf({ keyLength = LENGTH, queryLength = LENGTH }: Partial<Scene> = {}): number {
  return keyLength - queryLength;
}

function requestOf({ encoding: id, params: given = {}, content = "ones", ...more }: Case): CodeExportRequest {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`no encoding ${id}`);
  const params = requireParams(encoding, given);
  const scene: Scene = {
    queryLength: LENGTH,
    keyLength: LENGTH,
    shift: 0,
    head: 0,
    centre: 0,
    inputs: {},
    content: onesContent,
    ...more.scene,
    ...(content === "given" ? {} : { content: createContent(content, pastOf(more.scene)) }),
  };
  const attention = buildAttention(encoding, params, scene, more.mask ?? { causal: true }, more.sink);
  const [rowFrom, rowTo] = more.rows ?? [0, scene.queryLength];
  const [columnFrom, columnTo] = more.columns ?? [0, scene.keyLength];
  return {
    encoding,
    params,
    scene,
    attention,
    content,
    show: more.show ?? SCORES,
    rows: { from: rowFrom, to: rowTo },
    columns: { from: columnFrom, to: columnTo },
  };
}

/** What the float64 engine says. */
function engineValues({ attention, show, encoding, params, scene, ...spans }: CodeExportRequest): number[] {
  const rows = indexRange(spans.rows.from, spans.rows.to);
  const columns = indexRange(spans.columns.from, spans.columns.to);
  if (show.of === "weights") return [...weightMatrix(attention, rows, columns)];
  if (show.of === "table") {
    const table = encoding.positionTable?.(params, scene).rows;
    if (table === undefined) throw new Error("no table");
    const all = factorRows(table, rows);
    return rows.flatMap((_, r) => columns.map((c) => all[r * table.dim + c] ?? Number.NaN));
  }
  const values = cellValues(attention, show, rows, columns);
  const visible = maskMatrix(attention, rows, columns);
  return Array.from(values, (value, n) => (visible[n] === 1 ? value : Number.NEGATIVE_INFINITY));
}

function cellValues(
  attention: CodeExportRequest["attention"],
  show: CodeExportRequest["show"],
  rows: number[],
  columns: number[],
) {
  if (show.of === "logits") return logitMatrix(attention, rows, columns, show.hidden);
  const term = attention.terms.find((candidate) => show.of === "term" && candidate.id === show.id);
  if (term === undefined) throw new Error("no such term");
  return termMatrix(attention, term, rows, columns).map((value) => value * term.scale);
}

const SMALL_ROPE = { head_dim: 16, rope_theta: 10_000, max_position_embeddings: 16 };
const FACTORS = indexRange(0, 8).map((k) => 1 + k / 3);

const CASES: readonly Case[] = [
  { name: "none", encoding: "none" },
  { name: "none, random", encoding: "none", content: { seed: 3 } },
  { name: "rope", encoding: "rope", params: SMALL_ROPE, content: { seed: 1 } },
  {
    name: "rope interleaved",
    encoding: "rope",
    params: { ...SMALL_ROPE, layout: "interleaved" },
    content: { seed: -2 },
  },
  {
    name: "rope partial",
    encoding: "rope",
    params: { ...SMALL_ROPE, partial_rotary_factor: 0.5 },
    content: { seed: 4 },
  },
  {
    name: "rope partial interleaved",
    encoding: "rope",
    params: { ...SMALL_ROPE, partial_rotary_factor: 0.5, layout: "interleaved" },
    content: { seed: 4 },
  },
  { name: "rope linear", encoding: "rope", params: { ...SMALL_ROPE, rope_type: "linear", factor: 4 } },
  { name: "rope ntk", encoding: "rope", params: { ...SMALL_ROPE, rope_type: "ntk", factor: 4 } },
  { name: "rope dynamic", encoding: "rope", params: { ...SMALL_ROPE, rope_type: "dynamic", factor: 2 } },
  {
    name: "rope yarn",
    encoding: "rope",
    params: { ...SMALL_ROPE, rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 },
    content: { seed: 9 },
  },
  {
    name: "rope yarn, partial and not truncated",
    encoding: "rope",
    params: {
      ...SMALL_ROPE,
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 64,
      truncate: false,
      partial_rotary_factor: 0.5,
    },
    content: { seed: 9 },
  },
  {
    name: "rope longrope",
    encoding: "rope",
    params: {
      ...SMALL_ROPE,
      rope_type: "longrope",
      factor: 4,
      original_max_position_embeddings: 16,
      short_factor: FACTORS,
      long_factor: FACTORS.map((factor) => 2 * factor),
    },
  },
  {
    name: "rope llama3",
    encoding: "rope",
    params: {
      ...SMALL_ROPE,
      rope_type: "llama3",
      factor: 8,
      original_max_position_embeddings: 128,
      low_freq_factor: 1,
      high_freq_factor: 4,
    },
  },
  {
    name: "rope proportional",
    encoding: "rope",
    params: { ...SMALL_ROPE, rope_type: "proportional", partial_rotary_factor: 0.25 },
  },
  {
    name: "rope float32",
    encoding: "rope",
    params: { ...SMALL_ROPE, table_precision: "float32" },
    content: { seed: 5 },
  },
  {
    name: "rope bfloat16",
    encoding: "rope",
    params: { ...SMALL_ROPE, table_precision: "bfloat16" },
    content: { seed: 5 },
  },
  { name: "rope trained frequencies", encoding: "rope", params: { ...SMALL_ROPE, inv_freq: FACTORS } },
  {
    name: "rope at 9,999,000",
    encoding: "rope",
    params: SMALL_ROPE,
    content: { seed: 5 },
    scene: { queryLength: 10_000_000, keyLength: 10_000_000 },
    rows: [9_999_000, 9_999_020],
    columns: [17, 57],
  },
  {
    name: "rope decoding, shifted",
    encoding: "rope",
    params: SMALL_ROPE,
    content: { seed: 6 },
    scene: { queryLength: 3, shift: 7 },
  },
  {
    name: "rope with given positions",
    encoding: "rope",
    params: SMALL_ROPE,
    content: { seed: 6 },
    scene: { inputs: { position_ids: indexRange(0, LENGTH).map((n) => n % 13) } },
  },
  { name: "rope table", encoding: "rope", params: SMALL_ROPE, show: { of: "table" }, columns: [0, 16], rows: [2, 30] },
  {
    name: "rope weights",
    encoding: "rope",
    params: SMALL_ROPE,
    content: { seed: 8 },
    show: { of: "weights" },
    rows: [5, 25],
    columns: [3, 17],
  },
  {
    name: "sinusoidal",
    encoding: "sinusoidal",
    params: { hidden_size: 24, num_heads: 3 },
    content: { seed: 2 },
    scene: { head: 1 },
  },
  {
    name: "sinusoidal odd",
    encoding: "sinusoidal",
    params: { hidden_size: 9, num_heads: 3 },
    scene: { head: 2, shift: 5 },
  },
  {
    name: "sinusoidal tensor2tensor",
    encoding: "sinusoidal",
    params: {
      hidden_size: 15,
      num_heads: 3,
      layout: "concat",
      frequency: "tensor2tensor",
      padding_idx: 1,
      embed_scale: "1",
    },
  },
  {
    name: "sinusoidal concat, odd, table",
    encoding: "sinusoidal",
    params: { hidden_size: 9, num_heads: 3, layout: "concat" },
    show: { of: "table" },
    columns: [0, 9],
  },
  {
    name: "sinusoidal, positions alone",
    encoding: "sinusoidal",
    params: { hidden_size: 24, num_heads: 3 },
    show: { of: "logits", hidden: ["content_content"] },
  },
  {
    name: "sinusoidal, one term",
    encoding: "sinusoidal",
    params: { hidden_size: 24, num_heads: 3 },
    content: { seed: 1 },
    show: { of: "term", id: "content_position" },
  },
  {
    name: "learned",
    encoding: "learned_absolute",
    params: { hidden_size: 24, num_heads: 3, max_position_embeddings: 64 },
    content: { seed: 1 },
  },
  {
    name: "learned, behind the padding row",
    encoding: "learned_absolute",
    params: { hidden_size: 24, num_heads: 3, max_position_embeddings: 64, padding_idx: 1 },
    show: { of: "table" },
    columns: [0, 24],
  },
  {
    name: "learned, given",
    encoding: "learned_absolute",
    params: { hidden_size: 6, num_heads: 3, max_position_embeddings: 40 },
    scene: { inputs: { wpe: indexRange(0, 40).map((r) => indexRange(0, 6).map((c) => Math.sin(r * 7 + c))) } },
    rows: [10, 20],
    columns: [5, 9],
  },
  ...["paper", "symmetric", "bloom", "mpt", "falcon"].map((variant) => ({
    name: `alibi ${variant}`,
    encoding: "alibi",
    params: { num_heads: 12, variant },
    scene: { head: 9, queryLength: 20, shift: 3 },
  })),
  { name: "t5 encoder", encoding: "t5_bias", mask: {}, scene: { keyLength: 300, queryLength: 300, head: 2 } },
  {
    name: "t5 decoder",
    encoding: "t5_bias",
    params: { bidirectional: false, num_buckets: 20, max_distance: 77 },
    scene: { keyLength: 200, queryLength: 200 },
    content: { seed: 0 },
  },
  {
    name: "t5 given",
    encoding: "t5_bias",
    params: { num_buckets: 8, num_heads: 2 },
    scene: { inputs: { relative_attention_bias: indexRange(0, 8).map((b) => [b, -b / 3]) }, head: 1 },
  },
  { name: "kerple log", encoding: "kerple", scene: { head: 3 } },
  { name: "kerple power", encoding: "kerple", params: { kernel: "power" } },
  { name: "sandwich", encoding: "sandwich", scene: { head: 2 } },
  { name: "sandwich both ways", encoding: "sandwich", params: { bidirectional: true }, mask: {} },
  { name: "fire", encoding: "fire", scene: { head: 1, shift: 9 } },
  { name: "window", encoding: "alibi", mask: { causal: true, window: 7 } },
  { name: "window of both sides", encoding: "alibi", mask: { window: 5 } },
  {
    name: "window and kept",
    encoding: "alibi",
    mask: { causal: true, window: 7, keepFirst: 2 },
    show: { of: "weights" },
  },
  {
    name: "chunk",
    encoding: "alibi",
    mask: { causal: true, chunk: 8 },
    scene: { queryLength: 13 },
    show: { of: "weights" },
  },
  { name: "sink", encoding: "alibi", sink: 2.5, show: { of: "weights" }, content: { seed: 4 } },
  {
    name: "rope, padded on the left",
    encoding: "rope",
    params: SMALL_ROPE,
    content: { seed: 4 },
    mask: { causal: true, padding: 6 },
    scene: { numbering: { kind: "left_padding", padding: 6, fromMask: true, documents: [8] } },
    show: { of: "weights" },
  },
  {
    name: "learned, packed",
    encoding: "learned_absolute",
    params: { hidden_size: 12, num_heads: 3, max_position_embeddings: 64 },
    mask: { causal: true, documents: [7, 5] },
    scene: { shift: 2, numbering: { kind: "packed", padding: 0, fromMask: true, documents: [7, 5] } },
  },
  {
    name: "rope table, packed",
    encoding: "rope",
    params: SMALL_ROPE,
    scene: { numbering: { kind: "packed", padding: 0, fromMask: true, documents: [7, 5] } },
    show: { of: "table" },
    columns: [0, 16],
  },
  {
    name: "alibi bloom, padded on the left",
    encoding: "alibi",
    params: { variant: "bloom" },
    mask: { causal: true, padding: 3, window: 9, keepFirst: 5 },
    scene: { numbering: { kind: "left_padding", padding: 3, fromMask: true, documents: [8] } },
    show: { of: "weights" },
    content: { seed: 0 },
  },
  {
    name: "words, decoding",
    encoding: "alibi",
    content: { tokens: ["I", "like", "苹果", "like"] },
    scene: { queryLength: 5, head: 3 },
  },
  {
    name: "words through a table",
    encoding: "sinusoidal",
    params: { hidden_size: 24, num_heads: 3 },
    content: { tokens: ["a", "b", "a"] },
    scene: { queryLength: 7, head: 1 },
  },
  { name: "a softmax scale of one's own", encoding: "rope", params: SMALL_ROPE, scene: { softmaxScale: 0.3 } },
  {
    name: "xpos",
    encoding: "xpos",
    params: { head_dim: 16, scale_base: 32 },
    content: { seed: 3 },
    scene: { centre: 20 },
  },
  { name: "xpos table", encoding: "xpos", params: { head_dim: 16 }, show: { of: "table" }, columns: [0, 16] },
  { name: "mrope with a picture", encoding: "mrope", content: { seed: 2 }, scene: { shift: 5 } },
  { name: "mrope table", encoding: "mrope", show: { of: "table" }, columns: [3, 60], rows: [2, 20] },
  { name: "mrope weights", encoding: "mrope", content: { seed: 2 }, show: { of: "weights" }, rows: [7, 19] },
  ...["pixtral", "qwen2_vl_vision", "gemma4_vision", "llama4_vision", "eva02", "dinov3"].map((variant) => ({
    name: `axial ${variant}`,
    encoding: "axial_rope",
    params: { variant },
    content: { seed: 2 },
    mask: {},
  })),
  {
    name: "rope axial",
    encoding: "rope",
    params: { rope_type: "axial", head_dim: 16 },
    content: { seed: 1 },
    mask: {},
  },
  { name: "rerope", encoding: "rerope", params: { head_dim: 16, window: 9 }, content: { seed: 2 } },
  {
    name: "rerope, sharpened",
    encoding: "rerope",
    params: { head_dim: 16, window: 9, training_length: 16 },
    content: { seed: 2 },
    show: { of: "weights" },
  },
  {
    name: "self-extend",
    encoding: "self_extend",
    params: { head_dim: 16, group_size: 3, neighbor_window: 7 },
    content: { seed: 2 },
    scene: { shift: 4, queryLength: 30 },
  },
  {
    name: "shaw",
    encoding: "shaw",
    params: { head_dim: 8, max_relative_position: 5 },
    content: { seed: 2 },
    rows: [11, 30],
  },
  {
    name: "shaw on both sides, given",
    encoding: "shaw",
    params: { head_dim: 4, max_relative_position: 2, position_embeddings_type: "relative_key_query" },
    content: { seed: 2 },
    columns: [3, 20],
    scene: { inputs: { relative_keys: indexRange(0, 5).map((r) => indexRange(0, 4).map((c) => Math.cos(r + 3 * c))) } },
  },
  { name: "nezha", encoding: "shaw", params: { head_dim: 8, variant: "nezha", max_relative_position: 6 }, mask: {} },
  {
    name: "transformer-xl",
    encoding: "transformer_xl",
    params: { head_dim: 8, num_heads: 2 },
    content: { seed: 2 },
    scene: { head: 1, queryLength: 12 },
  },
  {
    name: "xlnet both ways, clamped",
    encoding: "transformer_xl",
    params: { head_dim: 8, num_heads: 2, attn_type: "bi", clamp_len: 9 },
    mask: {},
    columns: [4, 33],
  },
  {
    name: "deberta v3",
    encoding: "deberta",
    params: { hidden_size: 16, num_heads: 2, position_buckets: 8, max_relative_positions: 32 },
    content: { seed: 2 },
    scene: { head: 1 },
    mask: {},
  },
  {
    name: "deberta v1",
    encoding: "deberta",
    params: { hidden_size: 16, num_heads: 2, version: 1, position_buckets: -1, max_relative_positions: 24 },
    content: { seed: 2 },
    mask: {},
    rows: [6, 22],
  },
  {
    name: "2-D sinusoidal",
    encoding: "sincos_2d",
    params: { hidden_size: 24, num_heads: 3, height: 5, width: 9 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 1 },
  },
  {
    name: "2-D sinusoidal, row first, behind a class token",
    encoding: "sincos_2d",
    params: { hidden_size: 16, num_heads: 2, grid_size: 7, cls_token: true, variant: "h_first" },
    content: { seed: 2 },
    mask: {},
  },
  {
    name: "2-D sinusoidal along columns, table",
    encoding: "sincos_2d",
    params: { hidden_size: 16, num_heads: 2, height: 5, width: 8, variant: "omdet_w_major", cls_token: true },
    show: { of: "table" },
    columns: [0, 16],
  },
  {
    name: "swin",
    encoding: "swin_bias",
    params: { window_size: [5, 8], head_dim: 8 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 2 },
  },
  {
    name: "beit",
    encoding: "swin_bias",
    params: { window_size: [3, 13], head_dim: 8, variant: "beit" },
    content: { seed: 2 },
    mask: {},
    rows: [0, 30],
    columns: [0, 33],
  },
  {
    name: "swin, given",
    encoding: "swin_bias",
    params: { window_size: [5, 8], head_dim: 8, num_heads: 2 },
    mask: {},
    scene: {
      head: 1,
      inputs: { relative_position_bias_table: indexRange(0, 135).map((r) => [r, Math.sin(r)]) },
    },
  },
  {
    name: "swin-v2",
    encoding: "swinv2_cpb",
    params: { window_size: [5, 8], head_dim: 8, cpb_hidden: 16 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 3 },
  },
  {
    name: "swin-v2 from another window, one row",
    encoding: "swinv2_cpb",
    params: { window_size: [1, 40], pretrained_window_size: [6, 12], head_dim: 8 },
    mask: {},
    show: { of: "weights" },
  },
  {
    name: "swin-v2, given",
    encoding: "swinv2_cpb",
    params: { window_size: [5, 8], head_dim: 8, cpb_hidden: 3, num_heads: 2 },
    content: { seed: 2 },
    mask: {},
    scene: {
      head: 1,
      inputs: {
        cpb_w1: [
          [1, -2],
          [0.5, 3],
          [-1, -1],
        ],
        cpb_b1: [0.25, -0.5, 1],
        cpb_w2: [
          [9, 9, 9],
          [0.5, -0.25, 1],
        ],
        logit_scale: [0, 2],
      },
    },
  },
  {
    name: "rows and columns",
    encoding: "decomposed_rel_pos",
    params: { grid: [5, 8], head_dim: 8 },
    content: { seed: 2 },
    mask: {},
    rows: [7, 30],
    columns: [2, 33],
  },
  {
    name: "rows and columns, given and resized",
    encoding: "decomposed_rel_pos",
    params: { grid: [5, 8], head_dim: 4 },
    content: { seed: 2 },
    mask: {},
    scene: {
      inputs: {
        rel_pos_h: indexRange(0, 5).map((r) => indexRange(0, 4).map((c) => Math.cos(r + 3 * c))),
        rel_pos_w: indexRange(0, 15).map((r) => indexRange(0, 4).map((c) => Math.sin(r * c))),
      },
    },
  },
  {
    name: "tupe",
    encoding: "tupe",
    params: { head_dim: 8, num_heads: 2, max_seq_len: 64 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 1 },
  },
  {
    name: "tupe with buckets",
    encoding: "tupe",
    params: { head_dim: 8, num_heads: 2, max_seq_len: 64, rel_pos: true, rel_pos_bins: 12, max_rel_pos: 20 },
    content: { seed: 2 },
    mask: {},
    show: { of: "weights" },
    columns: [0, 30],
  },
  {
    name: "tupe, decoding",
    encoding: "tupe",
    params: { head_dim: 8, num_heads: 2, max_seq_len: 64, rel_pos: true },
    content: { seed: 2 },
    scene: { queryLength: 12, shift: 3 },
  },
  {
    name: "tupe, one term",
    encoding: "tupe",
    params: { head_dim: 8, num_heads: 2 },
    show: { of: "term", id: "cls_column" },
    mask: {},
  },
  {
    name: "multiplicative",
    encoding: "multiplicative",
    params: { hidden_size: 12, num_heads: 3, max_position_embeddings: 64 },
    content: { seed: 2 },
    scene: { head: 1, shift: 4, queryLength: 30 },
  },
  {
    name: "multiplicative, given",
    encoding: "multiplicative",
    params: { hidden_size: 6, num_heads: 2, max_position_embeddings: 40 },
    content: { seed: 2 },
    scene: {
      inputs: { position_embeddings: indexRange(0, 40).map((r) => indexRange(0, 6).map((c) => Math.sin(r * 7 + c))) },
    },
    rows: [10, 20],
  },
  {
    name: "multiplicative table",
    encoding: "multiplicative",
    params: { hidden_size: 12, num_heads: 3, max_position_embeddings: 64 },
    show: { of: "table" },
    columns: [0, 12],
    scene: { shift: 4 },
  },
  {
    name: "complex words",
    encoding: "multiplicative",
    params: { hidden_size: 12, num_heads: 3, variant: "complex_order" },
    content: { seed: 2 },
    scene: { head: 2, shift: 4, queryLength: 30 },
  },
  {
    name: "complex words, table",
    encoding: "multiplicative",
    params: { hidden_size: 12, num_heads: 3, variant: "complex_order" },
    content: { seed: 2 },
    show: { of: "table" },
    columns: [2, 23],
    rows: [3, 30],
    scene: { shift: 4 },
  },
  {
    name: "complex words at 999,000",
    encoding: "multiplicative",
    params: { hidden_size: 12, num_heads: 3, variant: "complex_order" },
    content: { seed: 2 },
    scene: { queryLength: 1_000_000, keyLength: 1_000_000 },
    rows: [999_000, 999_020],
    columns: [999, 1010],
  },
  {
    name: "floater",
    encoding: "recursive",
    params: { hidden_size: 12, num_heads: 3 },
    content: { seed: 2 },
    scene: { head: 1, shift: 70 },
  },
  {
    name: "floater, 3/8 rule and ReLU, table far along",
    encoding: "recursive",
    params: { hidden_size: 32, num_heads: 2, method: "rk4_38", activation: "relu", substeps_per_position: 3 },
    show: { of: "table" },
    scene: { queryLength: 2000, keyLength: 2000 },
    rows: [1790, 1990],
    columns: [0, 32],
  },
  ...[1, 5, 10].map((delta) => ({
    name: `floater in steps of ${delta}`,
    encoding: "recursive",
    params: { hidden_size: 16, num_heads: 2, delta },
    content: { seed: 5 },
    scene: { queryLength: 300, keyLength: 300 },
    rows: [270, 300] as const,
    columns: [200, 290] as const,
  })),
  {
    name: "floater, given",
    encoding: "recursive",
    params: { hidden_size: 2, num_heads: 1, delta: 0.05 },
    content: { seed: 2 },
    scene: {
      inputs: {
        p0: [1, -0.5],
        w1: [
          [1, 0.5, 0.1],
          [-0.5, 1, 0.2],
        ],
        b1: [0.1, -0.1],
        w2: [
          [0, 1, 0.05],
          [-1, 0, 0.1],
        ],
        b2: [0.2, 0.3],
      },
    },
  },
  {
    name: "recurrent",
    encoding: "recursive",
    params: { hidden_size: 32, num_heads: 2, variant: "rnn" },
    content: { seed: 2 },
    scene: { queryLength: 1000, keyLength: 1000 },
    rows: [900, 999],
    columns: [700, 1000],
  },
  {
    name: "recurrent, given",
    encoding: "recursive",
    params: { hidden_size: 2, num_heads: 1, variant: "rnn" },
    scene: {
      inputs: {
        p0: [1, -0.5],
        w_hh: [
          [0.9, 0.5],
          [-0.5, 0.9],
        ],
        b_h: [0.1, -0.1],
      },
    },
    show: { of: "weights" },
    columns: [5, 20],
  },
  {
    name: "cope",
    encoding: "cope",
    params: { head_dim: 8, npos_max: 9 },
    content: { seed: 2 },
    rows: [12, 33],
    columns: [3, 20],
  },
  {
    name: "cope, decoding through a window",
    encoding: "cope",
    params: { head_dim: 8 },
    content: { tokens: ["a", "b", "a"] },
    mask: { causal: true, window: 7, keepFirst: 2 },
    scene: { queryLength: 13, head: 2 },
    show: { of: "weights" },
  },
  {
    name: "cope, the term alone, documents",
    encoding: "cope",
    params: { head_dim: 8, npos_max: 5 },
    content: { seed: 7 },
    mask: { causal: true, documents: [7, 5] },
    show: { of: "term", id: "bias" },
  },
  {
    name: "cope, given",
    encoding: "cope",
    params: { head_dim: 4, npos_max: 6 },
    content: { seed: 2 },
    scene: { inputs: { pos_emb: indexRange(0, 4).map((r) => indexRange(0, 6).map((c) => Math.cos(r + 3 * c))) } },
  },
  {
    name: "conv",
    encoding: "conv",
    params: { hidden_size: 24, num_heads: 3, num_conv_pos_embeddings: 16, num_conv_pos_embedding_groups: 4 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 1, queryLength: 33 },
    rows: [9, 30],
    columns: [4, 30],
  },
  {
    name: "conv, odd kernel, every channel",
    encoding: "conv",
    params: { hidden_size: 12, num_heads: 3, num_conv_pos_embeddings: 7, num_conv_pos_embedding_groups: 1 },
    content: { tokens: ["a", "b", "c"] },
    mask: {},
    show: { of: "weights" },
    rows: [20, 40],
  },
  {
    name: "conv table",
    encoding: "conv",
    params: { hidden_size: 12, num_heads: 3, num_conv_pos_embeddings: 16, num_conv_pos_embedding_groups: 4 },
    show: { of: "table" },
    columns: [0, 12],
    scene: { shift: 5 },
  },
  {
    name: "given content",
    encoding: "rope",
    params: { head_dim: 4 },
    content: "given",
    scene: {
      queryLength: 3,
      keyLength: 3,
      content: {
        kind: "given",
        constant: false,
        rows: (which) => ({
          dim: 4,
          write: (index, out, offset) => {
            for (let c = 0; c < 4; c++) out[offset + c] = (which === "q" ? 1 : -2) * (index + c / 3);
          },
        }),
      },
    },
  },
];

function pythonCase(given: Case, library: Library): PythonCase {
  const request = requestOf(given);
  const made = exportPythonCode(request, library);
  if ("reason" in made) throw new Error(`${given.name}: ${made.reason}`);
  return {
    name: given.name,
    code: made.code,
    rows: request.rows.to - request.rows.from,
    columns: request.columns.to - request.columns.from,
    values: engineValues(request),
  };
}

/** Away from the interpreter, what can be said of a program: it ends in the matrix and names nothing undefined. */
function expectStructure({ code }: PythonCase, library: Library): void {
  expect(code.startsWith('"""')).toBe(true);
  expect(code).toContain(library === "numpy" ? "import numpy as np" : "import torch");
  if (library === "torch") expect(code).not.toMatch(/\bnp\.|axis=|\.astype/);
  expect(code).toMatch(/^matrix = /m);
  expect(code).not.toMatch(/undefined|NaN|Infinity|\bnull\b|\[object/);
  const open = (brackets: RegExp) => (code.match(brackets) ?? []).length;
  expect(open(/\(/g)).toBe(open(/\)/g));
  expect(open(/\[/g)).toBe(open(/\]/g));
}

describe.each(["numpy", "torch"] as const)("generated code for %s", (library) => {
  const cases = CASES.map((given) => pythonCase(given, library));

  it("is a complete program for each case", () => {
    for (const made of cases) expectStructure(made, library);
  });

  it("computes the numbers of the float64 engine if Python has the library", () => {
    const python = findPython(library);
    if (python === null) {
      console.warn(`No Python with ${library} here: the generated programs were checked for structure, NOT run.`);
      expect(cases.length).toBeGreaterThan(40);
      return;
    }
    const results = runPython(python, cases);
    const wrong = results.filter(
      ({ error, misplaced, failure }) => !(error <= 1e-12) || misplaced > 0 || failure !== null,
    );
    expect(wrong).toEqual([]);
    results.forEach(({ shape }, n) => {
      expect(shape).toEqual([cases[n]?.rows, cases[n]?.columns]);
    });
  });
});

describe("generated unit tests with reference values", () => {
  const cells = [
    { row: 0, column: 0, value: 1 },
    { row: 1, column: 0, value: 0.12345678901234568 },
    { row: 1, column: 1, value: -2.5e-300 },
  ];
  const snippet = goldenSnippet({
    title: "a matrix",
    params: { head_dim: 4, rope_type: "yarn", partial: null, list: [1, 2.5], truncate: false },
    setting: { causal: true, window: null },
    cells,
  });

  it("keep every digit, and parameters as Python literals", () => {
    for (const { row, column, value } of cells)
      expect(snippet).toMatch(new RegExp(`\\(${row}, ${column}\\): ${value}`));
    for (const text of [
      '"truncate": False',
      '"list": [1, 2.5]',
      '"causal": True',
      '"window": None',
      '"rope_type": "yarn"',
    ])
      expect(snippet).toContain(text);
  });

  it("pass for the matrix and fail for another if Python is available", () => {
    const python = findPython("json");
    const own = "assert_golden([[1.0, 0.0], [0.12345678901234568, -2.5e-300]])";
    const other = "try:\n    assert_golden([[1.0, 0.0], [0.12, 0.0]])\nexcept AssertionError:\n    failed = True";
    const code = `${snippet}\n${own}\n${other}\nmatrix = type("M", (), {"tolist": lambda s: [[int(failed)]], "shape": (1, 1)})()\n`;
    if (python === null) {
      console.warn("No Python here: the golden snippet was NOT run.");
      expect(code).toContain("def assert_golden");
      return;
    }
    const [result] = runPython(python, [{ name: "golden", code, rows: 1, columns: 1, values: [1] }]);
    expect(result).toMatchObject({ failure: null, error: 0 });
  });
});

describe("the code generator", () => {
  it("knows the terms of every supported encoding by their ids", () => {
    for (const [id, family] of Object.entries(CODE_BY_ENCODING)) {
      const request = requestOf({ name: id, encoding: id });
      const known = Object.keys(family?.(request).terms ?? {});
      for (const { id: term } of request.attention.terms) expect(known, id).toContain(term);
    }
  });

  it("supports every encoding of the table or gives a reason", () => {
    expect(ENCODINGS.filter(({ id }) => CODE_BY_ENCODING[id] === undefined)).toEqual([]);
    const request = requestOf({ name: "another", encoding: "none" });
    const made = exportPythonCode({ ...request, encoding: { ...request.encoding, id: "another" } }, "numpy");
    expect("reason" in made && made.reason).toContain("another");
  });

  it("refuses given arrays that are not written into the code", () => {
    const scene = { inputs: { conv_weight: indexRange(0, 4).map(() => [[1]]), conv_bias: [0, 0, 0, 0] } };
    const params = { hidden_size: 4, num_conv_pos_embeddings: 1, num_conv_pos_embedding_groups: 4 };
    const made = exportPythonCode(requestOf({ name: "given", encoding: "conv", params, scene }), "numpy");
    expect("reason" in made && made.reason).toContain("conv_weight");
  });

  it("refuses a path with more vectors than a program should contain", () => {
    const show = { of: "table" } as const;
    const scene = { queryLength: 60_000, keyLength: 60_000 };
    const made = exportPythonCode(
      requestOf({ name: "long", encoding: "recursive", scene, show, columns: [0, 32] }),
      "numpy",
    );
    expect("reason" in made && made.reason).toMatch(/Array p is too large/);
  });
});

it("loads a table in NumPy's format with NumPy, also in PyTorch code", () => {
  const lines = 'import numpy as np\n\ntable = np.array(np.load("table.npy"), dtype=np.float64)\n';
  expect(translateToLibrary(lines, "torch")).toBe(
    'import numpy\nimport torch\n\ntable = torch.tensor(numpy.load("table.npy"), dtype=torch.float64)\n',
  );
});
