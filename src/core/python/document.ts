import { type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";
import type { Position, Range } from "../spec.ts";
import { buildModule } from "./model/build.ts";
import { Code } from "./recognisers/code.ts";
import { rawTree } from "./syntax/raw.ts";
import { statementsOf } from "./syntax/statements.ts";

/** Text that replaces `from … to` of the old document; offsets are in UTF-16 code units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A Python file: its text and syntax tree, and what the recognisers need, made when first asked for.
 * Immutable; `edit` reuses what a change leaves as it is.
 */
export class PythonDocument {
  readonly text: string;
  private readonly tree: Tree;
  private readonly fragments: readonly TreeFragment[];
  private analysed: Code | undefined;
  private starts: readonly number[] | undefined;

  private constructor(text: string, tree: Tree, fragments: readonly TreeFragment[]) {
    this.text = text;
    this.tree = tree;
    this.fragments = fragments;
  }

  static parse(text: string): PythonDocument {
    const tree = parser.parse(text);
    return new PythonDocument(text, tree, TreeFragment.addTree(tree));
  }

  /** The document after changes, which are in order and do not overlap. Only what changed is parsed again. */
  edit(changes: readonly TextChange[]): PythonDocument {
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
    const fragments = TreeFragment.applyChanges(this.fragments, ranges);
    const tree = parser.parse(text, fragments);
    return new PythonDocument(text, tree, TreeFragment.addTree(tree, fragments));
  }

  /** What the recognisers work on. */
  get code(): Code {
    this.analysed ??= new Code(buildModule(statementsOf(rawTree(this.tree).children, this.text), this.text));
    return this.analysed;
  }

  /** Inside a comment or a string, where nothing is said. */
  isQuiet(offset: number): boolean {
    for (const side of [-1, 1] as const) {
      let node: { name: string; parent: unknown } | null = this.tree.resolveInner(offset, side);
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
    const starts = this.lineStarts();
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
    const start = this.lineStarts()[position.line - 1];
    if (start === undefined || position.column < 1) return null;
    const next = this.lineStarts()[position.line] ?? this.text.length + 1;
    const offset = start + position.column - 1;
    return offset < next ? offset : null;
  }

  range(span: { readonly from: number; readonly to: number }): Range {
    return { start: this.positionAt(span.from), end: this.positionAt(span.to) };
  }

  private lineStarts(): readonly number[] {
    this.starts ??= lineStarts(this.text);
    return this.starts;
  }
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
