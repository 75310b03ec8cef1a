import { getLocation } from "jsonc-parser";
import type { Path } from "../config/json.ts";

/** Where in a JSON text something is being typed. */
export interface JsonPlace {
  /** Of the value, or of the object that a key is being added to. */
  readonly path: Path;
  readonly isKey: boolean;
  /** The text that a choice takes the place of. */
  readonly start: number;
  readonly end: number;
  /** What follows calls for a comma before it. */
  readonly needsComma: boolean;
  /** A colon follows: only the key's name is being typed. */
  readonly hasValue: boolean;
}

export function jsonPlace(text: string, offset: number): JsonPlace {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const inside = previousNode !== undefined && offset <= previousNode.offset + previousNode.length;
  const start = inside ? previousNode.offset : wordStart(text, offset);
  const whole = inside ? previousNode.offset + previousNode.length : offset;
  // A string that runs into the next key has lent that one's opening quote.
  const end = /\w/.test(text[whole] ?? "") ? offset : whole;
  const next = /^\s*(.?)/.exec(text.slice(end, end + 1000))?.[1];
  return {
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    isKey: isAtPropertyKey,
    start,
    end,
    needsComma: next === '"',
    hasValue: next === ":",
  };
}

/** A word that is no string yet: `ro` before its quotes, `tr` of true. */
function wordStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\w/.test(text[start - 1] ?? "")) start--;
  return start;
}
