import { type ChangedRange, type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";
import { isWellFormed, reusableFragments } from "./reusableFragments.ts";

/** The syntax tree of a text, parsed incrementally from edit to edit. */
export class SyntaxTree {
  readonly text: string;
  #parsed: Tree;
  /** The tree equals that of a parse from scratch, also where the code is broken. */
  #isExact: boolean;

  private constructor(text: string, parsed: Tree, isExact: boolean) {
    this.text = text;
    this.#parsed = parsed;
    this.#isExact = isExact;
  }

  static parse(text: string): SyntaxTree {
    return isNestedTooDeep(text)
      ? new SyntaxTree(text, EMPTY_TREE, true)
      : new SyntaxTree(text, parser.parse(text), true);
  }

  /** The tree after changes. Parsing broken code exactly is deferred until the tree is read. */
  withChanges(text: string, changes: readonly ChangedRange[]): SyntaxTree {
    if (this.#parsed === EMPTY_TREE || (this.#mayNestDeeper(text, changes) && isNestedTooDeep(text)))
      return SyntaxTree.parse(text);
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(this.#parsed), changes);
    return new SyntaxTree(text, parser.parse(text, fragments), false);
  }

  /** True if an opening bracket was inserted or a closing one removed. */
  #mayNestDeeper(text: string, changes: readonly ChangedRange[]): boolean {
    return changes.some(
      ({ fromA, toA, fromB, toB }) =>
        /[([{]/.test(text.slice(fromB, toB)) || /[)\]}]/.test(this.text.slice(fromA, toA)),
    );
  }

  /** Lezer may reuse its error recovery after the error is fixed elsewhere, so broken parts are parsed again. */
  get tree(): Tree {
    if (!this.#isExact && !isWellFormed(this.#parsed))
      this.#parsed = parser.parse(this.text, reusableFragments(this.#parsed));
    this.#isExact = true;
    return this.#parsed;
  }

  /** True if the text has no syntax error. */
  get isWellFormed(): boolean {
    return this.#parsed !== EMPTY_TREE && isWellFormed(this.tree);
  }
}

/** Tree of a text that is not parsed. */
const EMPTY_TREE = parser.parse("");

/** More than in any real program: with more open brackets, Lezer's error recovery takes seconds. */
const MAX_OPEN_BRACKETS = 1500;

function isNestedTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const charCode = text.charCodeAt(at);
    // ( [ { and ) ] }
    if (charCode === 40 || charCode === 91 || charCode === 123) open++;
    else if ((charCode === 41 || charCode === 93 || charCode === 125) && open > 0) open--;
    if (open > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}
