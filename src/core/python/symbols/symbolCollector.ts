import {
  type CallExpr,
  type ClassDef,
  childExpressions,
  type Expr,
  type FunctionDef,
  type FunctionParam,
  type ImportStmt,
  positionalArguments,
  type Stmt,
  type TextSpan,
} from "../parse/ast.ts";
import type { MutableSpan } from "../parse/shiftSpans.ts";
import { type Binding, type CallSite, enclosingClass, isSelf, type Occurrence, type Scope } from "./module.ts";

/** The scope of an empty module. */
export function emptyModuleScope(): Scope {
  return newScope("module", { from: 0, to: 0 }, null, null);
}

function newScope(
  kind: Scope["kind"],
  span: TextSpan,
  parent: Scope | null,
  definition: FunctionDef | ClassDef | null,
): Scope {
  return {
    kind,
    name: definition?.name ?? "",
    span,
    parent,
    definition,
    params: definition?.kind === "function" ? definition.params : [],
    bindings: new Map(),
    attributes: new Map(),
    children: [],
    returns: [],
    writes: [],
    expressions: [],
  };
}

function addToList<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** `table` of `self.table` and of `self.table.data`. */
function attributeOfSelf(target: Expr): string | null {
  if (target.kind !== "attribute") return null;
  if (isSelf(target.object)) return target.name;
  return target.name === "data" ? attributeOfSelf(target.object) : null;
}

/** Collects scopes, bindings, calls and identifiers of statements in one pass. */
export class SymbolCollector {
  readonly #root: Scope;
  /** Collects what belongs to the module's root scope, which all parts share. */
  readonly topLevel = emptyModuleScope();
  /** Spans of created nodes and of definition names; they are not part of the statements. */
  readonly syntheticSpans: MutableSpan[] = [];
  readonly occurrences: Occurrence[] = [];
  readonly calls = new Map<string, CallSite[]>();
  readonly imports: ImportStmt[] = [];
  readonly scopes: Scope[] = [];

  constructor(root: Scope) {
    this.#root = root;
  }

  #scopeToFill(scope: Scope): Scope {
    return scope === this.#root ? this.topLevel : scope;
  }

  visitStatements(statements: readonly Stmt[], scope: Scope, conditional: boolean): void {
    for (const statement of statements) this.#visitStatement(statement, scope, conditional);
  }

  #visitStatement(statement: Stmt, scope: Scope, conditional: boolean): void {
    switch (statement.kind) {
      case "function":
      case "class":
        this.#addDefinition(statement, scope, conditional);
        break;
      case "assign":
        this.#addAssignment(statement, scope, conditional);
        break;
      case "return":
        if (statement.value !== null) {
          this.#scopeToFill(scope).returns.push(statement.value);
          this.#addExpression(statement.value, scope);
        }
        break;
      case "import":
        this.#addImport(statement, scope);
        break;
      case "block":
        for (const { target, iterable } of statement.loopBindings)
          this.#bind(target, iterable, scope, [], { kind: "element", conditional });
        for (const headerExpr of statement.headerExprs) this.#addExpression(headerExpr, scope);
        for (const body of statement.bodies) this.visitStatements(body, scope, true);
        break;
      case "expression":
        this.#addExpression(statement.value, scope);
        break;
    }
  }

  #addDefinition(node: FunctionDef | ClassDef, scope: Scope, conditional: boolean): void {
    const inner = newScope(node.kind, node, scope, node);
    const span = { from: node.nameFrom, to: node.nameFrom + node.name.length };
    this.syntheticSpans.push(span);
    this.#scopeToFill(scope).children.push(inner);
    this.scopes.push(inner);
    this.#addBinding(scope, {
      kind: node.kind,
      name: node.name,
      scope,
      span,
      value: null,
      path: [],
      annotation: null,
      definedScope: inner,
      conditional,
    });
    this.#addOccurrence({ ...span, name: node.name, kind: node.kind, scope, definedScope: inner });
    for (const decorator of node.decorators) this.#addExpression(decorator, scope);
    if (node.kind === "class") for (const base of node.bases) this.#addExpression(base.value, scope);
    else {
      for (const param of node.params) this.#addParam(param, inner, scope);
      if (node.returns !== null) this.#addExpression(node.returns, scope);
    }
    this.visitStatements(node.body, inner, false);
  }

  #addParam(param: FunctionParam, inner: Scope, outer: Scope): void {
    const { name, annotation } = param;
    this.#addBinding(inner, {
      kind: "param",
      name,
      scope: inner,
      span: param,
      value: param.default,
      path: [],
      annotation,
      definedScope: null,
      conditional: false,
    });
    this.#addOccurrence({ from: param.from, to: param.to, name, kind: "param", scope: inner });
    if (annotation !== null) this.#addExpression(annotation, outer);
    if (param.default !== null) this.#addExpression(param.default, outer);
  }

  #addAssignment(statement: Extract<Stmt, { kind: "assign" }>, scope: Scope, conditional: boolean): void {
    const { value, annotation } = statement;
    const kind = statement.op === "=" ? "assign" : "update";
    for (const target of statement.targets) {
      this.#addExpression(target, scope);
      this.#bind(target, kind === "update" ? this.#augmentedValue(statement, target) : value, scope, [], {
        kind,
        conditional,
        annotation,
      });
    }
    if (annotation !== null) this.#addExpression(annotation, scope);
    if (value !== null) this.#addExpression(value, scope);
  }

  /** Binds every name in a target to its value. */
  #bind(
    target: Expr,
    value: Expr | null,
    scope: Scope,
    path: readonly number[],
    options: { kind: Binding["kind"]; conditional: boolean; annotation?: Expr | null },
  ): void {
    const common = {
      scope,
      span: target,
      value,
      path,
      annotation: options.annotation ?? null,
      definedScope: null,
      kind: options.kind,
      conditional: options.conditional,
    };
    const attribute = attributeOfSelf(target);
    if (target.kind === "name") this.#addBinding(scope, { ...common, name: target.name });
    else if (attribute !== null) {
      const owner = enclosingClass(scope);
      if (owner !== null) addToList(owner.attributes, attribute, { ...common, name: attribute });
    } else if (target.kind === "sequence") {
      for (const [index, item] of target.items.entries()) this.#bind(item, value, scope, [...path, index], options);
    } else if (target.kind === "subscript" && value !== null && path.length === 0) {
      this.#scopeToFill(scope).writes.push({ target, value, scope });
    }
  }

  #addBinding(scope: Scope, binding: Binding): void {
    addToList(this.#scopeToFill(scope).bindings, binding.name, binding);
  }

  #addImport(statement: ImportStmt, scope: Scope): void {
    this.imports.push(statement);
    for (const imported of statement.names) {
      const name = imported.alias;
      const common = { scope, annotation: null, definedScope: null, conditional: false };
      this.#addBinding(scope, { kind: "import", name, span: imported, value: null, path: [], ...common });
      if (statement.module !== null) this.#addImportedName(imported, scope);
    }
  }

  /** `x as y`: an occurrence for each name, but not for `as`. */
  #addImportedName({ from, to, name, alias }: ImportStmt["names"][number], scope: Scope): void {
    const end = from + name.length;
    this.#addOccurrence({ from, to: end, name, kind: "import", scope });
    if (end < to) this.#addOccurrence({ from: to - alias.length, to, name, kind: "import", scope });
  }

  #addExpression(expr: Expr, scope: Scope): void {
    this.#scopeToFill(scope).expressions.push(expr);
    this.#visitExpression(expr, scope);
  }

  #visitExpression(expr: Expr, scope: Scope): void {
    if (expr.kind === "name")
      this.#addOccurrence({ from: expr.from, to: expr.to, name: expr.name, kind: "name", scope, expr });
    else if (expr.kind === "attribute") {
      this.#addOccurrence({ from: expr.nameFrom, to: expr.to, name: expr.name, kind: "attribute", scope, expr });
    } else if (expr.kind === "call") this.#visitCall(expr, scope);
    else if (expr.kind === "comprehension") {
      for (const clause of expr.clauses)
        this.#bind(clause.target, clause.iterable, scope, [], { kind: "element", conditional: false });
    } else if (expr.kind === "lambda") {
      for (const param of expr.params)
        this.#addOccurrence({ from: param.from, to: param.to, name: param.name, kind: "param", scope });
    }
    for (const part of childExpressions(expr)) this.#visitExpression(part, scope);
  }

  #visitCall(call: CallExpr, scope: Scope): void {
    const callee = call.callee;
    const name = callee.kind === "name" || callee.kind === "attribute" ? callee.name : null;
    if (name !== null) addToList(this.calls, name, { call, scope });
    if (name === "register_buffer") this.#addBuffer(call, scope);
    for (const argument of call.args) {
      if (argument.keyword === null) continue;
      const to = argument.from + argument.keyword.length;
      this.#addOccurrence({
        from: argument.from,
        to,
        name: argument.keyword,
        kind: "keyword",
        scope,
        call,
        value: argument.value,
      });
    }
  }

  /** `self.register_buffer("name", value)` sets an attribute. */
  #addBuffer(call: CallExpr, scope: Scope): void {
    const [name, value] = positionalArguments(call);
    const tensor = value ?? call.args.find((argument) => argument.keyword === "tensor")?.value;
    const owner = enclosingClass(scope);
    if (name?.kind !== "string" || tensor === undefined || owner === null) return;
    const common = { scope, annotation: null, definedScope: null, conditional: false };
    addToList(owner.attributes, name.value, {
      kind: "assign",
      name: name.value,
      span: name,
      value: tensor,
      path: [],
      ...common,
    });
  }

  #addOccurrence(occurrence: Omit<Occurrence, "expr" | "call" | "value" | "definedScope"> & Partial<Occurrence>): void {
    const { from, to, name, kind, scope, expr = null, call = null, value = null, definedScope = null } = occurrence;
    // All fields are listed so that all objects have one hidden class: a large file has tens of thousands, and
    // spreading is slower.
    this.occurrences.push({ from, to, name, kind, scope, expr, call, value, definedScope });
  }

  /** `a *= b` means a = a * b. */
  #augmentedValue(statement: Extract<Stmt, { kind: "assign" }>, target: Expr): Expr | null {
    if (statement.value === null) return null;
    const { from, to, op, value } = statement;
    const binary: Expr = { kind: "binary", op: op.slice(0, -1), left: target, right: value, from, to };
    this.syntheticSpans.push(binary);
    return binary;
  }
}
