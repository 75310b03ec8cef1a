import { type ChangedRange, type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";
import { isWhole, wholeFragments } from "./reusable.ts";

/** The syntax tree of a text, kept from edit to edit. */
export class Syntax {
  readonly text: string;
  #parsed: Tree;
  /** Broken code was read here as it would be at once. */
  #settled: boolean;

  private constructor(text: string, parsed: Tree, settled: boolean) {
    this.text = text;
    this.#parsed = parsed;
    this.#settled = settled;
  }

  static parse(text: string): Syntax {
    return isTooDeep(text) ? new Syntax(text, NOTHING, true) : new Syntax(text, parser.parse(text), true);
  }

  /** The syntax of the text after changes: quick, and what it costs to be right about broken code waits for a reader. */
  edited(text: string, changes: readonly ChangedRange[]): Syntax {
    if (this.#parsed === NOTHING || isTooDeep(text)) return Syntax.parse(text);
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(this.#parsed), changes);
    return new Syntax(text, parser.parse(text, fragments), false);
  }

  /** Lezer keeps a guess at broken code when what broke it is mended elsewhere, so guesses are made anew. */
  get tree(): Tree {
    if (!this.#settled && !isWhole(this.#parsed)) this.#parsed = parser.parse(this.text, wholeFragments(this.#parsed));
    this.#settled = true;
    return this.#parsed;
  }

  /** Has no error in it. */
  get isWhole(): boolean {
    return this.#parsed !== NOTHING && isWhole(this.tree);
  }
}

/** What is read of a text that is not read. */
const NOTHING = parser.parse("");

/** More open brackets than any program has: to recover from errors among them takes the parser seconds. */
const MAX_OPEN = 1500;

function isTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // ( [ { and ) ] }
    if (code === 40 || code === 91 || code === 123) open++;
    else if ((code === 41 || code === 93 || code === 125) && open > 0) open--;
    if (open > MAX_OPEN) return true;
  }
  return false;
}
