import { type ChangedRange, type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";
import { isWhole, wholeFragments } from "./whole.ts";

/** The syntax tree of a text, kept from edit to edit. */
export class Syntax {
  readonly text: string;
  private parsed: Tree;
  /** Broken code was read here as it would be at once. */
  private settled: boolean;

  private constructor(text: string, parsed: Tree, settled: boolean) {
    this.text = text;
    this.parsed = parsed;
    this.settled = settled;
  }

  static parse(text: string): Syntax {
    return new Syntax(text, parser.parse(text), true);
  }

  /** The syntax of the text after changes: quick, and what it costs to be right about broken code waits for a reader. */
  edited(text: string, changes: readonly ChangedRange[]): Syntax {
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(this.parsed), changes);
    return new Syntax(text, parser.parse(text, fragments), false);
  }

  /** Lezer keeps a guess at broken code when what broke it is mended elsewhere, so guesses are made anew. */
  get tree(): Tree {
    if (!this.settled && !isWhole(this.parsed)) this.parsed = parser.parse(this.text, wholeFragments(this.parsed));
    this.settled = true;
    return this.parsed;
  }
}
