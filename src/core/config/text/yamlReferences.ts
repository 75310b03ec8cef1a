import { findNodeAtLocation, type Node } from "jsonc-parser";

type NodePath = readonly (string | number)[];

/** Length of a chain of references; longer ones are assumed to be cycles. */
const MAX_REFERENCE_HOPS = 8;

/**
 * Resolves OmegaConf's references (NeMo, llm-foundry): `${a.b}` from the root, `${.b}` from the same object, one level
 * up for each further dot. A reference takes the value of its target and keeps its own position. References to values
 * outside the file (`${ENV}`, `${oc.env:X}`, `???`) become null.
 */
export function resolveReferences(root: Node): Node {
  const resolved = (node: Node, path: NodePath): Node => {
    if (node.type === "string") return resolveScalar(root, node, path);
    if (node.children === undefined) return node;
    return { ...node, children: node.children.map((child, i) => resolvedChild(node, child, [...path, i])) };
  };
  const resolvedChild = (parent: Node, child: Node, path: NodePath): Node => {
    if (parent.type !== "object") return resolved(child, path);
    const [key, value] = child.children ?? [];
    if (key === undefined || value === undefined) return child;
    return { ...child, children: [key, resolved(value, [...path.slice(0, -1), String(key.value)])] };
  };
  return resolved(root, []);
}

function resolveScalar(root: Node, node: Node, path: NodePath): Node {
  const { type, offset, length } = node;
  if (type !== "string" || !isReference(node.value)) return node;
  const target = followReference(root, String(node.value), path, 0);
  if (target === undefined) return { type: "null", value: null, offset, length };
  return { type: target.type, value: target.value, offset, length };
}

function isReference(value: unknown): boolean {
  return typeof value === "string" && (value === "???" || /^\$\{[^}]*\}$/.test(value));
}

/** The scalar at the end of a chain of references. */
function followReference(root: Node, text: string, path: NodePath, hops: number): Node | undefined {
  const match = /^\$\{(\.*)([\w-]+(?:\.[\w-]+)*)\}$/.exec(text);
  if (match === null || hops > MAX_REFERENCE_HOPS) return undefined;
  const [, dots = "", names = ""] = match;
  const base = dots === "" ? [] : path.slice(0, Math.max(0, path.length - dots.length));
  const where = [...base, ...names.split(".")];
  const target = findNodeAtLocation(root, where);
  if (target === undefined || target.children !== undefined) return undefined;
  return isReference(target.value) ? followReference(root, String(target.value), where, hops + 1) : target;
}
