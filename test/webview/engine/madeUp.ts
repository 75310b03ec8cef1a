import { gaussianAt } from "../../../src/core/terms/content.ts";
import type { Attention, BiasTerm, Factor, Term, TermRegion } from "../../../src/core/terms/term.ts";

/** Attentions with made-up terms: every kind, and combinations that no encoding has yet. */

function vectors(seed: number, dim: number): Factor {
  return {
    dim,
    write: (index, out, offset) => {
      for (let c = 0; c < dim; c++) out[offset + c] = gaussianAt(seed, index, c);
    },
  };
}

const base = { role: "position_position", name: { en: "made up", zh: "虚构" }, scale: 0.37 } as const;

const clip = (delta: number) => Math.max(-9, Math.min(9, delta)) + 9;

const product = (id: string, dim: number, region?: TermRegion): Term => ({
  ...base,
  kind: "product",
  id,
  query: vectors(1, dim),
  key: vectors(2, dim),
  ...(region === undefined ? {} : { region }),
});

const relativeQuery = (id: string, region?: TermRegion): Term => ({
  ...base,
  kind: "relative_query",
  id,
  query: vectors(3, 18),
  table: vectors(4, 18),
  index: { of: "delta", at: clip },
  ...(region === undefined ? {} : { region }),
});

const relativeKey: Term = {
  ...base,
  kind: "relative_key",
  id: "relative key",
  key: vectors(5, 7),
  table: vectors(6, 7),
  index: { of: "delta", at: (delta) => clip(-delta) },
};

const relativeCell: Term = {
  ...base,
  kind: "relative_query",
  id: "relative by cell",
  query: vectors(7, 6),
  table: vectors(8, 6),
  index: { of: "cell", at: (i, j) => (i % 7) - (j % 5) + 4 },
};

const bias: Term = { ...base, kind: "bias", id: "bias", value: (i, j) => Math.sin(i * 0.3) * Math.cos(j * 0.7) };

const profile: BiasTerm = {
  ...base,
  kind: "bias",
  id: "profile",
  value: (i, j) => Math.cos((i - j) * 0.21),
  profile: (delta) => Math.cos(delta * 0.21),
};

/** BLOOM's column form: values of 10⁶ and more, of which only differences affect softmax. */
const column: Term = { ...base, kind: "bias", id: "column", scale: 1, value: (_i, j) => 0.7 * (j + 10_000_000) };

/** Grows with the distance to 10⁶, so that each row's maximum is large. */
const growing: Term = {
  ...base,
  kind: "bias",
  id: "growing",
  scale: 1,
  value: (i, j) => 20_000 * (i - j),
  profile: (delta) => 20_000 * delta,
};

const gated: Term = {
  ...base,
  kind: "gated",
  id: "gated",
  row: (i, logits) => {
    let sum = 0;
    return logits.map((logit) => {
      sum += 1 / (1 + Math.exp(-logit));
      return Math.sin(sum + i);
    });
  },
};

function attention(terms: readonly Term[], rest: Partial<Attention> = {}): Attention {
  return { queryLength: 120, keyLength: 120, deltaOffset: 0, terms, mask: {}, ...rest };
}

export const madeUpAttentions: Readonly<Record<string, Attention>> = {
  "every kind": attention([
    product("product", 33),
    relativeQuery("relative query"),
    relativeKey,
    relativeCell,
    bias,
    profile,
  ]),
  "products and relatives": attention([product("product", 64), relativeQuery("relative query"), relativeKey, profile]),
  gated: attention([product("product", 12), profile, gated], { mask: { causal: true } }),
  "regions by distance": attention([
    product("near", 16, { deltaFrom: -5, deltaTo: 12 }),
    product("far", 24, { deltaFrom: 12 }),
    product("ahead", 8, { deltaTo: -5 }),
    relativeQuery("relative", { deltaFrom: 0, deltaTo: 30 }),
    { ...profile, region: { deltaFrom: 3, deltaTo: 40 } },
  ]),
  "regions of the first row and column": attention([
    product("rest", 16, { query: "rest", key: "rest" }),
    product("first row", 16, { query: "first" }),
    product("first column", 16, { query: "rest", key: "first" }),
    { ...profile, region: { query: "rest" } },
    { ...bias, region: { key: "rest" } },
  ]),
  "more parts than samplers": attention([
    ...[0, 1, 2, 3, 4].map((n) => product(`product ${n}`, 8, { deltaFrom: n * 7, deltaTo: n * 7 + 7 })),
    ...[0, 1, 2, 3, 4, 5].map((n) => relativeQuery(`relative ${n}`, { deltaFrom: -n })),
  ]),
  "large column bias": attention([product("product", 16), column], { mask: { causal: true } }),
  "large profile": attention([product("product", 16), growing], { mask: { causal: true } }),
  "large profile alone": attention([growing], { mask: { window: 60 } }),
  "large products": attention([{ ...product("product", 64), scale: 4 }]),
  "decoding with a sink": attention(
    [product("product", 16), { ...profile, value: (i, j) => Math.cos((i - j + 80) * 0.21) }],
    {
      queryLength: 40,
      deltaOffset: 80,
      mask: { causal: true },
      extraLogit: 1.5,
    },
  ),
  "window and kept tokens": attention([profile], { mask: { causal: true, window: 12, keepFirst: 3 } }),
  chunks: attention([product("product", 16)], { mask: { causal: true, chunk: 32 } }),
  "rows that see nothing": attention([product("product", 16)], {
    queryLength: 120,
    keyLength: 60,
    deltaOffset: -60,
    mask: { causal: true },
  }),
};
