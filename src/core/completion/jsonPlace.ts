import { getLocation } from "jsonc-parser";
import { measureJson } from "../config/text/compactJson.ts";
import { MAX_JSON_DEPTH } from "../config/text/json.ts";
import type { CompletionPlace, SnippetSyntax } from "./place.ts";

const jsonSyntax: SnippetSyntax = {
  name: (key) => JSON.stringify(key),
  value: (text) => JSON.stringify(text),
  entry: (key, value) => `${JSON.stringify(key)}: ${value}`,
  list: (entries) => entries.join(",\n"),
  dictionary: (entries) => `{${entries.map((entry) => `\n\t${entry}`).join(",")}\n}`,
};

export function parseJsonPlace(text: string, offset: number): CompletionPlace {
  const { path, isAtPropertyKey, previousNode } = getLocation(withoutDeepNesting(text), offset);
  const inside = previousNode !== undefined && offset <= previousNode.offset + previousNode.length;
  const start = inside ? previousNode.offset : findWordStart(text, offset);
  const whole = inside ? previousNode.offset + previousNode.length : offset;
  // An unclosed string runs to the next quote, which opens the next key.
  const end = /\w/.test(text[whole] ?? "") ? offset : whole;
  const next = /^\s*(.?)/.exec(text.slice(end, end + 1000))?.[1];
  return {
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    isKey: isAtPropertyKey,
    start,
    end,
    prefix: "",
    suffix: next === '"' ? "," : "",
    hasValue: next === ":",
    syntax: jsonSyntax,
  };
}

/** The parser recurses. */
function withoutDeepNesting(text: string): string {
  return text.slice(0, measureJson(text, MAX_JSON_DEPTH).cutAt);
}

/** Start of an unquoted word: `ro` before its quotes, `tr` of true. */
function findWordStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\w/.test(text[start - 1] ?? "")) start--;
  return start;
}
