import { NodeType, Tree, TreeFragment } from "@lezer/common";
import { type Stretch, stretchesOf } from "./syntaxNode.ts";

/** What the next parse may take over from a tree: the statements without an error in them. */
export function wholeFragments(tree: Tree): readonly TreeFragment[] {
  const fragments: TreeFragment[] = [];
  let from = 0;
  const end = (to: number): void => {
    if (to > from) fragments.push(new TreeFragment(from, to, tree, 0));
  };
  for (const stretch of stretchesOf(tree)) {
    if (!isBroken(stretch)) continue;
    end(stretch.from);
    from = stretch.from + stretch.node.length;
  }
  end(tree.length);
  return fragments;
}

export function isWhole(tree: Tree): boolean {
  return !stretchesOf(tree).some(isBroken);
}

/** Answers for nodes that parses share: only what is new is looked through. */
const broken = new WeakMap<Stretch["node"], boolean>();

/** An unclosed bracket, say. */
function isBroken({ node }: Stretch): boolean {
  const known = broken.get(node);
  if (known !== undefined) return known;
  let found = false;
  new Tree(NodeType.none, [node], [0], node.length).iterate({
    enter(inner) {
      found ||= inner.type.isError;
      return found ? false : undefined;
    },
  });
  broken.set(node, found);
  return found;
}
