import { isRenumbered } from "../../terms/numbering.ts";
import type { CodeRequest } from "./request.ts";

/** Packed documents: the document of an index, and the place in it. */
export function documentLines(documents: readonly number[]): string[] {
  return [
    `lengths = [${documents.join(", ")}]  # of the packed documents, again and again`,
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

/** Functions of an index that positions or the mask use. */
export function indexFunctions({ scene, attention }: CodeRequest): string[] {
  const { numbering } = scene;
  const documents = numbering?.kind === "packed" ? numbering.documents : attention.mask.documents;
  return documents === undefined ? [] : documentLines(documents);
}

/** The position id of an index, before the shift. */
export function positionIdText({ scene: { numbering } }: CodeRequest, index: string): string {
  if (!isRenumbered(numbering)) return index;
  if (numbering.kind === "packed") return `place_in_document(${index})`;
  return `np.clip(${index} - ${numbering.padding}, 0, None)`;
}
