import { buildAttention } from "../encodings/buildAttention.ts";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { gaussianAt } from "../terms/content.ts";
import { indexRange, logitMatrix } from "../terms/engine.ts";
import type { Content, Scene } from "../terms/scene.ts";

const TOKEN_COUNT = 12;

/** The same seeded vectors at every shift, so that only the positions change. */
const fixedContent: Content = {
  kind: "random",
  constant: false,
  rows: (which, head, dim) => ({
    dim,
    write: (index, out, offset) => {
      for (let c = 0; c < dim; c++) out[offset + c] = gaussianAt(20_251, which.charCodeAt(0), head, index, c);
    },
  }),
};

function computeLogitsAt(encoding: Encoding, params: Params, shift: number): Float64Array {
  const scene: Scene = {
    queryLength: TOKEN_COUNT,
    keyLength: TOKEN_COUNT,
    shift,
    head: 0,
    centre: shift + TOKEN_COUNT / 2,
    content: fixedContent,
    inputs: {},
  };
  const tokens = indexRange(0, TOKEN_COUNT);
  return logitMatrix(buildAttention(encoding, params, scene, { causal: true }), tokens, tokens);
}

/**
 * Measures whether the logit is g(x_m, x_n, m − n): the largest change of a logit when all positions move by the same
 * amount, relative to the largest logit. Only keys up to their query count. Softmax ignores constants added to a row,
 * so each row is compared relative to its diagonal cell. Zero up to rounding for relative encodings.
 * @returns undefined if no shift stays within the encoding's domain
 */
export function measureShiftInvarianceError(encoding: Encoding, params: Params): number | undefined {
  const places = chooseComparedShifts(encoding, params);
  return places === undefined ? undefined : compareShifts(encoding, params, places);
}

/** Tokens to cut out. Not a multiple of common group or window sizes, which could hide the shift. */
const CUT_TOKENS = 7;

/**
 * Like `measureShiftInvarianceError`, for a text with a piece cut out: the tokens after the cut move up, and the logits
 * among them are compared with those before.
 * @returns undefined if the text does not fit into the encoding's domain
 */
export function measureSpliceError(encoding: Encoding, params: Params): number | undefined {
  const { first, step, maxShift } = findShiftRange(encoding, params);
  const cut = Math.ceil(CUT_TOKENS / step) * step;
  return cut > maxShift ? undefined : compareShifts(encoding, params, { from: first + cut, to: first });
}

interface ComparedShifts {
  readonly from: number;
  readonly to: number;
}

function compareShifts(encoding: Encoding, params: Params, { from, to }: ComparedShifts): number {
  const before = computeLogitsAt(encoding, params, from);
  const after = computeLogitsAt(encoding, params, to);
  let error = 0;
  let scale = 0;
  for (let i = 0; i < TOKEN_COUNT; i++) {
    const diagonal = i * TOKEN_COUNT + i;
    for (let j = 0; j <= i; j++) {
      const cell = i * TOKEN_COUNT + j;
      const logitBefore = (before[cell] ?? 0) - (before[diagonal] ?? 0);
      const logitAfter = (after[cell] ?? 0) - (after[diagonal] ?? 0);
      error = Math.max(error, Math.abs(logitAfter - logitBefore));
      scale = Math.max(scale, Math.abs(before[cell] ?? 0));
    }
  }
  return scale === 0 ? 0 : error / scale;
}

interface ShiftRange {
  /** First position that tokens can have. */
  readonly first: number;
  /** Shifts are multiples of this: a row of patches. */
  readonly step: number;
  /** Largest shift. */
  readonly maxShift: number;
}

function findShiftRange(encoding: Encoding, params: Params): ShiftRange {
  const domain = encoding.domain(params);
  if (domain.kind !== "table") return { first: 0, step: 1, maxShift: domain.kind === "any" ? 1000 : TOKEN_COUNT };
  const grid = encoding.patchGrid?.(params);
  const first = grid?.classTokens ?? 0;
  const step = grid === undefined ? 1 : grid.columnMajor === true ? grid.height : grid.width;
  return { first, step, maxShift: Math.min(1000, domain.size - first - TOKEN_COUNT) };
}

/** Two shifts of the same tokens, as far apart as the domain allows; on a grid, by whole rows of patches. */
function chooseComparedShifts(encoding: Encoding, params: Params): ComparedShifts | undefined {
  const { first, step, maxShift } = findShiftRange(encoding, params);
  const by = Math.floor(maxShift / step) * step;
  return by > 0 ? { from: first, to: first + by } : undefined;
}
