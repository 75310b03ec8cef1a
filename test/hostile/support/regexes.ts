import { isRegularExpressionLiteral } from "typescript/unstable/ast/is";
import { descendants, readSources } from "./sources.ts";

/** A regular expression of the product. */
export interface SourceRegex {
  readonly file: string;
  readonly regex: RegExp;
}

/** All regular expression literals of the product. */
export const readRegexes = (): SourceRegex[] =>
  readSources(({ file, ast }) =>
    [...descendants(ast)].flatMap((node) => {
      if (!isRegularExpressionLiteral(node)) return [];
      const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      return [{ file, regex: new RegExp(source, flags) }];
    }),
  );

/** What files are made of, and what regular expressions repeat. */
const PUMPS = [
  ..." \t\n\raA01_.,:;=-+*/\\|&%$#@!?^~`'\"()[]{}<>x",
  "\r\n",
  "\\\\",
  "a ",
  " a",
  "1,",
  "a.",
  "ab",
  "\\a",
  "(1",
  "[a",
  "{a",
  "$a",
  "\\[",
  "\\(",
  "> ",
  "/*",
  "//",
  "é",
];

/** The letters, digits and signs that a pattern asks for, in its order. */
function literals(source: string): string[] {
  const plain = source.replace(/\(\?(?:[:=!]|<[=!]|<\w+>)|\\[bBdDsSwW]|[()^$|]|\{\d*,?\d*\}|[+*?]/g, "\u0000");
  const runs = plain.split("\u0000").flatMap((run) => run.replace(/\[[^\]]*\]/g, "\u0000").split("\u0000"));
  return [...new Set(runs.map((run) => run.replace(/\\(.)/g, "$1")).filter((run) => run.length > 0))];
}

/** Long texts that keep a quadratic pattern busy: a beginning, something again and again, and what does not fit. */
export function* pumpedTexts({ source }: RegExp, length: number): Generator<string> {
  const own = literals(source).slice(0, 12);
  const units = new Set([...PUMPS, ...own, ...own.map((part) => `${part} `), own.join("")]);
  for (const start of ["", ...own.slice(0, 4)])
    for (const unit of units) if (unit !== "") yield `${start}${unit.repeat(Math.ceil(length / unit.length))}\u0000`;
}

/** Milliseconds of one search through a text, as the product does it: all matches if the pattern is global. */
export function timeSearch(regex: RegExp, text: string): number {
  const start = performance.now();
  if (regex.global) text.replace(regex, "");
  else regex.test(text);
  return performance.now() - start;
}
