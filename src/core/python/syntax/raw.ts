import type { Tree } from "@lezer/common";

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

/** Deeper nesting than any program has is cut here, so that recursion over the tree is safe. */
const MAX_DEPTH = 180;

/** Copies the tree without recursion; comments are dropped. */
export function rawTree(tree: Tree): Raw {
  const stack: Growing[] = [{ type: "Root", from: 0, to: tree.length, children: [] }];
  tree.iterate({
    enter(node) {
      if (node.name === "Comment" || stack.length > MAX_DEPTH) return false;
      stack.push({ type: node.name, from: node.from, to: node.to, children: [] });
      return undefined;
    },
    leave() {
      const done = stack.pop();
      if (done !== undefined) stack.at(-1)?.children.push(done);
    },
  });
  const root = stack[0];
  return root?.children[0] ?? { type: "Script", from: 0, to: tree.length, children: [] };
}
