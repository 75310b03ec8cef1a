import type { Params } from "../../spec.ts";
import type { Scene } from "../../terms/scene.ts";
import type { Factor, ProductTerm, TermRegion } from "../../terms/term.ts";
import type { ViewNotes } from "../encoding.ts";
import { getNumber } from "../support/schema.ts";
import { readPairLayout } from "./attention.ts";
import { unscaledFrequencies } from "./frequencies.ts";
import { resolvePositions } from "./positions.ts";
import { buildRotatedProfile } from "./profile.ts";
import { lineRotation, pairIndices, rotatedFactor } from "./rotation.ts";
import { inverseRootScale, readHeadRows } from "./term.ts";

/**
 * Shared by ReRoPE and Self-Extend: exact RoPE within a window, other positions beyond it. Both are defined only for
 * keys up to the query, so the regions exclude later keys.
 */

/** Positions that queries and keys are rotated by. */
export interface RemappedPositions {
  query(i: number): number;
  key(j: number): number;
  /** Distance of the two as a function of δ, if it is one; allows a closed form. */
  readonly distance?: (delta: number) => number;
}

export interface WindowTermParts {
  readonly id: "near" | "far";
  readonly region: TermRegion;
  readonly positions: RemappedPositions;
  /** Query rows, if they differ from the content's. */
  readonly query?: Factor;
}

const WINDOW_TERM_NAMES = {
  near: { en: "content · content, rotated, within the window", zh: "内容 · 内容（旋转后），窗口内" },
  far: { en: "content · content, rotated, beyond the window", zh: "内容 · 内容（旋转后），窗口外" },
} as const;

/** Builds one of the two products. */
export function buildWindowTerm(params: Params, scene: Scene, term: WindowTermParts): ProductTerm {
  const frequencies = unscaledFrequencies(params);
  const pairs = pairIndices(readPairLayout(params), frequencies.length);
  const query = term.query ?? readHeadRows(scene, params, "q");
  const key = readHeadRows(scene, params, "k");
  const { distance } = term.positions;
  const hasProfile = scene.content.constant && term.query === undefined && distance !== undefined;
  const profile = hasProfile ? buildRotatedProfile(query, key, pairs, frequencies) : undefined;
  return {
    kind: "product",
    id: term.id,
    role: "content_content",
    name: WINDOW_TERM_NAMES[term.id],
    ...inverseRootScale(getNumber(params, "head_dim")),
    region: term.region,
    query: rotatedFactor(query, pairs, lineRotation(frequencies, term.positions.query)),
    key: rotatedFactor(key, pairs, lineRotation(frequencies, term.positions.key)),
    ...(profile === undefined || distance === undefined ? {} : { profile: (delta) => profile(distance(delta)) }),
  };
}

/** Positions of the scene as they are: plain RoPE. */
export function unchangedPositions(scene: Scene): RemappedPositions {
  const { query, key, consecutive } = resolvePositions(scene);
  return { query, key, ...(consecutive ? { distance: (delta: number) => delta } : {}) };
}

/** Both encodings rotate by other positions outside a window. */
export const windowedViewNotes: ViewNotes = {
  table: {
    en: "A token rotates differently for near and far keys, so there is no single position table. See the Rotation and Scores views.",
    zh: "没有位置表：对近处与远处的键，同一词元按不同的位置旋转。请看“旋转”与“分数”视图。",
  },
  rotation: {
    en: "Outside the window, other positions replace m and n; only the rotation inside the window is shown here.",
    zh: "在窗口之外，m 和 n 由别的位置代替；这里只画窗口内的旋转。",
  },
};
