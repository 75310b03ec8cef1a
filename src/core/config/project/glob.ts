/**
 * Globs of `.posenc.json`, matched in linear time per wildcard: libraries translate them to regular expressions, which
 * a hostile pattern such as `*a*a*a*b` keeps busy for ever. What is supported: `*`, `?`, `[…]`, `**` as a whole
 * segment, and `{a,b}`.
 */
import * as l10n from "@vscode/l10n";
import { UserError } from "../../util/errors.ts";

/** Characters. */
const MAX_GLOB_LENGTH = 1000;

/** Alternatives of one glob, all braces multiplied. */
const MAX_ALTERNATIVES = 64;

/** Whether a path, with slashes, matches. */
export type Glob = (path: string) => boolean;

/** @throws UserError for a pattern that is not supported, saying why */
export function parseGlob(pattern: string): Glob {
  if (pattern.length > MAX_GLOB_LENGTH) throw new UserError(l10n.t("longer than {0} characters", MAX_GLOB_LENGTH));
  if (/[@!+*?]\(/.test(pattern) || pattern.startsWith("!"))
    throw new UserError(l10n.t("only *, ?, [abc], ** and {a,b} are supported"));
  const alternatives = expandBraces(pattern).map(parseAlternative);
  return (path) => {
    const names = path.split("/");
    return alternatives.some((segments) => matchSequence(segments, names, "**", matchName));
  };
}

/** `a{b,c}d` → `abd`, `acd`; braces nest. Braces without a comma or a partner are characters. */
function expandBraces(pattern: string): string[] {
  const group = findGroup(pattern);
  if (group === undefined) return [pattern];
  const rest = expandBraces(pattern.slice(group.end + 1));
  const inner = group.parts.flatMap((part) => expandBraces(part));
  if (inner.length * rest.length > MAX_ALTERNATIVES)
    throw new UserError(l10n.t("braces give more than {0} alternatives", MAX_ALTERNATIVES));
  const before = pattern.slice(0, group.start);
  return inner.flatMap((part) => rest.map((after) => before + part + after));
}

interface BraceGroup {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** The first outermost group with a comma. */
function findGroup(pattern: string): BraceGroup | undefined {
  for (let start = pattern.indexOf("{"); start >= 0; start = pattern.indexOf("{", start + 1)) {
    const group = readGroup(pattern, start);
    if (group !== undefined && group.parts.length > 1) return group;
  }
  return undefined;
}

function readGroup(pattern: string, start: number): BraceGroup | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "{") depth++;
    else if (character === "}") depth--;
    if ((character === "," && depth === 1) || depth === 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { start, end: at, parts };
  }
  return undefined;
}

function parseAlternative(text: string): readonly Segment[] {
  const segments = text.split("/").map(parseSegment);
  // `a/**` is what is in `a`, not `a` itself.
  return segments.at(-1) === "**" ? [...segments, ["*"]] : segments;
}

/** `**`, or the parts of a name: `*`, or what one character must be. */
type Segment = "**" | readonly NamePart[];
type NamePart = "*" | ((character: string) => boolean);

function parseSegment(text: string): Segment {
  if (text === "**") return "**";
  const parts: NamePart[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const end = character === "[" ? characters.indexOf("]", at + 2) : -1;
    if (character === "*") {
      if (parts.at(-1) !== "*") parts.push("*");
    } else if (character === "?") parts.push(() => true);
    else if (end > 0) {
      parts.push(parseClass(characters.slice(at + 1, end)));
      at = end;
    } else parts.push((candidate) => candidate === character);
  }
  return parts;
}

/** The inside of `[a-z_]` or `[!a-z]`. */
function parseClass(inside: readonly string[]): (character: string) => boolean {
  const negated = inside[0] === "!" || inside[0] === "^";
  const members = negated ? inside.slice(1) : inside;
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? "";
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([from, isRange ? (members[at + 2] ?? "") : from]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}

function matchName(segment: Segment, name: string): boolean {
  // `*` stands for at least one character when it is all there is.
  if (segment === "**" || (name === "" && segment.length > 0)) return false;
  return matchSequence(segment, [...name], "*", (part, character) => part !== "*" && part(character));
}

/**
 * Matches items against a pattern in which one element stands for any number of items. Only the last such element is
 * ever extended: an earlier one could not do better.
 */
function matchSequence<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  wildcard: Part,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let [p, i] = [0, 0];
  let lastWildcard = -1;
  let extendedTo = 0;
  while (i < items.length) {
    const [part, item] = [pattern[p], items[i]];
    if (p < pattern.length && part === wildcard) {
      lastWildcard = p++;
      extendedTo = i;
    } else if (p < pattern.length && part !== undefined && item !== undefined && matches(part, item)) {
      p++;
      i++;
    } else if (lastWildcard >= 0) {
      p = lastWildcard + 1;
      i = ++extendedTo;
    } else return false;
  }
  while (pattern[p] === wildcard) p++;
  return p === pattern.length;
}
