import { getLocation } from "jsonc-parser";
import type { Place, Syntax } from "./place.ts";

const syntax: Syntax = {
  name: (key) => JSON.stringify(key),
  word: (text) => JSON.stringify(text),
  entry: (key, value) => `${JSON.stringify(key)}: ${value}`,
  list: (entries) => entries.join(",\n"),
  dictionary: (entries) => `{${entries.map((entry) => `\n\t${entry}`).join(",")}\n}`,
};

export function jsonPlace(text: string, offset: number): Place {
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
    before: "",
    after: next === '"' ? "," : "",
    hasValue: next === ":",
    syntax,
  };
}

/** A word that is no string yet: `ro` before its quotes, `tr` of true. */
function wordStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\w/.test(text[start - 1] ?? "")) start--;
  return start;
}
