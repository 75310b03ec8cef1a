import { indexRange } from "../../../../../../src/core/terms/engine.ts";
import { type Case, tableOf } from "./case.ts";

/** Encodings of patches of an image. */
export const GRID_CASES: readonly Case[] = [
  {
    name: "2-D sinusoidal",
    encoding: "sincos_2d",
    params: { hidden_size: 24, num_heads: 3, height: 5, width: 9 },
    content: { seed: 2 },
    mask: {},
    scene: { head: 1 },
  },
  {
    name: "2-D sinusoidal, row first, after a class token",
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
        rel_pos_h: tableOf(5, 4, (r, c) => Math.cos(r + 3 * c)),
        rel_pos_w: tableOf(15, 4, (r, c) => Math.sin(r * c)),
      },
    },
  },
];
