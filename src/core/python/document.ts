import type { TextPosition, TextRange } from "../spec.ts";
import { SyntaxTree } from "./parse/syntaxTree.ts";
import { AnalysedCode, type AnalysisContext, NO_CONTEXT } from "./recognise/analysedCode.ts";
import type { Module } from "./symbols/module.ts";
import { ModuleBuilder } from "./symbols/moduleBuilder.ts";

/** Text that replaces `from … to` of the old document; UTF-16 offsets. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The analysis that a document shares with the documents made from it by edits. It reflects the state of `latest`. */
interface SharedAnalysis {
  readonly moduleBuilder: ModuleBuilder;
  latest: PythonDocument | null;
}

/**
 * A Python file: text, syntax tree, and the analysis for the recognisers, computed on first use. Immutable;
 * `withChanges` reuses what a change does not touch. The analysis moves on to the newest document that requests it; an
 * older document that still needs one builds its own.
 */
export class PythonDocument {
  readonly text: string;
  readonly #syntax: SyntaxTree;
  #sharedAnalysis: SharedAnalysis;
  /** The latest first. One without context and one with: findings and hovers take turns. */
  #analyses: readonly AnalysedCode[] = [];
  #cachedLineStarts: readonly number[] | undefined;

  private constructor(syntax: SyntaxTree, sharedAnalysis: SharedAnalysis) {
    this.text = syntax.text;
    this.#syntax = syntax;
    this.#sharedAnalysis = sharedAnalysis;
  }

  static parse(text: string): PythonDocument {
    return new PythonDocument(SyntaxTree.parse(text), newSharedAnalysis());
  }

  /** The document after changes, which are sorted and do not overlap. Only changed parts are parsed again. */
  withChanges(changes: readonly TextChange[]): PythonDocument {
    if (changes.length === 0) return new PythonDocument(this.#syntax, this.#sharedAnalysis);
    let text = "";
    let copiedTo = 0;
    const ranges = changes.map((change) => {
      text += this.text.slice(copiedTo, change.from);
      const fromB = text.length;
      text += change.text;
      copiedTo = change.to;
      return { fromA: change.from, toA: change.to, fromB, toB: text.length };
    });
    text += this.text.slice(copiedTo);
    return new PythonDocument(this.#syntax.withChanges(text, ranges), this.#sharedAnalysis);
  }

  /** The document of another text, treated as one change between the common start and the common end. */
  withText(text: string): PythonDocument {
    const before = this.text;
    const shorterLength = Math.min(before.length, text.length);
    let commonStart = 0;
    while (commonStart < shorterLength && before.charCodeAt(commonStart) === text.charCodeAt(commonStart))
      commonStart++;
    let commonEnd = 0;
    while (
      commonEnd < shorterLength - commonStart &&
      before.charCodeAt(before.length - 1 - commonEnd) === text.charCodeAt(text.length - 1 - commonEnd)
    )
      commonEnd++;
    return this.withChanges([
      { from: commonStart, to: before.length - commonEnd, text: text.slice(commonStart, text.length - commonEnd) },
    ]);
  }

  /** True if the file has no syntax error. */
  get isWellFormed(): boolean {
    return this.#syntax.isWellFormed;
  }

  /** Analyses the file for the recognisers. The result is kept until another context or an edited document needs one. */
  analyse(context: AnalysisContext = NO_CONTEXT): AnalysedCode {
    if (this.#sharedAnalysis.latest !== this) {
      if (this.#analyses.length > 0) this.#sharedAnalysis = newSharedAnalysis();
      this.#analyses = [];
      this.#sharedAnalysis.latest = this;
    }
    const known = this.#analyses.find((analysis) => analysis.context === context);
    if (known !== undefined) return known;
    const module = this.#sharedAnalysis.moduleBuilder.build(this.#syntax.tree, this.text, context);
    const analysis = new AnalysedCode(module, context);
    this.#analyses = [analysis, ...this.#analyses].slice(0, 2);
    return analysis;
  }

  imports(): Module["imports"] {
    return (this.#analyses[0] ?? this.analyse()).module.imports;
  }

  /** True inside a comment or a string, but not inside the expressions of an f-string. */
  isInCommentOrString(offset: number): boolean {
    for (const side of [-1, 1] as const) {
      let node: { name: string; parent: unknown } | null = this.#syntax.tree.resolveInner(offset, side);
      while (node !== null) {
        if (node.name === "FormatReplacement") return false;
        if (node.name !== "Comment" && node.name !== "String" && node.name !== "FormatString") {
          node = isSyntaxNode(node.parent) ? node.parent : null;
          continue;
        }
        if (side === 1 || node.name === "Comment") return true;
        break;
      }
    }
    return false;
  }

  /** The string or comment at an offset; null in code. */
  proseAt(offset: number): { readonly kind: "comment" | "string"; readonly from: number; readonly to: number } | null {
    for (const side of [1, -1] as const) {
      let node = this.#syntax.tree.resolveInner(offset, side);
      for (let hops = 0; hops < 8; hops++) {
        if (node.name === "Comment") return { kind: "comment", from: node.from, to: node.to };
        if (node.name === "String" || node.name === "FormatString")
          return { kind: "string", from: node.from, to: node.to };
        if (node.parent === null) break;
        node = node.parent;
      }
    }
    return null;
  }

  positionAt(offset: number): TextPosition {
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

  /** Offset of a 1-based position; null outside of the text. */
  offsetAt(position: TextPosition): number | null {
    const start = this.#lineStarts()[position.line - 1];
    if (start === undefined || position.column < 1) return null;
    const next = this.#lineStarts()[position.line] ?? this.text.length + 1;
    const offset = start + position.column - 1;
    return offset < next ? offset : null;
  }

  toRange(span: { readonly from: number; readonly to: number }): TextRange {
    return { start: this.positionAt(span.from), end: this.positionAt(span.to) };
  }

  #lineStarts(): readonly number[] {
    this.#cachedLineStarts ??= findLineStarts(this.text);
    return this.#cachedLineStarts;
  }
}

function newSharedAnalysis(): SharedAnalysis {
  return { moduleBuilder: new ModuleBuilder(), latest: null };
}

function isSyntaxNode(value: unknown): value is { name: string; parent: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "parent" in value
  );
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  const breaks = /\r\n|\r|\n/g;
  while (breaks.exec(text) !== null) starts.push(breaks.lastIndex);
  return starts;
}

/** Characters; the longest model files have 300,000. Longer texts are generated, and parsing them would block. */
export const MAX_PYTHON_LENGTH = 600_000;

/** @param text the whole file; anything is accepted */
export function createPythonDocument(text: string): PythonDocument {
  return PythonDocument.parse(text);
}
