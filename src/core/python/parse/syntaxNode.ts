import { NodeType, Tree, type TreeBuffer } from "@lezer/common";

/** A node of Lezer's tree with its children, bounded in depth. */
export interface Raw {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  readonly children: readonly Raw[];
}

interface Growing extends Raw {
  readonly children: Raw[];
}

/** One or a few whole statements of a module: what Lezer keeps as one object while only other places are edited. */
export interface Stretch {
  readonly node: Tree | TreeBuffer;
  readonly from: number;
}

/** Deeper nesting than any program has is cut here, so that recursion over the tree is safe. */
const MAX_DEPTH = 180;

/** The children of a module, in order, out of the nameless nodes that Lezer balances them with. */
export function stretchesOf(tree: Tree, from = 0): Stretch[] {
  return tree.children.flatMap((node, index) => {
    const at = from + (tree.positions[index] ?? 0);
    return node instanceof Tree && node.type.isAnonymous ? stretchesOf(node, at) : [{ node, from: at }];
  });
}

/** Copies a stretch without recursion; comments are dropped. */
export function rawNodes({ node, from }: Stretch): readonly Raw[] {
  const root: Growing = { type: "", from, to: from + node.length, children: [] };
  const stack: Growing[] = [root];
  // The nameless node around it is not visited.
  new Tree(NodeType.none, [node], [0], node.length).iterate({
    enter(inner) {
      if (inner.name === "Comment" || stack.length > MAX_DEPTH) return false;
      stack.push({ type: inner.name, from: from + inner.from, to: from + inner.to, children: [] });
      return undefined;
    },
    leave() {
      const done = stack.pop();
      if (done !== undefined) stack.at(-1)?.children.push(done);
    },
  });
  return root.children;
}
