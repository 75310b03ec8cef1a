import type { ImportStmt, Stmt } from "../parse/ast.ts";
import { type MutableSpan, shiftSpan, shiftStatements } from "../parse/shiftSpans.ts";
import type { CallSite, Occurrence, Scope } from "./module.ts";
import { SymbolCollector } from "./symbolCollector.ts";

/** Consecutive top-level statements of a module. An edit elsewhere only shifts them. */
export interface ModulePart {
  /** Start offset; `shiftModulePart` updates it and all spans in the part. */
  from: number;
  readonly statements: readonly Stmt[];
  /** Spans that are not part of the statements. */
  readonly syntheticSpans: readonly MutableSpan[];
  /** Its contribution to the module's root scope. */
  readonly topLevel: Pick<Scope, "bindings" | "children" | "returns" | "writes" | "expressions">;
  /** Sorted by offset. */
  readonly occurrences: readonly Occurrence[];
  /** By the last name of the callee. */
  readonly calls: ReadonlyMap<string, readonly CallSite[]>;
  readonly imports: readonly ImportStmt[];
  /** All classes and functions. */
  readonly scopes: readonly Scope[];
}

/** @param root scope of the module; not modified */
export function buildModulePart(statements: readonly Stmt[], from: number, root: Scope): ModulePart {
  const collector = new SymbolCollector(root);
  collector.visitStatements(statements, root, false);
  collector.occurrences.sort((a, b) => a.from - b.from);
  const { topLevel, syntheticSpans, occurrences, calls, imports, scopes } = collector;
  return { from, statements, topLevel, syntheticSpans, occurrences, calls, imports, scopes };
}

/** Shifts a part to its new start offset. */
export function shiftModulePart(part: ModulePart, from: number): void {
  const by = from - part.from;
  if (by === 0) return;
  part.from = from;
  shiftStatements(part.statements, by);
  for (const span of part.syntheticSpans) shiftSpan(span, by);
  for (const occurrence of part.occurrences) shiftSpan(occurrence, by);
}
