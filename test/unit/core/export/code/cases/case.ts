import type { CodeExportRequest } from "../../../../../../src/core/export/code/request.ts";
import type { Params } from "../../../../../../src/core/spec.ts";
import { indexRange } from "../../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../../src/core/terms/scene.ts";
import type { Mask } from "../../../../../../src/core/terms/term.ts";

/** What code is generated for; the defaults are in `createRequest`. */
export interface Case {
  readonly name: string;
  readonly encoding: string;
  /** The encoding has no generator, so its numbers are written out. */
  readonly isWritten?: boolean;
  readonly params?: Params;
  readonly content?: CodeExportRequest["content"];
  readonly scene?: Partial<Scene>;
  readonly mask?: Mask;
  readonly sink?: number;
  readonly show?: CodeExportRequest["show"];
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
}

/** Queries and keys of a case, unless its scene has others. */
export const LENGTH = 40;
export const SMALL_ROPE = { head_dim: 16, rope_theta: 10_000, max_position_embeddings: 16 };

export function tableOf(rows: number, columns: number, value: (row: number, column: number) => number): number[][] {
  return indexRange(0, rows).map((row) => indexRange(0, columns).map((column) => value(row, column)));
}
