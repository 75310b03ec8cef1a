import { type CallExpr, type Expr, isNumberLiteral, lastName, positionalArguments } from "../parse/ast.ts";
import type { CallSite } from "../symbols/module.ts";
import type { AnalysedCode } from "./analysedCode.ts";

/**
 * Expressions for rows and width of a learned table: Embedding(rows, width), Parameter(zeros(1, rows, width)),
 * mx.zeros((rows, width)).
 */
export function readTableShape(call: CallExpr): readonly Expr[] {
  const name = lastName(call.callee) ?? "";
  if (/^Embed/.test(name)) return positionalArguments(call).slice(0, 2);
  const [first] = positionalArguments(call);
  if (name === "Parameter") return first?.kind === "call" ? readTableShape(first) : [];
  if (!/^(?:zeros|ones|empty|randn?|normal|truncated_normal|uniform|Tensor)$/.test(name)) return [];
  const sizes = positionalArguments(call).find((argument) => argument.kind === "sequence");
  const items = sizes?.kind === "sequence" ? sizes.items : positionalArguments(call);
  if (call.args.some((argument) => argument.star) || (items.length === 2 && isNumberLiteral(items[0], 1))) return [];
  return items.length === 3 && isNumberLiteral(items[0], 1) ? items.slice(1) : items.length === 2 ? items : [];
}

/** The call that created a table, found from a lookup in it. */
export function findTableCall(code: AnalysedCode, at: CallSite, hops = 0): CallSite | null {
  if (readTableShape(at.call).length > 0) return at;
  const definition = hops > 4 ? null : code.roles.findDefinition(at.call.callee, at.scope);
  return definition?.expr.kind === "call"
    ? findTableCall(code, { call: definition.expr, scope: definition.scope }, hops + 1)
    : null;
}
