import { childExpressions, type Expr, type FunctionParam, type Stmt } from "./ast.ts";

/** A span that shifts when text before it changes. */
export interface MutableSpan {
  from: number;
  to: number;
}

/** Shifts statements and everything in them by a number of characters. Nodes are never modified in any other way. */
export function shiftStatements(statements: readonly Stmt[], by: number): void {
  for (const statement of statements) shiftStatement(statement, by);
}

export function shiftSpan(span: MutableSpan, by: number): void {
  span.from += by;
  span.to += by;
}

function shiftName(definition: { nameFrom: number }, by: number): void {
  definition.nameFrom += by;
}

function shiftStatement(statement: Stmt, by: number): void {
  shiftSpan(statement, by);
  switch (statement.kind) {
    case "assign":
      for (const target of statement.targets) shiftExpression(target, by);
      shiftOptional(statement.annotation, by);
      shiftOptional(statement.value, by);
      break;
    case "function":
      shiftName(statement, by);
      shiftParams(statement.params, by);
      for (const decorator of statement.decorators) shiftExpression(decorator, by);
      shiftOptional(statement.returns, by);
      shiftStatements(statement.body, by);
      break;
    case "class":
      shiftName(statement, by);
      shiftArguments(statement.bases, by);
      for (const decorator of statement.decorators) shiftExpression(decorator, by);
      shiftStatements(statement.body, by);
      break;
    case "import":
      for (const name of statement.names) shiftSpan(name, by);
      break;
    case "block":
      shiftBlock(statement, by);
      break;
    default:
      shiftOptional(statement.value, by);
  }
}

/** The iterable of a `for` is also among the header expressions, and must shift only once. */
function shiftBlock(block: Extract<Stmt, { kind: "block" }>, by: number): void {
  for (const headerExpr of block.headerExprs) shiftExpression(headerExpr, by);
  for (const { target, iterable } of block.loopBindings) {
    shiftExpression(target, by);
    if (!block.headerExprs.includes(iterable)) shiftExpression(iterable, by);
  }
  for (const body of block.bodies) shiftStatements(body, by);
}

function shiftOptional(expr: Expr | null, by: number): void {
  if (expr !== null) shiftExpression(expr, by);
}

function shiftArguments(args: readonly (MutableSpan & { readonly value: Expr })[], by: number): void {
  for (const argument of args) {
    shiftSpan(argument, by);
    shiftExpression(argument.value, by);
  }
}

function shiftParams(params: readonly FunctionParam[], by: number): void {
  for (const param of params) {
    shiftSpan(param, by);
    shiftOptional(param.annotation, by);
    shiftOptional(param.default, by);
  }
}

function shiftExpression(expr: Expr, by: number): void {
  shiftSpan(expr, by);
  switch (expr.kind) {
    case "attribute":
      shiftName(expr, by);
      shiftExpression(expr.object, by);
      break;
    case "call":
      shiftExpression(expr.callee, by);
      shiftArguments(expr.args, by);
      break;
    case "lambda":
      shiftParams(expr.params, by);
      shiftExpression(expr.body, by);
      break;
    default:
      for (const part of childExpressions(expr)) shiftExpression(part, by);
  }
}
