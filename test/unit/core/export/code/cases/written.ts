import type { Case } from "./case.ts";

/** Encodings as if they had no generator, so that their numbers are written out. */
export const WRITTEN_CASES: readonly Case[] = [
  { isWritten: true, name: "written scores", encoding: "rope", content: { seed: 3 }, rows: [5, 25], columns: [3, 20] },
  {
    isWritten: true,
    name: "written weights with a sink",
    encoding: "t5_bias",
    sink: 0.5,
    show: { of: "weights" },
    columns: [0, 30],
  },
  { isWritten: true, name: "written regions", encoding: "self_extend", params: { group_size: 2, neighbor_window: 8 } },
  {
    isWritten: true,
    name: "written gates",
    encoding: "cope",
    params: { head_dim: 8, npos_max: 12 },
    content: { seed: 3 },
  },
  {
    isWritten: true,
    name: "written table",
    encoding: "sinusoidal",
    params: { hidden_size: 16 },
    show: { of: "table" },
    columns: [2, 9],
  },
];
