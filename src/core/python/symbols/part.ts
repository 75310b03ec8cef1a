import type { Import, Stmt } from "../parse/ast.ts";
import { move, moveStatements, type Place } from "../parse/move.ts";
import { Builder } from "./build.ts";
import type { CallSite, Occurrence, Scope } from "./module.ts";

/** A stretch of the statements of a module: what a change elsewhere leaves as it is, but for its place. */
export interface Part {
  /** Where it starts; `movePart` keeps all places in it in step. */
  from: number;
  readonly statements: readonly Stmt[];
  /** Places that no statement holds. */
  readonly places: readonly Place[];
  /** What it adds to the module's own scope. */
  readonly top: Pick<Scope, "bindings" | "children" | "returns" | "writes" | "expressions">;
  /** Sorted by place. */
  readonly occurrences: readonly Occurrence[];
  /** By the last name of what is called. */
  readonly calls: ReadonlyMap<string, readonly CallSite[]>;
  readonly imports: readonly Import[];
  /** Every class and function. */
  readonly scopes: readonly Scope[];
}

/** @param root the scope of the module, which is left as it is */
export function buildPart(statements: readonly Stmt[], from: number, root: Scope): Part {
  const builder = new Builder(root);
  builder.statements(statements, root, false);
  builder.occurrences.sort((a, b) => a.from - b.from);
  const { top, places, occurrences, calls, imports, scopes } = builder;
  return { from, statements, top, places, occurrences, calls, imports, scopes };
}

/** Takes a part to where it starts now. */
export function movePart(part: Part, from: number): void {
  const by = from - part.from;
  if (by === 0) return;
  part.from = from;
  moveStatements(part.statements, by);
  for (const place of part.places) move(place, by);
  for (const occurrence of part.occurrences) move(occurrence, by);
}
