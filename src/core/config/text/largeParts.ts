/** Texts shorter than this are read whole. */
const LARGE_TEXT = 1024 * 1024;

/** A list of more characters says nothing about positions: the longest that do have an entry a layer or frequency. */
const LARGE_LIST = 256 * 1024;

/** An object of more characters of its own is not one of a model's sub-configurations. */
const LARGE_OBJECT = 4 * 1024 * 1024;

/** A string of more characters costs no more than them: it does not make its list large. */
const LONG_STRING = 1000;

const TOKENS = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[{}\]]/g;

/** A bracket that is open, and how many characters in it are already blanked or in long strings. */
interface Open {
  readonly start: number;
  apart: number;
}

/**
 * The text with the insides of its large lists and objects blanked, offsets kept: a tree of their millions of values
 * would take a hundred times their size in memory. The text's own object is never one of them. Brackets that do not
 * match end the search; what follows stays as it is.
 */
export function withoutLargeParts(text: string): string {
  if (text.length < LARGE_TEXT) return text;
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of largeParts(text)) {
    // Line breaks: the parser gathers a run of spaces one by one into a string.
    parts.push(text.slice(end, from), "\n".repeat(to - from));
    end = to;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(end);
}

/** [from, to) inside the brackets of the large parts, in order; of parts in parts the outermost. */
function largeParts(text: string): [number, number][] {
  const open: Open[] = [];
  let found: [number, number][] = [];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === "[" || token === "{") open.push({ start: index, apart: 0 });
    else if (token === "]" || token === "}") {
      const closed = open.pop();
      const parent = open.at(-1);
      if (closed === undefined || text[closed.start] !== (token === "]" ? "[" : "{")) break;
      if (parent === undefined) continue;
      const isLarge = index - closed.start - closed.apart > (token === "]" ? LARGE_LIST : LARGE_OBJECT);
      if (isLarge) found = [...found.filter(([from]) => from < closed.start), [closed.start + 1, index]];
      parent.apart += isLarge ? index - closed.start : closed.apart;
    } else if (token.length > LONG_STRING) apartIn(open, token.length);
  }
  return found;
}

function apartIn(open: readonly Open[], length: number): void {
  const last = open.at(-1);
  if (last !== undefined) last.apart += length;
}
