import type { Content, Encoding, Scene } from "../encodings/encoding.ts";
import { attentionOf } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { gaussianAt } from "../terms/content.ts";
import { indexRange, logitMatrix } from "../terms/engine.ts";

const TOKENS = 12;

/** The same seeded vectors at every shift: what moves is the position alone. */
const content: Content = {
  kind: "random",
  constant: false,
  rows: (which, head, dim) => ({
    dim,
    write: (index, out, offset) => {
      for (let c = 0; c < dim; c++) out[offset + c] = gaussianAt(20_251, which.charCodeAt(0), head, index, c);
    },
  }),
};

function logitsAt(encoding: Encoding, params: Params, shift: number): Float64Array {
  const scene: Scene = {
    queryLength: TOKENS,
    keyLength: TOKENS,
    shift,
    head: 0,
    centre: shift + TOKENS / 2,
    content,
    inputs: {},
  };
  const tokens = indexRange(0, TOKENS);
  return logitMatrix(attentionOf(encoding, params, scene, { causal: true }), tokens, tokens);
}

/**
 * Whether the logit is g(x_m, x_n, m − n): the largest change of a logit when the positions of queries and keys
 * move by the same amount, as a share of the largest logit. Only keys at or before their query count, and softmax
 * ignores what is added to a whole row, so each row is compared by its differences from its own diagonal cell.
 * Zero up to rounding for relative encodings.
 * @returns undefined where no shift stays inside the encoding's domain
 */
export function shiftInvarianceError(encoding: Encoding, params: Params): number | undefined {
  const places = shiftedPlaces(encoding, params);
  if (places === undefined) return undefined;
  const here = logitsAt(encoding, params, places.from);
  const there = logitsAt(encoding, params, places.to);
  let error = 0;
  let scale = 0;
  for (let i = 0; i < TOKENS; i++) {
    const diagonal = i * TOKENS + i;
    for (let j = 0; j <= i; j++) {
      const cell = i * TOKENS + j;
      const before = (here[cell] ?? 0) - (here[diagonal] ?? 0);
      const after = (there[cell] ?? 0) - (there[diagonal] ?? 0);
      error = Math.max(error, Math.abs(after - before));
      scale = Math.max(scale, Math.abs(here[cell] ?? 0));
    }
  }
  return scale === 0 ? 0 : error / scale;
}

/** Two places of the same tokens: as far apart as the domain allows, on a grid by whole rows of patches. */
function shiftedPlaces(encoding: Encoding, params: Params): { readonly from: number; readonly to: number } | undefined {
  const domain = encoding.domain(params);
  if (domain.kind === "any") return { from: 0, to: 1000 };
  if (domain.kind === "recursive") return { from: 0, to: TOKENS };
  const grid = encoding.grid?.(params);
  const from = grid?.classTokens ?? 0;
  const line = grid === undefined ? 1 : grid.columnMajor === true ? grid.height : grid.width;
  const room = Math.min(1000, domain.size - from - TOKENS);
  const by = Math.floor(room / line) * line;
  return by > 0 ? { from, to: from + by } : undefined;
}
