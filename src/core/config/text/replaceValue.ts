import type { Node } from "jsonc-parser";
import type { JsonDocument, Path } from "./json.ts";

/** The same document with another value at a path; of duplicate keys the last one is replaced. */
export function replaceValue(document: JsonDocument, path: Path, value: unknown): JsonDocument {
  return { ...document, root: document.root === undefined ? undefined : replaceNode(document.root, path, value) };
}

function replaceNode(node: Node, [step, ...rest]: Path, value: unknown): Node {
  if (step === undefined) return createNode(value, node);
  const children = [...(node.children ?? [])];
  const index =
    typeof step === "number" ? step : children.findLastIndex(({ children: pair }) => pair?.[0]?.value === step);
  const child = children[index];
  if (child === undefined) return node;
  const [key, inner] = child.children ?? [];
  if (node.type === "array") children[index] = replaceNode(child, rest, value);
  else if (key !== undefined && inner !== undefined)
    children[index] = { ...child, children: [key, replaceNode(inner, rest, value)] };
  return { ...node, children };
}

/** A value in the place of another. */
function createNode(value: unknown, { offset, length }: Pick<Node, "offset" | "length">): Node {
  const place = { offset, length };
  if (Array.isArray(value))
    return { type: "array", ...place, children: value.map((item: unknown) => createNode(item, place)) };
  if (value === null) return { type: "null", value, ...place };
  if (typeof value === "number") return { type: "number", value, ...place };
  if (typeof value === "boolean") return { type: "boolean", value, ...place };
  return { type: "string", value: String(value), ...place };
}
