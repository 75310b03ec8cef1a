import type { Argument, Call, ClassDef, Expr, FunctionDef, Import, Param, Span, Subscript } from "../parse/ast.ts";

/** A place that gives a name a value. */
export interface Binding {
  readonly kind: "assign" | "update" | "element" | "param" | "function" | "class" | "import";
  readonly name: string;
  readonly scope: Scope;
  readonly span: Span;
  /** What is assigned, iterated over, or the parameter's default. */
  readonly value: Expr | null;
  /** Indices into the value's tuple: `a, (b, c) = v` gives b the path [1, 0]. */
  readonly path: readonly number[];
  readonly annotation: Expr | null;
  /** The scope that a function or class binding opens. */
  readonly opens: Scope | null;
  /** Inside an `if`, a loop or a `try`. */
  readonly conditional: boolean;
}

/** `table[…] = value`: a write into a part of something. */
export interface Write {
  readonly target: Subscript;
  readonly value: Expr;
  readonly scope: Scope;
}

export interface Scope {
  readonly kind: "module" | "function" | "class";
  readonly name: string;
  readonly span: Span;
  readonly parent: Scope | null;
  readonly definition: FunctionDef | ClassDef | null;
  readonly params: readonly Param[];
  readonly bindings: Map<string, Binding[]>;
  /** `self.name = …` of all methods, and fields: of classes only. */
  readonly attributes: Map<string, Binding[]>;
  readonly children: Scope[];
  readonly returns: Expr[];
  readonly writes: Write[];
  /** Whole expressions of this scope's own statements. */
  readonly expressions: Expr[];
}

/** An identifier in the text that a cursor can rest on. */
export interface Occurrence extends Span {
  readonly name: string;
  readonly kind: "name" | "attribute" | "keyword" | "param" | "function" | "class" | "import";
  readonly scope: Scope;
  /** The expression it ends, for names and attributes. */
  readonly expr: Expr | null;
  /** The call it stands in, for keywords. */
  readonly call: Call | null;
  /** The value given, for keywords. */
  readonly value: Expr | null;
  /** What it names, for definitions. */
  readonly opens: Scope | null;
}

export interface CallSite {
  readonly call: Call;
  readonly scope: Scope;
}

/** What is known from outside of the text. */
export interface Links {
  /** Where a relatively imported constant is defined; set by the file's `Code`. */
  constant: (name: string) => { readonly module: Module; readonly binding: Binding } | null;
  /** What stands before this offset belongs to earlier cells of the notebook. */
  from: number;
}

export interface Module {
  readonly text: string;
  readonly links: Links;
  readonly root: Scope;
  /** All of the file, sorted by place. */
  readonly occurrences: readonly Occurrence[];
  /** By the last name of what is called. */
  readonly calls: { readonly get: (name: string) => readonly CallSite[] };
  /** Occurrences of stretches of the file that a change elsewhere leaves as they are. */
  readonly parts: readonly { readonly from: number; readonly occurrences: readonly Occurrence[] }[];
  readonly imports: readonly Import[];
  /** Every class and function, by name. */
  readonly scopes: readonly Scope[];
  /** The first of each name. */
  readonly scopesByName: ReadonlyMap<string, Scope>;
}

/** Local name of the object whose attributes a class owns. */
export function isSelf(expr: Expr): boolean {
  return expr.kind === "name" && (expr.name === "self" || expr.name === "cls");
}

/** The nearest class around a scope. */
export function classOf(scope: Scope | null): Scope | null {
  for (let at = scope; at !== null; at = at.parent) if (at.kind === "class") return at;
  return null;
}

/** The nearest function around a scope. */
export function functionOf(scope: Scope | null): Scope | null {
  for (let at = scope; at !== null; at = at.parent) if (at.kind === "function") return at;
  return null;
}

/** Bindings of a plain name, from the innermost scope that has any (class bodies are not seen from methods). */
export function bindingsOf(scope: Scope, name: string): readonly Binding[] {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind === "class" && at !== scope) continue;
    const found = at.bindings.get(name);
    if (found !== undefined) return found;
  }
  return [];
}

/** Classes and functions of the file that a name may mean. */
export function scopeNamed(module: Module, name: string): Scope | null {
  return module.scopesByName.get(name) ?? null;
}

/** `self.name`: the class's own attribute, or one of a base class of the same file. */
export function attributesOf(module: Module, owner: Scope | null, name: string): readonly Binding[] {
  let at = owner;
  for (let hops = 0; at !== null && hops < 8; hops++) {
    const found = at.attributes.get(name) ?? at.bindings.get(name);
    if (found !== undefined) return found;
    at = baseOf(module, at);
  }
  return [];
}

function baseOf(module: Module, scope: Scope): Scope | null {
  if (scope.definition?.kind !== "class") return null;
  for (const base of scope.definition.bases) {
    if (base.value.kind !== "name") continue;
    const found = scopeNamed(module, base.value.name);
    if (found !== null && found !== scope) return found;
  }
  return null;
}

/** Method of a class, or of a base class of the same file. */
export function methodOf(module: Module, owner: Scope, name: string): Scope | null {
  let at: Scope | null = owner;
  for (let hops = 0; at !== null && hops < 8; hops++) {
    const found = at.children.find((child) => child.kind === "function" && child.name === name);
    if (found !== undefined) return found;
    at = baseOf(module, at);
  }
  return null;
}

/** The function that a call of this scope runs: itself, or the class's `__init__` (`__call__`, `setup`). */
export function callableOf(module: Module, scope: Scope): Scope {
  return scope.kind === "class" ? (methodOf(module, scope, "__init__") ?? scope) : scope;
}

/** The value that a call gives to a parameter, by keyword or by place. */
export function argumentFor(call: Call, target: Scope, param: string): Argument | null {
  const named = call.args.find((argument) => argument.keyword === param);
  if (named !== undefined) return named;
  if (call.args.some((argument) => argument.star)) return null;
  const method = target.parent?.kind === "class" && target.params[0]?.name === "self";
  const index = target.params.findIndex((candidate) => candidate.name === param) - (method ? 1 : 0);
  const given = call.args[index];
  return given !== undefined && given.keyword === null ? given : null;
}
