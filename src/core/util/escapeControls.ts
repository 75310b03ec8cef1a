/**
 * Characters that a terminal or an editor acts on instead of showing: C0 and C1 controls, line separators, zero-width
 * characters and the direction marks that reorder text around them.
 */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Text of a file, a name or an error as one visible line: what would act on a terminal is written as an escape. */
export function escapeControls(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
