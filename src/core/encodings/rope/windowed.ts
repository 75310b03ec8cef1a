import type { Params } from "../../spec.ts";
import type { Factor, ProductTerm, Region } from "../../terms/term.ts";
import type { GoldenCase, Scene } from "../encoding.ts";
import { numberOf } from "../support/schema.ts";
import { layoutOf } from "./attention.ts";
import { plainFrequencies } from "./frequencies.ts";
import { positionsOf } from "./positions.ts";
import { rotatedProfile } from "./profile.ts";
import { lineRotation, pairsOf, rotatedFactor } from "./rotation.ts";
import { headRows, rootScale } from "./term.ts";

/**
 * What ReRoPE and Self-Extend share: exact RoPE up to a window, other positions beyond it. Both are defined for
 * keys up to the query only, so the regions leave the future out.
 */

/** Positions that queries and keys are turned by. */
export interface Remapped {
  query(i: number): number;
  key(j: number): number;
  /** Distance between the two where it is a function of δ, for the closed form. */
  readonly distance?: (delta: number) => number;
}

export interface WindowTerm {
  readonly id: "near" | "far";
  readonly region: Region;
  readonly positions: Remapped;
  /** Rows of the queries, where they are more than the content's. */
  readonly query?: Factor;
}

const NAMES = {
  near: { en: "content · content, rotated, within the window", zh: "内容 · 内容（旋转后），窗口内" },
  far: { en: "content · content, rotated, beyond the window", zh: "内容 · 内容（旋转后），窗口外" },
} as const;

/** One of the two products. */
export function windowTerm(params: Params, scene: Scene, term: WindowTerm): ProductTerm {
  const frequencies = plainFrequencies(params);
  const pairs = pairsOf(layoutOf(params), frequencies.length);
  const query = term.query ?? headRows(scene, params, "q");
  const key = headRows(scene, params, "k");
  const { distance } = term.positions;
  const closed = scene.content.constant && term.query === undefined && distance !== undefined;
  const profile = closed ? rotatedProfile(query, key, pairs, frequencies) : undefined;
  return {
    kind: "product",
    id: term.id,
    role: "content_content",
    name: NAMES[term.id],
    ...rootScale(numberOf(params, "head_dim")),
    region: term.region,
    query: rotatedFactor(query, pairs, lineRotation(frequencies, term.positions.query)),
    key: rotatedFactor(key, pairs, lineRotation(frequencies, term.positions.key)),
    ...(profile === undefined || distance === undefined ? {} : { profile: (delta) => profile(distance(delta)) }),
  };
}

/** Real positions of the scene: those of plain RoPE. */
export function ownPositions(scene: Scene): Remapped {
  const { query, key, consecutive } = positionsOf(scene);
  return { query, key, ...(consecutive ? { distance: (delta: number) => delta } : {}) };
}

/** Distances as the golden files write them, 0 above the diagonal. [queries][keys] */
export function causalDistances(
  queryLength: number,
  keyLength: number,
  distance: (i: number, j: number) => number,
): number[][] {
  return Array.from({ length: queryLength }, (_, i) =>
    Array.from({ length: keyLength }, (_, j) => (j <= i + keyLength - queryLength ? distance(i, j) : 0)),
  );
}

/** Parameters of a case as the encodings name them. */
export function windowedParams(golden: GoldenCase): Record<string, unknown> {
  const { variant: _variant, ...params } = golden.params;
  return params;
}
