import { type Case, SMALL_ROPE } from "./case.ts";

/** Masks, sinks, position ids, content and softmax scales. */
export const SCENE_CASES: readonly Case[] = [
  { name: "window", encoding: "alibi", mask: { causal: true, window: 7 } },
  { name: "two-sided window", encoding: "alibi", mask: { window: 5 } },
  {
    name: "window with kept tokens",
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
    name: "words with a sinusoidal table",
    encoding: "sinusoidal",
    params: { hidden_size: 24, num_heads: 3 },
    content: { tokens: ["a", "b", "a"] },
    scene: { queryLength: 7, head: 1 },
  },
  { name: "custom softmax scale", encoding: "rope", params: SMALL_ROPE, scene: { softmaxScale: 0.3 } },
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
