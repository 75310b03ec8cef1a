import type { Node } from "jsonc-parser";
import type { TextRange } from "../../spec.ts";
import type { JsonDocument, Path } from "./json.ts";

/** A value of the file and its location. */
export interface LocatedValue {
  readonly value: unknown;
  readonly path: Path;
  readonly range: TextRange;
}

/** One object of a JSON document. Of duplicate keys the last one counts, as in Python. */
export class Section {
  readonly path: Path;
  readonly #document: JsonDocument;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #node: Node;
  /** Made once: every rule asks for the same objects, and one of a hostile file may have thousands of keys. */
  readonly #sections = new Map<string, Section>();
  /** Values that were looked at, of the whole document. */
  readonly #reads: Set<Node>;

  constructor(document: JsonDocument, node: Node, path: Path, reads: Set<Node> = new Set()) {
    this.#document = document;
    this.#node = node;
    this.path = path;
    this.#reads = reads;
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

  /** The value at a key, or at several joined by dots. */
  get(key: string): LocatedValue | undefined {
    const node = this.#nodes.get(key);
    if (node === undefined) {
      const dot = key.lastIndexOf(".");
      return dot < 0 ? undefined : this.section(key.slice(0, dot))?.get(key.slice(dot + 1));
    }
    this.#reads.add(node);
    return { value: this.#document.valueOf(node), path: [...this.path, key], range: this.#document.rangeOf(node) };
  }

  /** The object at a key, or at several joined by dots. */
  section(key: string): Section | undefined {
    const direct = this.#nodes.get(key);
    if (direct?.type === "object") {
      const known = this.#sections.get(key) ?? new Section(this.#document, direct, [...this.path, key], this.#reads);
      this.#sections.set(key, known);
      return known;
    }
    const dot = key.indexOf(".");
    return dot < 0 ? undefined : this.section(key.slice(0, dot))?.section(key.slice(dot + 1));
  }

  string(key: string): string | undefined {
    const node = this.#nodes.get(key);
    if (node !== undefined) this.#reads.add(node);
    return node?.type === "string" ? String(node.value) : undefined;
  }

  /** Whether the value of a key was looked at, here or in any other section of the document. */
  wasRead(key: string): boolean {
    const node = this.#nodes.get(key);
    return node !== undefined && this.#reads.has(node);
  }

  /** What was looked at so far does not count: a format was tried, not read. */
  forgetReads(): void {
    this.#reads.clear();
  }

  /** The exact spelling of the value at a path of the document. */
  textOf(path: Path): string | undefined {
    return this.#document.textAt(path);
  }

  /** Location of the object itself. */
  range(): TextRange {
    return this.#document.rangeOf(this.#node);
  }
}
