/**
 * A small syntax tree of Python, built from Lezer's, for the recognisers to match on. Incomplete code becomes `other`
 * nodes, so no field is ever missing.
 */

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export interface NameExpr extends TextSpan {
  readonly kind: "name";
  readonly name: string;
}

export interface AttributeExpr extends TextSpan {
  readonly kind: "attribute";
  readonly object: Expr;
  readonly name: string;
  /** Where the attribute's own name starts. */
  readonly nameFrom: number;
}

export interface CallArgument extends TextSpan {
  readonly keyword: string | null;
  readonly star: boolean;
  readonly value: Expr;
}

export interface CallExpr extends TextSpan {
  readonly kind: "call";
  readonly callee: Expr;
  readonly args: readonly CallArgument[];
}

export interface NumberLiteral extends TextSpan {
  readonly kind: "number";
  /** NaN for a complex literal (`1j`). */
  readonly value: number;
}

export interface StringLiteral extends TextSpan {
  readonly kind: "string";
  readonly value: string;
}

export interface KeywordConstant extends TextSpan {
  readonly kind: "constant";
  readonly value: boolean | null;
}

export interface BinaryExpr extends TextSpan {
  readonly kind: "binary";
  /** `+`, `//`, `**`, `and`, `not in`, `<`, … */
  readonly op: string;
  readonly left: Expr;
  readonly right: Expr;
}

export interface UnaryExpr extends TextSpan {
  readonly kind: "unary";
  readonly op: string;
  readonly operand: Expr;
}

export interface SubscriptExpr extends TextSpan {
  readonly kind: "subscript";
  readonly object: Expr;
  readonly indices: readonly Expr[];
}

export interface SliceExpr extends TextSpan {
  readonly kind: "slice";
  readonly lower: Expr | null;
  readonly upper: Expr | null;
  readonly step: Expr | null;
}

export interface SequenceExpr extends TextSpan {
  readonly kind: "sequence";
  readonly items: readonly Expr[];
}

export interface ConditionalExpr extends TextSpan {
  readonly kind: "conditional";
  readonly body: Expr;
  readonly test: Expr;
  readonly orElse: Expr;
}

export interface ComprehensionExpr extends TextSpan {
  readonly kind: "comprehension";
  readonly element: Expr;
  readonly clauses: readonly { readonly target: Expr; readonly iterable: Expr }[];
}

export interface LambdaExpr extends TextSpan {
  readonly kind: "lambda";
  readonly params: readonly FunctionParam[];
  readonly body: Expr;
}

export interface EllipsisExpr extends TextSpan {
  readonly kind: "ellipsis";
}

/** Anything else, including errors; its parts are still visited. */
export interface OtherExpr extends TextSpan {
  readonly kind: "other";
  readonly parts: readonly Expr[];
}

export type Expr =
  | NameExpr
  | AttributeExpr
  | CallExpr
  | NumberLiteral
  | StringLiteral
  | KeywordConstant
  | BinaryExpr
  | UnaryExpr
  | SubscriptExpr
  | SliceExpr
  | SequenceExpr
  | ConditionalExpr
  | ComprehensionExpr
  | LambdaExpr
  | EllipsisExpr
  | OtherExpr;

export interface FunctionParam extends TextSpan {
  readonly name: string;
  readonly annotation: Expr | null;
  readonly default: Expr | null;
}

export interface AssignStmt extends TextSpan {
  readonly kind: "assign";
  /** `=` or `*=`, …; a bare annotation has no value. */
  readonly op: string;
  readonly targets: readonly Expr[];
  readonly annotation: Expr | null;
  readonly value: Expr | null;
}

export interface FunctionDef extends TextSpan {
  readonly kind: "function";
  readonly name: string;
  readonly nameFrom: number;
  readonly params: readonly FunctionParam[];
  readonly decorators: readonly Expr[];
  readonly returns: Expr | null;
  readonly body: readonly Stmt[];
}

export interface ClassDef extends TextSpan {
  readonly kind: "class";
  readonly name: string;
  readonly nameFrom: number;
  readonly bases: readonly CallArgument[];
  readonly decorators: readonly Expr[];
  readonly body: readonly Stmt[];
}

export interface ReturnStmt extends TextSpan {
  readonly kind: "return";
  readonly value: Expr | null;
}

export interface ImportedName extends TextSpan {
  readonly name: string;
  readonly alias: string;
}

export interface ImportStmt extends TextSpan {
  readonly kind: "import";
  /** Number of leading dots; 0 for an absolute import. */
  readonly level: number;
  /** Null for `import a, b`. */
  readonly module: string | null;
  readonly names: readonly ImportedName[];
}

/** `if`, `for`, `while`, `with`, `try`, `match`: their header expressions, loop variables and bodies. */
export interface BlockStmt extends TextSpan {
  readonly kind: "block";
  readonly headerExprs: readonly Expr[];
  readonly loopBindings: readonly { readonly target: Expr; readonly iterable: Expr }[];
  readonly bodies: readonly (readonly Stmt[])[];
}

export interface ExpressionStmt extends TextSpan {
  readonly kind: "expression";
  readonly value: Expr;
}

export type Stmt = AssignStmt | FunctionDef | ClassDef | ReturnStmt | ImportStmt | BlockStmt | ExpressionStmt;

/** Direct sub-expressions, in source order. */
export function childExpressions(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "attribute":
      return [expr.object];
    case "call":
      return [expr.callee, ...expr.args.map((argument) => argument.value)];
    case "binary":
      return [expr.left, expr.right];
    case "unary":
      return [expr.operand];
    case "subscript":
      return [expr.object, ...expr.indices];
    case "slice":
      return [expr.lower, expr.upper, expr.step].filter((part) => part !== null);
    case "sequence":
      return expr.items;
    case "conditional":
      return [expr.body, expr.test, expr.orElse];
    case "comprehension":
      return [expr.element, ...expr.clauses.flatMap((clause) => [clause.target, clause.iterable])];
    case "lambda":
      return [expr.body];
    case "other":
      return expr.parts;
    default:
      return [];
  }
}

/** Last name of a name or attribute: `torch.arange` → "arange", `x.float` → "float". */
export function lastName(expr: Expr): string | null {
  if (expr.kind === "name" || expr.kind === "attribute") return expr.name;
  return null;
}

/** `a.b.c` as written; null for anything but names and attributes. */
export function dottedName(expr: Expr): string | null {
  if (expr.kind === "name") return expr.name;
  if (expr.kind !== "attribute") return null;
  const object = dottedName(expr.object);
  return object === null ? null : `${object}.${expr.name}`;
}

export function keywordArgument(call: CallExpr, ...keywords: readonly string[]): Expr | null {
  return call.args.find((argument) => argument.keyword !== null && keywords.includes(argument.keyword))?.value ?? null;
}

/** Positional arguments, without `*args`. */
export function positionalArguments(call: CallExpr): readonly Expr[] {
  return call.args.filter((argument) => argument.keyword === null && !argument.star).map((argument) => argument.value);
}

export function isNumberLiteral(expr: Expr | null | undefined, value: number): boolean {
  if (expr?.kind === "unary" && expr.op === "-") return isNumberLiteral(expr.operand, -value);
  return expr?.kind === "number" && expr.value === value;
}
