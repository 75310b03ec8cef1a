import { mropeScene } from "../../../src/core/encodings/rope/mropePositions.ts";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { type Numbering, placeOf, positionId } from "../../../src/core/terms/numbering.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";

/** What a token is to its ids. */
export type TokenKind = "text" | "padding" | "picture";

/** One row of ids over the keys. */
export interface IdRow {
  /** "t", "h", "w" where a token has three. */
  readonly axis: "id" | "time" | "row" | "column";
  id(index: number): number;
}

export interface IdRows {
  readonly rows: readonly IdRow[];
  kind(index: number): TokenKind;
  /** Changes where another document begins. */
  document(index: number): number;
}

function mropeRows({ params, scene }: Drawable): IdRows {
  const { at } = mropeScene(params, scene);
  const axes = ["time", "row", "column"] as const;
  const inPicture = (index: number) => at(index, 0) !== at(index, 1) || at(index, 0) !== at(index, 2);
  const start = Number(params["image_start"]);
  const size = Number(params["image_height"]) * Number(params["image_width"]);
  return {
    rows: axes.map((axis, n) => ({ axis, id: (index) => at(index, n) })),
    kind: (index) => ((index >= start && index < start + size) || inPicture(index) ? "picture" : "text"),
    document: () => 0,
  };
}

/** The ids of the keys, as the model of this encoding would hand them out. */
export function idRows(drawable: Drawable, numbering: Numbering): IdRows {
  if (drawable.encoding.id === "mrope") return mropeRows(drawable);
  const { shift } = drawable.scene;
  return {
    rows: [{ axis: "id", id: (index) => positionId(numbering, index) + shift }],
    kind: (index) => (placeOf(numbering, index).document < 0 ? "padding" : "text"),
    document: (index) => placeOf(numbering, index).document,
  };
}

/** Neighbouring tokens of one kind and document whose ids go up by one, or stay. */
export interface IdRun {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
  readonly first: number;
  readonly last: number;
  readonly kind: TokenKind;
  readonly document: number;
}

/** More tokens than this are not looked through one by one. */
export const MOST_TOKENS = 20_000;

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
    const goesOn =
      last !== undefined &&
      last.kind === kind(index) &&
      last.document === document(index) &&
      (step === 0 || step === 1) &&
      (last.from === last.to || step === last.step);
    if (goesOn) Object.assign(last, { to: index, last: id, step });
    else
      runs.push({ from: index, to: index, first: id, last: id, kind: kind(index), document: document(index), step: 0 });
  }
  return runs;
}

/** Whether the scores of this encoding follow the ids. */
export function followsIds({ encoding, params }: Drawable): boolean {
  return encoding.takesIds?.(params) === true;
}

/** A query stands at the end of its keys: the index among them. */
export function keyIndexOf({ scene }: Drawable, query: number): number {
  return query + scene.keyLength - scene.queryLength;
}

/** "128, 64" → [128, 64]; undefined for anything else. */
export function parseLengths(text: string): PanelState["positions"]["documents"] | undefined {
  const parts = text.split(/[,，\s]+/).filter((part) => part !== "");
  if (parts.length === 0 || parts.length > 64) return undefined;
  const lengths = parts.map(Number);
  return lengths.every((length) => Number.isSafeInteger(length) && length > 0) ? lengths : undefined;
}
