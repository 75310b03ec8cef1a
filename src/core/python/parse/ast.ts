/**
 * A small syntax tree of Python, made from Lezer's: what the recognisers match on. Half-typed code becomes
 * `other` nodes, so nothing here is ever missing and nothing throws.
 */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Name extends Span {
  readonly kind: "name";
  readonly name: string;
}

export interface Attribute extends Span {
  readonly kind: "attribute";
  readonly object: Expr;
  readonly name: string;
  /** Where the attribute's own name starts. */
  readonly nameFrom: number;
}

export interface Argument extends Span {
  readonly keyword: string | null;
  readonly star: boolean;
  readonly value: Expr;
}

export interface Call extends Span {
  readonly kind: "call";
  readonly callee: Expr;
  readonly args: readonly Argument[];
}

export interface NumberLiteral extends Span {
  readonly kind: "number";
  /** NaN for a complex literal (`1j`). */
  readonly value: number;
}

export interface StringLiteral extends Span {
  readonly kind: "string";
  readonly value: string;
}

export interface Constant extends Span {
  readonly kind: "constant";
  readonly value: boolean | null;
}

export interface Binary extends Span {
  readonly kind: "binary";
  /** `+`, `//`, `**`, `and`, `not in`, `<`, … */
  readonly op: string;
  readonly left: Expr;
  readonly right: Expr;
}

export interface Unary extends Span {
  readonly kind: "unary";
  readonly op: string;
  readonly operand: Expr;
}

export interface Subscript extends Span {
  readonly kind: "subscript";
  readonly object: Expr;
  readonly indices: readonly Expr[];
}

export interface Slice extends Span {
  readonly kind: "slice";
  readonly lower: Expr | null;
  readonly upper: Expr | null;
  readonly step: Expr | null;
}

export interface Sequence extends Span {
  readonly kind: "sequence";
  readonly items: readonly Expr[];
}

export interface Conditional extends Span {
  readonly kind: "conditional";
  readonly body: Expr;
  readonly test: Expr;
  readonly orElse: Expr;
}

export interface Comprehension extends Span {
  readonly kind: "comprehension";
  readonly element: Expr;
  readonly clauses: readonly { readonly target: Expr; readonly iterable: Expr }[];
}

export interface Lambda extends Span {
  readonly kind: "lambda";
  readonly params: readonly Param[];
  readonly body: Expr;
}

export interface Ellipsis extends Span {
  readonly kind: "ellipsis";
}

/** Anything else, errors included: its parts are still walked. */
export interface Other extends Span {
  readonly kind: "other";
  readonly parts: readonly Expr[];
}

export type Expr =
  | Name
  | Attribute
  | Call
  | NumberLiteral
  | StringLiteral
  | Constant
  | Binary
  | Unary
  | Subscript
  | Slice
  | Sequence
  | Conditional
  | Comprehension
  | Lambda
  | Ellipsis
  | Other;

export interface Param extends Span {
  readonly name: string;
  readonly annotation: Expr | null;
  readonly default: Expr | null;
}

export interface Assign extends Span {
  readonly kind: "assign";
  /** `=` or `*=`, …; a bare annotation has no value. */
  readonly op: string;
  readonly targets: readonly Expr[];
  readonly annotation: Expr | null;
  readonly value: Expr | null;
}

export interface FunctionDef extends Span {
  readonly kind: "function";
  readonly name: string;
  readonly nameFrom: number;
  readonly params: readonly Param[];
  readonly decorators: readonly Expr[];
  readonly returns: Expr | null;
  readonly body: readonly Stmt[];
}

export interface ClassDef extends Span {
  readonly kind: "class";
  readonly name: string;
  readonly nameFrom: number;
  readonly bases: readonly Argument[];
  readonly decorators: readonly Expr[];
  readonly body: readonly Stmt[];
}

export interface Return extends Span {
  readonly kind: "return";
  readonly value: Expr | null;
}

export interface ImportedName extends Span {
  readonly name: string;
  readonly alias: string;
}

export interface Import extends Span {
  readonly kind: "import";
  /** Dots in front: 0 is absolute. */
  readonly level: number;
  /** Null for `import a, b`. */
  readonly module: string | null;
  readonly names: readonly ImportedName[];
}

/** `if`, `for`, `while`, `with`, `try`, `match`: what they test or iterate, what they bind, what they hold. */
export interface Block extends Span {
  readonly kind: "block";
  readonly heads: readonly Expr[];
  readonly binds: readonly { readonly target: Expr; readonly iterable: Expr }[];
  readonly bodies: readonly (readonly Stmt[])[];
}

export interface ExpressionStatement extends Span {
  readonly kind: "expression";
  readonly value: Expr;
}

export type Stmt = Assign | FunctionDef | ClassDef | Return | Import | Block | ExpressionStatement;

/** Direct sub-expressions, in source order. */
export function partsOf(expr: Expr): readonly Expr[] {
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

/** Last name of what is called or read: `torch.arange` → "arange", `x.float` → "float". */
export function lastName(expr: Expr): string | null {
  if (expr.kind === "name" || expr.kind === "attribute") return expr.name;
  return null;
}

/** `a.b.c` as written, null for anything but names and dots. */
export function dottedName(expr: Expr): string | null {
  if (expr.kind === "name") return expr.name;
  if (expr.kind !== "attribute") return null;
  const object = dottedName(expr.object);
  return object === null ? null : `${object}.${expr.name}`;
}

export function keywordArgument(call: Call, ...keywords: readonly string[]): Expr | null {
  return call.args.find((argument) => argument.keyword !== null && keywords.includes(argument.keyword))?.value ?? null;
}

/** Positional arguments, without `*args`. */
export function positional(call: Call): readonly Expr[] {
  return call.args.filter((argument) => argument.keyword === null && !argument.star).map((argument) => argument.value);
}

export function isNumber(expr: Expr | null | undefined, value: number): boolean {
  if (expr?.kind === "unary" && expr.op === "-") return isNumber(expr.operand, -value);
  return expr?.kind === "number" && expr.value === value;
}
