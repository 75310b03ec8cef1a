import type { Node } from "jsonc-parser";
import { isAlias, isMap, isPair, isScalar, isSeq } from "yaml";
import { Budget, BudgetError } from "../../util/budget.ts";
import { composeYaml, YAML_LIMITS } from "./composeYaml.ts";
import { createDocument, type ParsedText } from "./createDocument.ts";
import type { JsonDocument } from "./json.ts";
import { resolveReferences } from "./yamlReferences.ts";

/** No config nests deeper. */
const MAX_YAML_DEPTH = 100;

/**
 * Converts YAML to the tree that the JSON readers work on, with the same positions. Aliases of scalars are resolved;
 * those of collections are not, because they could grow without bound. A text beyond the budget is an error that names
 * the limit.
 */
export function readYaml(text: string, budget = new Budget(YAML_LIMITS)): JsonDocument {
  return createDocument(text, parseYaml(text, budget));
}

function parseYaml(text: string, budget: Budget): ParsedText {
  try {
    const document = composeYaml(text, budget);
    const read = new YamlTree().node(document.contents, 0);
    const root = read !== undefined && /\$\{|\?\?\?/.test(text) ? resolveReferences(read) : read;
    const [first] = document.errors;
    if (first === undefined) return { root };
    return { root, error: { message: first.message.split("\n")[0] ?? "", offset: first.pos[0] } };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return { root: undefined, error: { message: error.message, offset: 0 } };
  }
}

/** Converts a document in its order, so that an alias takes the anchor before it without a search. */
class YamlTree {
  readonly #anchors = new Map<string, unknown>();

  /** Deeper nesting is left out. */
  node(item: unknown, depth: number): Node | undefined {
    if (depth > MAX_YAML_DEPTH) return undefined;
    if (isAlias(item)) {
      const target = this.#anchors.get(item.source);
      return isScalar(target) ? scalarNode(target.value, item.range) : undefined;
    }
    if ((isScalar(item) || isSeq(item) || isMap(item)) && item.anchor !== undefined)
      this.#anchors.set(item.anchor, item);
    if (isScalar(item)) return scalarNode(item.value, item.range);
    if (isSeq(item)) {
      const children = item.items.flatMap((child) => this.node(child, depth + 1) ?? []);
      return { type: "array", ...offsetAndLength(item.range), children };
    }
    if (!isMap(item)) return undefined;
    const children = item.items.flatMap((pair) => this.#property(pair, depth));
    return { type: "object", ...offsetAndLength(item.range), children };
  }

  #property(pair: unknown, depth: number): Node[] {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    if (pair.key.anchor !== undefined) this.#anchors.set(pair.key.anchor, pair.key);
    const key: Node = { type: "string", value: String(pair.key.value), ...offsetAndLength(pair.key.range) };
    const afterKey = { offset: key.offset + key.length, length: 0 };
    const value = this.node(pair.value, depth + 1) ?? { type: "null", value: null, ...afterKey };
    const length = value.offset + value.length - key.offset;
    return [{ type: "property", offset: key.offset, length, children: [key, value] }];
  }
}

function scalarNode(value: unknown, range: readonly number[] | null | undefined): Node {
  const type =
    value === null ? "null" : typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
  return { type, value: type === "string" ? String(value) : value, ...offsetAndLength(range) };
}

function offsetAndLength(range: readonly number[] | null | undefined): { offset: number; length: number } {
  const [start = 0, end = 0] = range ?? [];
  return { offset: start, length: Math.max(0, end - start) };
}
