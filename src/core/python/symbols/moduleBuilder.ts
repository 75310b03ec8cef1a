import type { Tree } from "@lezer/common";
import type { MutableSpan } from "../parse/shiftSpans.ts";
import { buildStatements } from "../parse/statements.ts";
import { copySyntaxNodes, type TopLevelNode, topLevelNodes } from "../parse/syntaxNode.ts";
import type { CallSite, Module, ModuleContext, Occurrence, Scope } from "./module.ts";
import { buildModulePart, type ModulePart, shiftModulePart } from "./modulePart.ts";
import { emptyModuleScope } from "./symbolCollector.ts";

/**
 * Builds the module of a file through its edits. Parts whose syntax node is the same object as before are reused and
 * shifted in place, so only the latest module is valid.
 */
export class ModuleBuilder {
  readonly #root = emptyModuleScope();
  #parts: ReadonlyMap<TopLevelNode["subtree"], ModulePart> = new Map();

  /** @param tree parsed incrementally from the previous tree, if there was one */
  build(tree: Tree, text: string, context: ModuleContext): Module {
    const parts = new Map<TopLevelNode["subtree"], ModulePart>();
    for (const node of topLevelNodes(tree)) parts.set(node.subtree, this.#reuseOrBuild(node, text));
    this.#parts = parts;
    return assembleModule([...parts.values()], this.#root, text, context);
  }

  #reuseOrBuild(topLevelNode: TopLevelNode, text: string): ModulePart {
    const known = this.#parts.get(topLevelNode.subtree);
    if (known === undefined)
      return buildModulePart(buildStatements(copySyntaxNodes(topLevelNode), text), topLevelNode.from, this.#root);
    shiftModulePart(known, topLevelNode.from);
    return known;
  }
}

function assembleModule(parts: readonly ModulePart[], root: Scope, text: string, context: ModuleContext): Module {
  fillRoot(root, parts, text.length);
  let occurrences: readonly Occurrence[] | undefined;
  const scopes = parts.flatMap((part) => part.scopes);
  return {
    text,
    context,
    root,
    parts,
    get occurrences() {
      // Built on demand: a large file has tens of thousands, and a hover does not need them.
      occurrences ??= parts.flatMap((part) => part.occurrences);
      return occurrences;
    },
    calls: indexCalls(parts),
    imports: parts.flatMap((part) => part.imports),
    scopes,
    scopesByName: new Map(scopes.toReversed().map((scope) => [scope.name, scope])),
  };
}

function fillRoot(root: Scope, parts: readonly ModulePart[], length: number): void {
  const rootSpan: MutableSpan = root.span;
  rootSpan.to = length;
  root.bindings.clear();
  for (const list of SCOPE_LISTS) root[list].length = 0;
  for (const { topLevel } of parts) {
    for (const [name, bindings] of topLevel.bindings) {
      const known = root.bindings.get(name);
      if (known === undefined) root.bindings.set(name, [...bindings]);
      else appendAll(known, bindings);
    }
    appendAll(root.children, topLevel.children);
    appendAll(root.returns, topLevel.returns);
    appendAll(root.writes, topLevel.writes);
    appendAll(root.expressions, topLevel.expressions);
  }
}

const SCOPE_LISTS = ["children", "returns", "writes", "expressions"] as const;

function appendAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** Call sites by name, collected from all parts on demand. */
function indexCalls(parts: readonly ModulePart[]): Module["calls"] {
  const sitesByName = new Map<string, readonly CallSite[]>();
  return {
    get(name) {
      const sites = sitesByName.get(name) ?? parts.flatMap((part) => part.calls.get(name) ?? []);
      sitesByName.set(name, sites);
      return sites;
    },
  };
}
