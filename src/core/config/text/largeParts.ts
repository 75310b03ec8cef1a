/** Characters; shorter texts are parsed as a whole. */
const LARGE_TEXT_LENGTH = 1024 * 1024;

/** Characters; longer lists are not about positions, which have at most one entry per layer or frequency. */
const LARGE_LIST_LENGTH = 256 * 1024;

/** Characters, nested large parts excluded; larger objects are not sub-configs of a model. */
const LARGE_OBJECT_LENGTH = 4 * 1024 * 1024;

/** Characters; longer strings cost no more than their text and do not make a list large. */
const LONG_STRING_LENGTH = 1000;

const JSON_TOKENS = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[{}\]]/g;

/** An open bracket, and the number of characters in it that are blanked or in long strings. */
interface OpenBracket {
  readonly start: number;
  excludedLength: number;
}

/**
 * Blanks the contents of large lists and objects and keeps offsets: a tree of millions of values would need a hundred
 * times the memory of the text. The top-level object is never blanked. The search stops at unmatched brackets.
 */
export function withoutLargeParts(text: string): string {
  if (text.length < LARGE_TEXT_LENGTH) return text;
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of findLargeParts(text)) {
    // Line breaks, because the parser collects a run of spaces character by character.
    parts.push(text.slice(end, from), "\n".repeat(to - from));
    end = to;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(end);
}

/** [from, to) of the large parts, without their brackets, in order; of nested parts only the outermost. */
function findLargeParts(text: string): [number, number][] {
  const open: OpenBracket[] = [];
  let found: [number, number][] = [];
  for (const { 0: token, index } of text.matchAll(JSON_TOKENS)) {
    if (token === "[" || token === "{") open.push({ start: index, excludedLength: 0 });
    else if (token === "]" || token === "}") {
      const closed = open.pop();
      const parent = open.at(-1);
      if (closed === undefined || text[closed.start] !== (token === "]" ? "[" : "{")) break;
      if (parent === undefined) continue;
      const isLarge =
        index - closed.start - closed.excludedLength > (token === "]" ? LARGE_LIST_LENGTH : LARGE_OBJECT_LENGTH);
      if (isLarge) found = [...found.filter(([from]) => from < closed.start), [closed.start + 1, index]];
      parent.excludedLength += isLarge ? index - closed.start : closed.excludedLength;
    } else if (token.length > LONG_STRING_LENGTH) excludeFromInnermost(open, token.length);
  }
  return found;
}

function excludeFromInnermost(open: readonly OpenBracket[], length: number): void {
  const last = open.at(-1);
  if (last !== undefined) last.excludedLength += length;
}
