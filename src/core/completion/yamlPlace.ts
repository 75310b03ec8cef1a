import type { Path } from "../config/text/json.ts";
import type { CompletionPlace, SnippetSyntax } from "./place.ts";

const yamlSyntax: SnippetSyntax = {
  name: (key) => key,
  value: (text) => text,
  entry: (key, value) => `${key}:${value.startsWith("\n") ? "" : " "}${value}`,
  list: (entries) => entries.join("\n"),
  dictionary: (entries) => entries.map((entry) => `\n\t${entry}`).join(""),
};

/** A line up to the cursor: a key, or a key and its value. Comments, lists and flow style do not match. */
const TYPED_LINE = /^( *)(?:([\w-]+):(?: +["']?|(?=$)))?([\w.-]*)$/;
/** A key with a mapping below it. */
const MAPPING_KEY = /^( *)["']?([\w-]+)["']?:\s*(?:[&!]\S+\s*)?(?:#.*)?$/;

/** A location, and the text without the part being typed, so that it parses. */
export interface YamlPlace extends CompletionPlace {
  readonly textWithoutTyped: string;
}

/** Works on lines and indentation: while a key is being typed, the text is not valid YAML. */
export function parseYamlPlace(text: string, offset: number): YamlPlace | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const [, indent, key, word] = TYPED_LINE.exec(text.slice(lineStart, offset)) ?? [];
  if (indent === undefined || word === undefined) return undefined;
  const outer = findPathAbove(text.slice(0, lineStart), indent.length);
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
    prefix: text[start - 1] === ":" ? " " : "",
    suffix: "",
    hasValue: /^["']? *:/.test(text.slice(end, end + 100)),
    syntax: yamlSyntax,
    textWithoutTyped: isKey
      ? text.slice(0, lineStart) + (lineEnd < 0 ? "" : text.slice(lineEnd + 1))
      : text.slice(0, start) + text.slice(end),
  };
}

/** Keys of the mappings that contain the line, outermost first; undefined if one of them is not a mapping. */
function findPathAbove(above: string, indent: number): Path | undefined {
  const path: string[] = [];
  const lines = above.split(/\r?\n/);
  for (let at = lines.length - 1; at >= 0 && indent > 0; at--) {
    const line = lines[at] ?? "";
    const own = line.search(/[^ ]/);
    if (own < 0 || own >= indent || line[own] === "#") continue;
    const [, , key] = MAPPING_KEY.exec(line) ?? [];
    if (key === undefined) return undefined;
    path.unshift(key);
    indent = own;
  }
  return path;
}
