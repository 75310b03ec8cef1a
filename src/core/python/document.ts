import type { Position, Range } from "../spec.ts";
import { Syntax } from "./parse/syntax.ts";
import { Code } from "./recognise/code.ts";
import { Analysis } from "./symbols/analysis.ts";

/** Text that replaces `from … to` of the old document; offsets are in UTF-16 code units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The analysis that documents made of each other by edits share, and the one whose state it is in. */
interface Shared {
  readonly analysis: Analysis;
  current: PythonDocument | null;
}

/**
 * A Python file: its text and syntax tree, and what the recognisers need, made when first asked for.
 * Immutable; `edit` reuses what a change leaves as it is. The analysis goes along with the newest document that asks
 * for it; an older one that still needs it makes its own.
 */
export class PythonDocument {
  readonly text: string;
  readonly #syntax: Syntax;
  #shared: Shared;
  #analysed: Code | undefined;
  #starts: readonly number[] | undefined;

  private constructor(syntax: Syntax, shared: Shared) {
    this.text = syntax.text;
    this.#syntax = syntax;
    this.#shared = shared;
  }

  static parse(text: string): PythonDocument {
    return new PythonDocument(Syntax.parse(text), newShared());
  }

  /** The document after changes, which are in order and do not overlap. Only what changed is parsed again. */
  edit(changes: readonly TextChange[]): PythonDocument {
    if (changes.length === 0) return new PythonDocument(this.#syntax, this.#shared);
    let text = "";
    let at = 0;
    const ranges = changes.map((change) => {
      text += this.text.slice(at, change.from);
      const fromB = text.length;
      text += change.text;
      at = change.to;
      return { fromA: change.from, toA: change.to, fromB, toB: text.length };
    });
    text += this.text.slice(at);
    return new PythonDocument(this.#syntax.edited(text, ranges), this.#shared);
  }

  /** The document of another text, read as one change: everything between what both begin and end with. */
  editTo(text: string): PythonDocument {
    const before = this.text;
    const shorter = Math.min(before.length, text.length);
    let from = 0;
    while (from < shorter && before.charCodeAt(from) === text.charCodeAt(from)) from++;
    let same = 0;
    while (
      same < shorter - from &&
      before.charCodeAt(before.length - 1 - same) === text.charCodeAt(text.length - 1 - same)
    )
      same++;
    return this.edit([{ from, to: before.length - same, text: text.slice(from, text.length - same) }]);
  }

  /** Has no error in its syntax. */
  get isWhole(): boolean {
    return this.#syntax.isWhole;
  }

  /** What the recognisers work on. */
  get code(): Code {
    if (this.#analysed !== undefined && this.#shared.current === this) return this.#analysed;
    if (this.#analysed !== undefined) this.#shared = newShared();
    this.#analysed = new Code(this.#shared.analysis.module(this.#syntax.tree, this.text));
    this.#shared.current = this;
    return this.#analysed;
  }

  /** Inside a comment or a string, where nothing is said. */
  isQuiet(offset: number): boolean {
    for (const side of [-1, 1] as const) {
      let node: { name: string; parent: unknown } | null = this.#syntax.tree.resolveInner(offset, side);
      while (node !== null) {
        if (node.name === "FormatReplacement") return false;
        if (node.name !== "Comment" && node.name !== "String" && node.name !== "FormatString") {
          node = isNode(node.parent) ? node.parent : null;
          continue;
        }
        if (side === 1 || node.name === "Comment") return true;
        break;
      }
    }
    return false;
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** Offset of a 1-based place; null outside of the text. */
  offsetAt(position: Position): number | null {
    const start = this.#lineStarts()[position.line - 1];
    if (start === undefined || position.column < 1) return null;
    const next = this.#lineStarts()[position.line] ?? this.text.length + 1;
    const offset = start + position.column - 1;
    return offset < next ? offset : null;
  }

  range(span: { readonly from: number; readonly to: number }): Range {
    return { start: this.positionAt(span.from), end: this.positionAt(span.to) };
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= lineStarts(this.text);
    return this.#starts;
  }
}

function newShared(): Shared {
  return { analysis: new Analysis(), current: null };
}

function isNode(value: unknown): value is { name: string; parent: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "parent" in value
  );
}

function lineStarts(text: string): number[] {
  const starts = [0];
  const breaks = /\r\n|\r|\n/g;
  while (breaks.exec(text) !== null) starts.push(breaks.lastIndex);
  return starts;
}

/** @param text the whole file; anything is accepted */
export function createPythonDocument(text: string): PythonDocument {
  return PythonDocument.parse(text);
}
