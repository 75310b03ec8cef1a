import type { Path } from "../config/text/json.ts";
import type { Place, Syntax } from "./place.ts";

const syntax: Syntax = {
  name: (key) => key,
  word: (text) => text,
  entry: (key, value) => `${key}:${value.startsWith("\n") ? "" : " "}${value}`,
  list: (entries) => entries.join("\n"),
  dictionary: (entries) => entries.map((entry) => `\n\t${entry}`).join(""),
};

/** A line up to the cursor: a key, or a key with its value. Comments, lists and flow style are none. */
const TYPED = /^( *)(?:([\w-]+):(?: +["']?|(?=$)))?([\w.-]*)$/;
/** A key with a mapping below it. */
const OUTER = /^( *)["']?([\w-]+)["']?:\s*(?:[&!]\S+\s*)?(?:#.*)?$/;

/** A place, and the text without what is being typed there, so that it can be parsed. */
export interface YamlPlace extends Place {
  readonly rest: string;
}

/** By lines and their indentation: while a key is being typed, the text is no YAML. */
export function yamlPlace(text: string, offset: number): YamlPlace | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const [, indent, key, word] = TYPED.exec(text.slice(lineStart, offset)) ?? [];
  if (indent === undefined || word === undefined) return undefined;
  const outer = pathAbove(text.slice(0, lineStart), indent.length);
  if (outer === undefined) return undefined;
  const isKey = key === undefined;
  const [following = ""] = /^[\w.-]*/.exec(text.slice(offset, offset + 200)) ?? [];
  const [start, end] = [offset - word.length, offset + following.length];
  const lineEnd = text.indexOf("\n", end);
  return {
    path: isKey ? outer : [...outer, key],
    isKey,
    start,
    end,
    before: text[start - 1] === ":" ? " " : "",
    after: "",
    hasValue: /^["']? *:/.test(text.slice(end, end + 100)),
    syntax,
    rest: isKey
      ? text.slice(0, lineStart) + (lineEnd < 0 ? "" : text.slice(lineEnd + 1))
      : text.slice(0, start) + text.slice(end),
  };
}

/** Keys that lines above open, from the outermost; undefined where one of them is no mapping. */
function pathAbove(above: string, indent: number): Path | undefined {
  const path: string[] = [];
  const lines = above.split(/\r?\n/);
  for (let at = lines.length - 1; at >= 0 && indent > 0; at--) {
    const line = lines[at] ?? "";
    const own = line.search(/[^ ]/);
    if (own < 0 || own >= indent || line[own] === "#") continue;
    const [, , key] = OUTER.exec(line) ?? [];
    if (key === undefined) return undefined;
    path.unshift(key);
    indent = own;
  }
  return path;
}
