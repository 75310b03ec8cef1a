import { type Expr, type Param, partsOf, type Stmt } from "./ast.ts";

/** A place in the text that a change before it moves. */
export interface Place {
  from: number;
  to: number;
}

/** Moves statements, with everything in them, by a number of characters: the one change that nodes ever see. */
export function moveStatements(statements: readonly Stmt[], by: number): void {
  for (const statement of statements) moveStatement(statement, by);
}

export function move(place: Place, by: number): void {
  place.from += by;
  place.to += by;
}

function moveName(definition: { nameFrom: number }, by: number): void {
  definition.nameFrom += by;
}

function moveStatement(statement: Stmt, by: number): void {
  move(statement, by);
  switch (statement.kind) {
    case "assign":
      for (const target of statement.targets) moveExpression(target, by);
      moveOptional(statement.annotation, by);
      moveOptional(statement.value, by);
      break;
    case "function":
      moveName(statement, by);
      moveParams(statement.params, by);
      for (const decorator of statement.decorators) moveExpression(decorator, by);
      moveOptional(statement.returns, by);
      moveStatements(statement.body, by);
      break;
    case "class":
      moveName(statement, by);
      moveArguments(statement.bases, by);
      for (const decorator of statement.decorators) moveExpression(decorator, by);
      moveStatements(statement.body, by);
      break;
    case "import":
      for (const name of statement.names) move(name, by);
      break;
    case "block":
      moveBlock(statement, by);
      break;
    default:
      moveOptional(statement.value, by);
  }
}

/** What a `for` iterates over is one of its heads too, and must move once. */
function moveBlock(block: Extract<Stmt, { kind: "block" }>, by: number): void {
  for (const head of block.heads) moveExpression(head, by);
  for (const { target, iterable } of block.binds) {
    moveExpression(target, by);
    if (!block.heads.includes(iterable)) moveExpression(iterable, by);
  }
  for (const body of block.bodies) moveStatements(body, by);
}

function moveOptional(expr: Expr | null, by: number): void {
  if (expr !== null) moveExpression(expr, by);
}

function moveArguments(args: readonly (Place & { readonly value: Expr })[], by: number): void {
  for (const argument of args) {
    move(argument, by);
    moveExpression(argument.value, by);
  }
}

function moveParams(params: readonly Param[], by: number): void {
  for (const param of params) {
    move(param, by);
    moveOptional(param.annotation, by);
    moveOptional(param.default, by);
  }
}

function moveExpression(expr: Expr, by: number): void {
  move(expr, by);
  switch (expr.kind) {
    case "attribute":
      moveName(expr, by);
      moveExpression(expr.object, by);
      break;
    case "call":
      moveExpression(expr.callee, by);
      moveArguments(expr.args, by);
      break;
    case "lambda":
      moveParams(expr.params, by);
      moveExpression(expr.body, by);
      break;
    default:
      for (const part of partsOf(expr)) moveExpression(part, by);
  }
}
