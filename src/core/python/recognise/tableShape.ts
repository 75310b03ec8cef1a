import { type Call, type Expr, isNumber, lastName, positional } from "../parse/ast.ts";
import type { CallSite } from "../symbols/module.ts";
import type { Code } from "./code.ts";

/** Rows and width of a learned table: Embedding(rows, width), Parameter(zeros(1, rows, width)), mx.zeros((rows, width)). */
export function tableShape(call: Call): readonly Expr[] {
  const name = lastName(call.callee) ?? "";
  if (/^Embed/.test(name)) return positional(call).slice(0, 2);
  const [first] = positional(call);
  if (name === "Parameter") return first?.kind === "call" ? tableShape(first) : [];
  if (!/^(?:zeros|ones|empty|randn?|normal|truncated_normal|uniform|Tensor)$/.test(name)) return [];
  const sizes = positional(call).find((argument) => argument.kind === "sequence");
  const items = sizes?.kind === "sequence" ? sizes.items : positional(call);
  if (call.args.some((argument) => argument.star) || (items.length === 2 && isNumber(items[0], 1))) return [];
  return items.length === 3 && isNumber(items[0], 1) ? items.slice(1) : items.length === 2 ? items : [];
}

/** The call that made a table, found through lookups in it. */
export function tableMaker(code: Code, at: CallSite, hops = 0): CallSite | null {
  if (tableShape(at.call).length > 0) return at;
  const definition = hops > 4 ? null : code.roles.definition(at.call.callee, at.scope);
  return definition?.expr.kind === "call"
    ? tableMaker(code, { call: definition.expr, scope: definition.scope }, hops + 1)
    : null;
}
