import { NodeType, Tree, TreeFragment } from "@lezer/common";
import { type TopLevelNode, topLevelNodes } from "./syntaxNode.ts";

/** The parts of a tree that the next parse may reuse: top-level statements without syntax errors. */
export function reusableFragments(tree: Tree): readonly TreeFragment[] {
  const fragments: TreeFragment[] = [];
  let from = 0;
  const addFragment = (to: number): void => {
    if (to > from) fragments.push(new TreeFragment(from, to, tree, 0));
  };
  for (const node of topLevelNodes(tree)) {
    if (!hasSyntaxError(node)) continue;
    addFragment(node.from);
    from = node.from + node.subtree.length;
  }
  addFragment(tree.length);
  return fragments;
}

export function isWellFormed(tree: Tree): boolean {
  return !topLevelNodes(tree).some(hasSyntaxError);
}

/** Cached because parses share nodes: only new nodes are searched for errors. */
const hasErrorByNode = new WeakMap<TopLevelNode["subtree"], boolean>();

function hasSyntaxError({ subtree }: TopLevelNode): boolean {
  const known = hasErrorByNode.get(subtree);
  if (known !== undefined) return known;
  let hasError = false;
  new Tree(NodeType.none, [subtree], [0], subtree.length).iterate({
    enter(inner) {
      hasError ||= inner.type.isError;
      return hasError ? false : undefined;
    },
  });
  hasErrorByNode.set(subtree, hasError);
  return hasError;
}
