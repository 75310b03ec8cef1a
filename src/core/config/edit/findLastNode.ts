import type { Node } from "jsonc-parser";
import type { Path } from "../text/json.ts";

/** The value at a path; of duplicate keys the last, which is the one that counts. */
export function findLastNode(root: Node | undefined, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (node?.type === "array") return node.children?.[Number(step)];
    if (node?.type !== "object") return undefined;
    return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }, root);
}
