import type { Tree } from "@lezer/common";
import type { Place } from "../parse/move.ts";
import { statementsOf } from "../parse/statements.ts";
import { rawNodes, type Stretch, stretchesOf } from "../parse/syntaxNode.ts";
import { emptyRoot } from "./build.ts";
import type { CallSite, Module, Occurrence, Scope } from "./module.ts";
import { buildPart, movePart, type Part } from "./part.ts";

/**
 * The model of a file through its edits. Parts whose syntax is the very same object as before are kept and moved;
 * so only the module that was made last can be used.
 */
export class Analysis {
  readonly #root = emptyRoot();
  #parts: ReadonlyMap<Stretch["node"], Part> = new Map();

  /** @param tree parsed incrementally from the tree given before, if there was one */
  module(tree: Tree, text: string): Module {
    const parts = new Map<Stretch["node"], Part>();
    for (const stretch of stretchesOf(tree)) parts.set(stretch.node, this.#part(stretch, text));
    this.#parts = parts;
    return assembled([...parts.values()], this.#root, text);
  }

  #part(stretch: Stretch, text: string): Part {
    const known = this.#parts.get(stretch.node);
    if (known === undefined) return buildPart(statementsOf(rawNodes(stretch), text), stretch.from, this.#root);
    movePart(known, stretch.from);
    return known;
  }
}

function assembled(parts: readonly Part[], root: Scope, text: string): Module {
  fillRoot(root, parts, text.length);
  let occurrences: readonly Occurrence[] | undefined;
  const scopes = parts.flatMap((part) => part.scopes);
  return {
    text,
    links: { constant: () => null, from: 0 },
    root,
    parts,
    get occurrences() {
      // Tens of thousands in a large file, which a hover can do without.
      occurrences ??= parts.flatMap((part) => part.occurrences);
      return occurrences;
    },
    calls: callsOf(parts),
    imports: parts.flatMap((part) => part.imports),
    scopes,
    scopesByName: new Map(scopes.toReversed().map((scope) => [scope.name, scope])),
  };
}

function fillRoot(root: Scope, parts: readonly Part[], length: number): void {
  const end: Place = root.span;
  end.to = length;
  root.bindings.clear();
  for (const list of LISTS) root[list].length = 0;
  for (const { top } of parts) {
    for (const [name, found] of top.bindings) {
      const known = root.bindings.get(name);
      if (known === undefined) root.bindings.set(name, [...found]);
      else addAll(known, found);
    }
    addAll(root.children, top.children);
    addAll(root.returns, top.returns);
    addAll(root.writes, top.writes);
    addAll(root.expressions, top.expressions);
  }
}

const LISTS = ["children", "returns", "writes", "expressions"] as const;

function addAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** Sites by name, put together from all parts when first asked for. */
function callsOf(parts: readonly Part[]): Module["calls"] {
  const known = new Map<string, readonly CallSite[]>();
  return {
    get(name) {
      const found = known.get(name) ?? parts.flatMap((part) => part.calls.get(name) ?? []);
      known.set(name, found);
      return found;
    },
  };
}
