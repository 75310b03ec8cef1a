import type { PanelState } from "../../../src/core/protocol/state.ts";
import { locateInDocument, type Numbering, positionId } from "../../../src/core/terms/numbering.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";

/** Kind of a token, as far as its ids depend on it. */
export type TokenKind = "text" | "padding" | "picture";

/** One row of ids over the keys. */
export interface IdRow {
  /** A token has one id, or three: time, row and column. */
  readonly axis: "id" | "time" | "row" | "column";
  id(index: number): number;
}

export interface IdRows {
  readonly rows: readonly IdRow[];
  kind(index: number): TokenKind;
  /** Index of the token's document. */
  document(index: number): number;
}

/** The ids of the keys, as a model with this encoding assigns them. */
export function buildIdRows(resolved: ResolvedEncoding, numbering: Numbering): IdRows {
  const { encoding, params, scene } = resolved;
  const positionAxes = encoding.positionAxes?.(params, scene);
  if (positionAxes !== undefined) {
    const { axes, coordinate, isPatch } = positionAxes;
    return {
      rows: axes.map((axis, n) => ({ axis, id: (index) => coordinate(index, n) })),
      kind: (index) => (isPatch(index) ? "picture" : "text"),
      document: () => 0,
    };
  }
  const { shift } = scene;
  return {
    rows: [{ axis: "id", id: (index) => positionId(numbering, index) + shift }],
    kind: (index) => (locateInDocument(numbering, index).document < 0 ? "padding" : "text"),
    document: (index) => locateInDocument(numbering, index).document,
  };
}

/** Consecutive tokens of one kind and document whose ids increase by one, or stay. */
export interface IdRun {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
  readonly first: number;
  readonly last: number;
  readonly kind: TokenKind;
  readonly document: number;
}

/** Longer ranges are not scanned token by token. */
export const MAX_SCANNED_TOKENS = 20_000;

/** Runs of a row over the indices from … to − 1. */
export function idRuns({ kind, document }: IdRows, row: IdRow, from: number, to: number): readonly IdRun[] {
  const runs: {
    from: number;
    to: number;
    first: number;
    last: number;
    kind: TokenKind;
    document: number;
    step: number;
  }[] = [];
  for (let index = from; index < to; index++) {
    const id = row.id(index);
    const last = runs.at(-1);
    const step = last === undefined ? 0 : id - last.last;
    const continues =
      last !== undefined &&
      last.kind === kind(index) &&
      last.document === document(index) &&
      (step === 0 || step === 1) &&
      (last.from === last.to || step === last.step);
    if (continues) Object.assign(last, { to: index, last: id, step });
    else
      runs.push({ from: index, to: index, first: id, last: id, kind: kind(index), document: document(index), step: 0 });
  }
  return runs;
}

/** Whether the scores of this encoding depend on the ids. */
export function followsIds({ encoding, params }: ResolvedEncoding): boolean {
  return encoding.takesPositionIds?.(params) === true;
}

/** Index of a query among the keys: the queries are the last keys. */
export function queryKeyIndex({ scene }: ResolvedEncoding, query: number): number {
  return query + scene.keyLength - scene.queryLength;
}

/** "128, 64" → [128, 64]; undefined for anything else. */
export function parseLengths(text: string): PanelState["positions"]["documents"] | undefined {
  const parts = text.split(/[,，\s]+/).filter((part) => part !== "");
  if (parts.length === 0 || parts.length > 64) return undefined;
  const lengths = parts.map(Number);
  return lengths.every((length) => Number.isSafeInteger(length) && length > 0) ? lengths : undefined;
}
