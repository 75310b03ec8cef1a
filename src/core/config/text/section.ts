import type { Node } from "jsonc-parser";
import type { Range } from "../../spec.ts";
import type { JsonDocument, Path } from "./json.ts";

/** A value of the file with its place. */
export interface Found {
  readonly value: unknown;
  readonly path: Path;
  readonly range: Range;
}

/** One object of a JSON document: values by key, the last of double keys as Python takes it. */
export class Section {
  readonly path: Path;
  readonly #document: JsonDocument;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #node: Node;

  constructor(document: JsonDocument, node: Node, path: Path) {
    this.#document = document;
    this.#node = node;
    this.path = path;
    this.#nodes = new Map(
      (node.children ?? []).flatMap(({ children }): [string, Node][] => {
        const [key, value] = children ?? [];
        return key === undefined || value === undefined ? [] : [[String(key.value), value]];
      }),
    );
  }

  static root(document: JsonDocument): Section | undefined {
    return document.root?.type === "object" ? new Section(document, document.root, []) : undefined;
  }

  keys(): string[] {
    return [...this.#nodes.keys()];
  }

  has(key: string): boolean {
    return this.#nodes.has(key);
  }

  get(key: string): Found | undefined {
    const node = this.#nodes.get(key);
    if (node === undefined) return undefined;
    return { value: this.#document.valueOf(node), path: [...this.path, key], range: this.#document.rangeOf(node) };
  }

  /** The object under a key, or under keys joined by dots. */
  section(key: string): Section | undefined {
    const direct = this.#nodes.get(key);
    if (direct?.type === "object") return new Section(this.#document, direct, [...this.path, key]);
    const dot = key.indexOf(".");
    return dot < 0 ? undefined : this.section(key.slice(0, dot))?.section(key.slice(dot + 1));
  }

  string(key: string): string | undefined {
    const node = this.#nodes.get(key);
    return node?.type === "string" ? String(node.value) : undefined;
  }

  /** The value under a path of the document, as it is spelt. */
  textOf(path: Path): string | undefined {
    return this.#document.textAt(path);
  }

  /** Place of the object itself. */
  range(): Range {
    return this.#document.rangeOf(this.#node);
  }
}
