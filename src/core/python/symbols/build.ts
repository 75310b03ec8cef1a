import {
  type Call,
  type ClassDef,
  type Expr,
  type FunctionDef,
  type Import,
  type Param,
  partsOf,
  positional,
  type Span,
  type Stmt,
} from "../parse/ast.ts";
import type { Place } from "../parse/move.ts";
import { type Binding, type CallSite, classOf, isSelf, type Occurrence, type Scope } from "./module.ts";

/** The scope of a module that has nothing in it yet. */
export function emptyRoot(): Scope {
  return newScope("module", { from: 0, to: 0 }, null, null);
}

function newScope(
  kind: Scope["kind"],
  span: Span,
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

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Scopes, bindings, calls and identifiers of statements, in one walk. */
export class Builder {
  readonly #root: Scope;
  /** Stands for the root, which several builders fill. */
  readonly top = emptyRoot();
  /** Of what is made here, beside the statements' own. */
  readonly places: Place[] = [];
  readonly occurrences: Occurrence[] = [];
  readonly calls = new Map<string, CallSite[]>();
  readonly imports: Import[] = [];
  readonly scopes: Scope[] = [];

  constructor(root: Scope) {
    this.#root = root;
  }

  #filled(scope: Scope): Scope {
    return scope === this.#root ? this.top : scope;
  }

  statements(statements: readonly Stmt[], scope: Scope, conditional: boolean): void {
    for (const statement of statements) this.#statement(statement, scope, conditional);
  }

  #statement(statement: Stmt, scope: Scope, conditional: boolean): void {
    switch (statement.kind) {
      case "function":
      case "class":
        this.#definition(statement, scope, conditional);
        break;
      case "assign":
        this.#assign(statement, scope, conditional);
        break;
      case "return":
        if (statement.value !== null) {
          this.#filled(scope).returns.push(statement.value);
          this.#expression(statement.value, scope);
        }
        break;
      case "import":
        this.#import(statement, scope);
        break;
      case "block":
        for (const { target, iterable } of statement.binds)
          this.#bind(target, iterable, scope, [], { kind: "element", conditional });
        for (const head of statement.heads) this.#expression(head, scope);
        for (const body of statement.bodies) this.statements(body, scope, true);
        break;
      case "expression":
        this.#expression(statement.value, scope);
        break;
    }
  }

  #definition(node: FunctionDef | ClassDef, scope: Scope, conditional: boolean): void {
    const inner = newScope(node.kind, node, scope, node);
    const span = { from: node.nameFrom, to: node.nameFrom + node.name.length };
    this.places.push(span);
    this.#filled(scope).children.push(inner);
    this.scopes.push(inner);
    this.#binding(scope, {
      kind: node.kind,
      name: node.name,
      scope,
      span,
      value: null,
      path: [],
      annotation: null,
      opens: inner,
      conditional,
    });
    this.#occurrence({ ...span, name: node.name, kind: node.kind, scope, opens: inner });
    for (const decorator of node.decorators) this.#expression(decorator, scope);
    if (node.kind === "class") for (const base of node.bases) this.#expression(base.value, scope);
    else {
      for (const param of node.params) this.#param(param, inner, scope);
      if (node.returns !== null) this.#expression(node.returns, scope);
    }
    this.statements(node.body, inner, false);
  }

  #param(param: Param, inner: Scope, outer: Scope): void {
    const { name, annotation } = param;
    this.#binding(inner, {
      kind: "param",
      name,
      scope: inner,
      span: param,
      value: param.default,
      path: [],
      annotation,
      opens: null,
      conditional: false,
    });
    this.#occurrence({ from: param.from, to: param.to, name, kind: "param", scope: inner });
    if (annotation !== null) this.#expression(annotation, outer);
    if (param.default !== null) this.#expression(param.default, outer);
  }

  #assign(statement: Extract<Stmt, { kind: "assign" }>, scope: Scope, conditional: boolean): void {
    const { value, annotation } = statement;
    const kind = statement.op === "=" ? "assign" : "update";
    for (const target of statement.targets) {
      this.#expression(target, scope);
      this.#bind(target, kind === "update" ? this.#updated(statement, target) : value, scope, [], {
        kind,
        conditional,
        annotation,
      });
    }
    if (annotation !== null) this.#expression(annotation, scope);
    if (value !== null) this.#expression(value, scope);
  }

  /** Gives every name in a target its value. */
  #bind(
    target: Expr,
    value: Expr | null,
    scope: Scope,
    path: readonly number[],
    as: { kind: Binding["kind"]; conditional: boolean; annotation?: Expr | null },
  ): void {
    const common = {
      scope,
      span: target,
      value,
      path,
      annotation: as.annotation ?? null,
      opens: null,
      kind: as.kind,
      conditional: as.conditional,
    };
    if (target.kind === "name") this.#binding(scope, { ...common, name: target.name });
    else if (target.kind === "attribute" && isSelf(target.object)) {
      const owner = classOf(scope);
      if (owner !== null) add(owner.attributes, target.name, { ...common, name: target.name });
    } else if (target.kind === "sequence") {
      for (const [index, item] of target.items.entries()) this.#bind(item, value, scope, [...path, index], as);
    } else if (target.kind === "subscript" && value !== null && path.length === 0) {
      this.#filled(scope).writes.push({ target, value, scope });
    }
  }

  #binding(scope: Scope, binding: Binding): void {
    add(this.#filled(scope).bindings, binding.name, binding);
  }

  #import(statement: Import, scope: Scope): void {
    this.imports.push(statement);
    for (const imported of statement.names) {
      const name = imported.alias;
      const common = { scope, annotation: null, opens: null, conditional: false };
      this.#binding(scope, { kind: "import", name, span: imported, value: null, path: [], ...common });
      if (statement.module !== null) this.#imported(imported, scope);
    }
  }

  /** `x as y`: both names, and not the word between them. */
  #imported({ from, to, name, alias }: Import["names"][number], scope: Scope): void {
    const end = from + name.length;
    this.#occurrence({ from, to: end, name, kind: "import", scope });
    if (end < to) this.#occurrence({ from: to - alias.length, to, name, kind: "import", scope });
  }

  #expression(expr: Expr, scope: Scope): void {
    this.#filled(scope).expressions.push(expr);
    this.#walk(expr, scope);
  }

  #walk(expr: Expr, scope: Scope): void {
    if (expr.kind === "name")
      this.#occurrence({ from: expr.from, to: expr.to, name: expr.name, kind: "name", scope, expr });
    else if (expr.kind === "attribute") {
      this.#occurrence({ from: expr.nameFrom, to: expr.to, name: expr.name, kind: "attribute", scope, expr });
    } else if (expr.kind === "call") this.#call(expr, scope);
    else if (expr.kind === "comprehension") {
      for (const clause of expr.clauses)
        this.#bind(clause.target, clause.iterable, scope, [], { kind: "element", conditional: false });
    } else if (expr.kind === "lambda") {
      for (const param of expr.params)
        this.#occurrence({ from: param.from, to: param.to, name: param.name, kind: "param", scope });
    }
    for (const part of partsOf(expr)) this.#walk(part, scope);
  }

  #call(call: Call, scope: Scope): void {
    const callee = call.callee;
    const name = callee.kind === "name" || callee.kind === "attribute" ? callee.name : null;
    if (name !== null) add(this.calls, name, { call, scope });
    if (name === "register_buffer") this.#buffer(call, scope);
    for (const argument of call.args) {
      if (argument.keyword === null) continue;
      const to = argument.from + argument.keyword.length;
      this.#occurrence({
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
  #buffer(call: Call, scope: Scope): void {
    const [name, value] = positional(call);
    const given = value ?? call.args.find((argument) => argument.keyword === "tensor")?.value;
    const owner = classOf(scope);
    if (name?.kind !== "string" || given === undefined || owner === null) return;
    const common = { scope, annotation: null, opens: null, conditional: false };
    add(owner.attributes, name.value, {
      kind: "assign",
      name: name.value,
      span: name,
      value: given,
      path: [],
      ...common,
    });
  }

  #occurrence(found: Omit<Occurrence, "expr" | "call" | "value" | "opens"> & Partial<Occurrence>): void {
    const { from, to, name, kind, scope, expr = null, call = null, value = null, opens = null } = found;
    // Written out, so that all have one shape: there are tens of thousands in a large file, and spreading is slower.
    this.occurrences.push({ from, to, name, kind, scope, expr, call, value, opens });
  }

  /** `a *= b` means a = a * b. */
  #updated(statement: Extract<Stmt, { kind: "assign" }>, target: Expr): Expr | null {
    if (statement.value === null) return null;
    const { from, to, op, value } = statement;
    const made: Expr = { kind: "binary", op: op.slice(0, -1), left: target, right: value, from, to };
    this.places.push(made);
    return made;
  }
}
