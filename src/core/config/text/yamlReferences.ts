import type { Node } from "jsonc-parser";

type NodePath = readonly (string | number)[];

/** Finds values by path; the keys of each object are indexed once, because there may be thousands of references. */
class NodeFinder {
  readonly #root: Node;
  readonly #values = new Map<Node, ReadonlyMap<string, Node>>();

  constructor(root: Node) {
    this.#root = root;
  }

  find(path: NodePath): Node | undefined {
    return path.reduce<Node | undefined>((node, step) => node && this.#child(node, step), this.#root);
  }

  #child(node: Node, step: string | number): Node | undefined {
    if (node.type === "array") return node.children?.[Number(step)];
    if (node.type !== "object") return undefined;
    let values = this.#values.get(node);
    if (values === undefined) {
      values = new Map((node.children ?? []).flatMap(({ children }) => propertyEntry(children)));
      this.#values.set(node, values);
    }
    return values.get(String(step));
  }
}

function propertyEntry([key, value]: readonly Node[] = []): [string, Node][] {
  return key === undefined || value === undefined ? [] : [[String(key.value), value]];
}

/** Length of a chain of references; longer ones are assumed to be cycles. */
const MAX_REFERENCE_HOPS = 8;

/**
 * Resolves OmegaConf's references (NeMo, llm-foundry): `${a.b}` from the root, `${.b}` from the same object, one level
 * up for each further dot. A reference takes the value of its target and keeps its own position. References to values
 * outside the file (`${ENV}`, `${oc.env:X}`, `???`) and in circles stay as they are written.
 */
export function resolveReferences(root: Node): Node {
  const finder = new NodeFinder(root);
  const resolved = (node: Node, path: NodePath): Node => {
    if (node.type === "string") return resolveScalar(finder, node, path);
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

function resolveScalar(finder: NodeFinder, node: Node, path: NodePath): Node {
  const { type, offset, length } = node;
  if (type !== "string" || !isReference(node.value)) return node;
  const target = followReference(finder, String(node.value), path, 0);
  if (target === undefined) return node;
  return { type: target.type, value: target.value, offset, length };
}

/** A value that another key, the environment or the command line gives. */
export function isReference(value: unknown): boolean {
  return typeof value === "string" && (value === "???" || (value.startsWith("${") && value.endsWith("}")));
}

/** The scalar at the end of a chain of references. */
function followReference(finder: NodeFinder, text: string, path: NodePath, hops: number): Node | undefined {
  const match = /^\$\{(\.*)([\w-]+(?:\.[\w-]+)*)\}$/.exec(text);
  if (match === null || hops > MAX_REFERENCE_HOPS) return undefined;
  const [, dots = "", names = ""] = match;
  const base = dots === "" ? [] : path.slice(0, Math.max(0, path.length - dots.length));
  const where = [...base, ...names.split(".")];
  // MosaicML's platform hands its `parameters` to llm-foundry, whose references start there.
  const target = finder.find(where) ?? (dots === "" ? finder.find(["parameters", ...where]) : undefined);
  if (target === undefined || target.children !== undefined) return undefined;
  return isReference(target.value) ? followReference(finder, String(target.value), where, hops + 1) : target;
}
