import { isRenumbered } from "../../terms/numbering.ts";
import type { CodeExportRequest } from "./request.ts";

/** Packed documents: the document of an index, and the position within it. */
export function documentFunctionLines(documents: readonly number[]): string[] {
  return [
    `lengths = [${documents.join(", ")}]  # of the packed documents, repeated`,
    "ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]",
    "",
    "",
    "def document(index):",
    "    place = index % ends[-1]",
    "    return index // ends[-1] * len(ends) + sum((place >= end).astype(np.int64) for end in ends)",
    "",
    "",
    "def place_in_document(index):",
    "    place = index % ends[-1]",
    "    return place - sum((place >= end).astype(np.int64) * length for end, length in zip(ends, lengths))",
    "",
    "",
  ];
}

/** Functions of an index that positions or the mask need. */
export function indexFunctionLines({ scene, attention }: CodeExportRequest): string[] {
  const { numbering } = scene;
  const documents = numbering?.kind === "packed" ? numbering.documents : attention.mask.documents;
  return documents === undefined ? [] : documentFunctionLines(documents);
}

/** The position id of an index, before the shift. */
export function positionIdExpression({ scene: { numbering } }: CodeExportRequest, index: string): string {
  if (!isRenumbered(numbering)) return index;
  if (numbering.kind === "packed") return `place_in_document(${index})`;
  return `np.clip(${index} - ${numbering.padding}, 0, None)`;
}
