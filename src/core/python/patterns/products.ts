import { type Expr, lastName, positionalArguments } from "../parse/ast.ts";
import { argumentsAfterOperand, operandOf } from "./calls.ts";

/** The two factors of a product. */
export function productFactors(expr: Expr): readonly [Expr, Expr] | null {
  if (expr.kind === "binary" && expr.op === "*") return [expr.left, expr.right];
  if (expr.kind === "call" && (lastName(expr.callee) === "mul" || lastName(expr.callee) === "multiply")) {
    const operand = operandOf(expr);
    const other = argumentsAfterOperand(expr)[0] ?? positionalArguments(expr)[1];
    return operand === null || other === undefined ? null : [operand, other];
  }
  return null;
}
