import type { Mask } from "./term.ts";

/** How the tokens of a call are numbered, before the scene's shift is added. */
export interface Numbering {
  readonly kind: "consecutive" | "left_padding" | "packed";
  /** Tokens of padding before the text. */
  readonly padding: number;
  /** With padding: ids are counted from the attention mask, `cumsum(mask) − 1`; otherwise they are the indices. */
  readonly fromMask: boolean;
  /** Packed: lengths of the documents, repeated to fill the sequence. */
  readonly documents: readonly number[];
}

/** Position of an index within its document; padding belongs to no document. */
export interface DocumentPosition {
  /** −1: padding. */
  readonly document: number;
  readonly position: number;
}

function totalLength(documents: readonly number[]): number {
  return documents.reduce((sum, length) => sum + length, 0);
}

/** Document of an index, and position within it. The lengths repeat to fill the sequence. */
export function locateInDocument({ kind, padding, documents }: Numbering, index: number): DocumentPosition {
  if (kind === "left_padding") {
    return index < padding ? { document: -1, position: index } : { document: 0, position: index - padding };
  }
  if (kind !== "packed") return { document: 0, position: index };
  const period = totalLength(documents);
  let document = Math.floor(index / period) * documents.length;
  let position = index % period;
  for (const length of documents) {
    if (position < length) break;
    position -= length;
    document += 1;
  }
  return { document, position };
}

/**
 * Position id by key index: the index; `cumsum(mask) − 1` with 0 for padding (or the index, if the model ignores the
 * mask); or the position within a packed document.
 */
export function positionId(numbering: Numbering, index: number): number {
  const { document, position } = locateInDocument(numbering, index);
  if (numbering.kind === "left_padding") {
    if (!numbering.fromMask) return index;
    return document < 0 ? 0 : position;
  }
  return position;
}

/** Whether any id differs from its index. */
export function isRenumbered(numbering: Numbering | undefined): numbering is Numbering {
  if (numbering === undefined || numbering.kind === "consecutive") return false;
  return numbering.kind === "packed" || (numbering.fromMask && numbering.padding > 0);
}

/** Largest id + 1 in a call of `keyLength` tokens. */
export function countPositionIds(numbering: Numbering, keyLength: number): number {
  if (numbering.kind === "packed") return Math.min(keyLength, Math.max(...numbering.documents));
  return numbering.kind === "left_padding" && numbering.fromMask
    ? Math.max(1, keyLength - numbering.padding)
    : keyLength;
}

/** The part of the mask that the numbering implies: padding is hidden, and packed documents do not see each other. */
export function numberingMask({ kind, padding, documents }: Numbering): Pick<Mask, "padding" | "documents"> {
  if (kind === "left_padding" && padding > 0) return { padding };
  return kind === "packed" ? { documents } : {};
}
