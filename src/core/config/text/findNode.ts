import type { Node } from "jsonc-parser";
import type { Path } from "./json.ts";

/** The value at a path. Of duplicate keys the last one counts, as in Python. */
export function findNode(root: Node | undefined, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === "number") return node?.type === "array" ? node.children?.[step] : undefined;
    if (node?.type !== "object") return undefined;
    return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }, root);
}
