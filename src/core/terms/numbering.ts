import type { PositionScheme } from "../protocol/state.ts";
import type { Mask } from "./term.ts";

/** How the tokens of a call are numbered; the shift of the scene comes on top. */
export type Numbering = PositionScheme;

/** What an index stands for: the document that it belongs to, and its place there; padding belongs to none. */
export interface Place {
  /** −1: padding. */
  readonly document: number;
  readonly place: number;
}

function period(documents: readonly number[]): number {
  return documents.reduce((sum, length) => sum + length, 0);
}

/** The document of an index, and its place in it. Lengths repeat until the sequence is full. */
export function placeOf({ kind, padding, documents }: Numbering, index: number): Place {
  if (kind === "left_padding") {
    return index < padding ? { document: -1, place: index } : { document: 0, place: index - padding };
  }
  if (kind !== "packed") return { document: 0, place: index };
  const all = period(documents);
  let document = Math.floor(index / all) * documents.length;
  let place = index % all;
  for (const length of documents) {
    if (place < length) break;
    place -= length;
    document += 1;
  }
  return { document, place };
}

/**
 * Position id by key index: the index itself; `cumsum(mask) − 1` with 0 for padding (or the index, where a model
 * makes its ids without looking at the mask); or from 0 again at each document.
 */
export function positionId(numbering: Numbering, index: number): number {
  const { document, place } = placeOf(numbering, index);
  if (numbering.kind === "left_padding") {
    if (!numbering.fromMask) return index;
    return document < 0 ? 0 : place;
  }
  return place;
}

/** Ids that are not the indices. */
export function isRenumbered(numbering: Numbering | undefined): numbering is Numbering {
  if (numbering === undefined || numbering.kind === "consecutive") return false;
  return numbering.kind === "packed" || (numbering.fromMask && numbering.padding > 0);
}

/** Largest id + 1 of a call of `keyLength` tokens. */
export function idCount(numbering: Numbering, keyLength: number): number {
  if (numbering.kind === "packed") return Math.min(keyLength, Math.max(...numbering.documents));
  return numbering.kind === "left_padding" && numbering.fromMask
    ? Math.max(1, keyLength - numbering.padding)
    : keyLength;
}

/** What goes unseen with the numbering: padding always, other documents where attention keeps them apart. */
export function numberingMask({ kind, padding, documents }: Numbering): Pick<Mask, "padding" | "documents"> {
  if (kind === "left_padding" && padding > 0) return { padding };
  return kind === "packed" ? { documents } : {};
}
