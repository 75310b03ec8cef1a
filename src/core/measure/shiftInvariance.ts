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
  return places === undefined ? undefined : errorBetween(encoding, params, places);
}

/** Tokens cut out of the middle: no whole number of any group or window, so that no pattern hides the move. */
const CUT = 7;

/**
 * The same of a text out of which a piece was cut: the tokens behind the cut move up, and their logits among each
 * other are compared with those before.
 * @returns undefined where the text does not fit into the encoding's domain
 */
export function spliceError(encoding: Encoding, params: Params): number | undefined {
  const { first, line, room } = roomOf(encoding, params);
  const cut = Math.ceil(CUT / line) * line;
  return cut > room ? undefined : errorBetween(encoding, params, { from: first + cut, to: first });
}

interface Places {
  readonly from: number;
  readonly to: number;
}

function errorBetween(encoding: Encoding, params: Params, { from, to }: Places): number {
  const here = logitsAt(encoding, params, from);
  const there = logitsAt(encoding, params, to);
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

interface Room {
  /** First place that tokens may stand at. */
  readonly first: number;
  /** Moves are whole multiples of this: a row of patches. */
  readonly line: number;
  /** Farthest move. */
  readonly room: number;
}

function roomOf(encoding: Encoding, params: Params): Room {
  const domain = encoding.domain(params);
  if (domain.kind !== "table") return { first: 0, line: 1, room: domain.kind === "any" ? 1000 : TOKENS };
  const grid = encoding.grid?.(params);
  const first = grid?.classTokens ?? 0;
  const line = grid === undefined ? 1 : grid.columnMajor === true ? grid.height : grid.width;
  return { first, line, room: Math.min(1000, domain.size - first - TOKENS) };
}

/** Two places of the same tokens: as far apart as the domain allows, on a grid by whole rows of patches. */
function shiftedPlaces(encoding: Encoding, params: Params): Places | undefined {
  const { first, line, room } = roomOf(encoding, params);
  const by = Math.floor(room / line) * line;
  return by > 0 ? { from: first, to: first + by } : undefined;
}
