import { NodeType, Tree, type TreeBuffer } from "@lezer/common";

/** A node of Lezer's tree with its children, bounded in depth. */
export interface SyntaxNode {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  readonly children: readonly SyntaxNode[];
}

interface MutableSyntaxNode extends SyntaxNode {
  readonly children: SyntaxNode[];
}

/** One or a few top-level statements. Lezer reuses the object while only other places are edited. */
export interface TopLevelNode {
  readonly subtree: Tree | TreeBuffer;
  readonly from: number;
}

/** Deeper nodes are dropped so that recursion over the tree is safe. Real programs are not nested that deep. */
const MAX_NODE_DEPTH = 180;

/** The children of a module in order, without the anonymous nodes that Lezer uses for balancing. */
export function topLevelNodes(tree: Tree, from = 0): TopLevelNode[] {
  return tree.children.flatMap((subtree, index) => {
    const at = from + (tree.positions[index] ?? 0);
    return subtree instanceof Tree && subtree.type.isAnonymous ? topLevelNodes(subtree, at) : [{ subtree, from: at }];
  });
}

/** Copies the nodes under a top-level node without recursion; comments are dropped. */
export function copySyntaxNodes({ subtree, from }: TopLevelNode): readonly SyntaxNode[] {
  const root: MutableSyntaxNode = { type: "", from, to: from + subtree.length, children: [] };
  const stack: MutableSyntaxNode[] = [root];
  // The anonymous root is not visited.
  new Tree(NodeType.none, [subtree], [0], subtree.length).iterate({
    enter(inner) {
      if (inner.name === "Comment" || stack.length > MAX_NODE_DEPTH) return false;
      stack.push({ type: inner.name, from: from + inner.from, to: from + inner.to, children: [] });
      return undefined;
    },
    leave() {
      const node = stack.pop();
      if (node !== undefined) stack.at(-1)?.children.push(node);
    },
  });
  return root.children;
}
