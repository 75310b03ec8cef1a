import { type SyntaxNode, type Tree, TreeFragment } from "@lezer/common";
import { parser, Table } from "@lezer/markdown";
import { type FormulaDocument, type FormulaSpan, trimmedSpan } from "./formulaSpan.ts";
import { MATH_NODES, markdownMath } from "./markdownMath.ts";
import { type ScannedFormula, scannedFormulaAt, scanTex } from "./texScanner.ts";

const markdownParser = parser.configure([Table, markdownMath]);

/**
 * More containers in each other than in any real document: opening them takes time that grows with their square.
 */
const NESTED_CONTAINERS = /^(?:[ \t]{0,8}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){40}/m;

const PYTHON_INFO = /^\{?\.?(?:code-cell\}\s+)?(?:python3?|py3?|ipython3?|jupyter)\b/i;
const MATH_INFO = /^\{?math\}?\s*$/i;

/**
 * A Markdown text (also MyST, Quarto, R Markdown and notebook cells), parsed by `@lezer/markdown`: it is incremental,
 * never fails, and Lezer is here anyway for Python.
 */
export class MarkdownDocument implements FormulaDocument {
  readonly text: string;
  readonly #tree: Tree;

  private constructor(text: string, tree: Tree) {
    this.text = text;
    this.#tree = tree;
  }

  static parse(text: string): MarkdownDocument {
    return new MarkdownDocument(text, markdownParser.parse(NESTED_CONTAINERS.test(text) ? "" : text));
  }

  /** The document of another text. Only blocks around the change between the two are parsed again. */
  withText(text: string): MarkdownDocument {
    if (NESTED_CONTAINERS.test(text) || this.#tree.length !== this.text.length) return MarkdownDocument.parse(text);
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(this.#tree), [findChange(this.text, text)]);
    return new MarkdownDocument(text, markdownParser.parse(text, fragments));
  }

  formulaAt(offset: number): FormulaSpan | null {
    for (const side of [1, -1] as const) {
      for (let node: SyntaxNode | null = this.#tree.resolveInner(offset, side); node !== null; node = node.parent) {
        if (node.name === MATH_NODES.inline || node.name === MATH_NODES.block) return this.#spanOfMath(node);
        if (node.name === "InlineCode") return this.#spanOfRole(node);
        if (node.name === "FencedCode") return this.#spanOfFence(node);
        if (node.name === "HTMLBlock") return this.#spanInHtml(node, offset);
      }
    }
    return null;
  }

  /** True inside a fence of Python. */
  isPythonAt(offset: number): boolean {
    const node = this.#tree.resolveInner(offset, -1);
    const fence = node.name === "FencedCode" ? node : node.parent;
    return fence?.name === "FencedCode" && this.#isPython(fence);
  }

  /**
   * The Python of all fences: everything else is blanked, so that offsets stay the same. Fences share their names, like
   * the cells of a notebook.
   */
  extractPython(): string {
    const parts: string[] = [];
    let copiedTo = 0;
    const keep = (from: number, to: number) => {
      parts.push(blank(this.text.slice(copiedTo, from)), this.text.slice(from, to));
      copiedTo = to;
    };
    this.#tree.iterate({
      enter: (node) => {
        if (node.name === "Paragraph" || node.name === "Table") return false;
        if (node.name !== "FencedCode") return true;
        if (!this.#isPython(node.node)) return false;
        for (const code of node.node.getChildren("CodeText")) keep(code.from, code.to);
        return false;
      },
    });
    return parts.join("") + blank(this.text.slice(copiedTo));
  }

  #isPython(fence: SyntaxNode): boolean {
    const info = fence.getChild("CodeInfo");
    return info !== null && PYTHON_INFO.test(this.text.slice(info.from, info.to));
  }

  #spanOfMath(node: SyntaxNode): FormulaSpan | null {
    const marks = node.getChildren(MATH_NODES.mark);
    const from = marks[0]?.to ?? node.from;
    const to = marks[1]?.from ?? node.to;
    return trimmedSpan(this.text, from, to, blankOptions(this.#unquote(node, this.text.slice(from, to))));
  }

  /** MyST's `` {math}`…` `` */
  #spanOfRole(node: SyntaxNode): FormulaSpan | null {
    if (!this.text.slice(Math.max(0, node.from - 7), node.from).endsWith("{math}")) return null;
    const marks = node.getChildren("CodeMark");
    return trimmedSpan(this.text, marks[0]?.to ?? node.from, marks[1]?.from ?? node.to);
  }

  /** A fence of `math`; options like `:label: name` come first. */
  #spanOfFence(node: SyntaxNode): FormulaSpan | null {
    const info = node.getChild("CodeInfo");
    if (info === null || !MATH_INFO.test(this.text.slice(info.from, info.to))) return null;
    const closing = node.getChildren("CodeMark")[1];
    const from = info.to;
    const to = closing?.from ?? node.to;
    const tex = this.#unquote(node, this.text.slice(from, to));
    return trimmedSpan(this.text, from, to, blankOptions(tex));
  }

  /** HTML blocks are not Markdown, but math renderers find their delimiters there too. */
  #spanInHtml(node: SyntaxNode, offset: number): FormulaSpan | null {
    const formulas: readonly ScannedFormula[] = scanTex(this.text, { isTex: false, from: node.from, to: node.to });
    const found = scannedFormulaAt(formulas, offset);
    return found === null ? null : trimmedSpan(this.text, found.from, found.to);
  }

  /** Blanks the quote marks at the start of a quoted formula's lines. */
  #unquote(node: SyntaxNode, tex: string): string {
    for (let parent = node.parent; parent !== null; parent = parent.parent) {
      if (parent.name === "Blockquote") return tex.replace(/\n[ \t]*(?:>[ \t]?)+/g, blank);
    }
    return tex;
  }
}

/** Blanks the options of a MyST directive: `:label: name`. */
function blankOptions(tex: string): string {
  const options = /^\s*(?::[\w-]+:.*\n)+/.exec(tex)?.[0] ?? "";
  return blank(options) + tex.slice(options.length);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

/** The one change between two texts, from their common start to their common end. */
function findChange(before: string, after: string): { fromA: number; toA: number; fromB: number; toB: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return { fromA: start, toA: before.length - end, fromB: start, toB: after.length - end };
}
