import type {
  CallArgument,
  CallExpr,
  ClassDef,
  Expr,
  FunctionDef,
  FunctionParam,
  ImportStmt,
  SubscriptExpr,
  TextSpan,
} from "../parse/ast.ts";
import { lastName } from "../parse/ast.ts";

/** An assignment, parameter, definition or import that binds a name. */
export interface Binding {
  readonly kind: "assign" | "update" | "element" | "param" | "function" | "class" | "import";
  readonly name: string;
  readonly scope: Scope;
  readonly span: TextSpan;
  /** The assigned value, the iterable, or the parameter's default. */
  readonly value: Expr | null;
  /** Indices into the value's tuple: `a, (b, c) = v` gives b the path [1, 0]. */
  readonly path: readonly number[];
  readonly annotation: Expr | null;
  /** The scope of the function or class that it defines. */
  readonly definedScope: Scope | null;
  /** Inside an `if`, a loop or a `try`. */
  readonly conditional: boolean;
}

/** `table[…] = value`: an assignment to a subscript. */
export interface SubscriptWrite {
  readonly target: SubscriptExpr;
  readonly value: Expr;
  readonly scope: Scope;
}

export interface Scope {
  readonly kind: "module" | "function" | "class";
  readonly name: string;
  readonly span: TextSpan;
  readonly parent: Scope | null;
  readonly definition: FunctionDef | ClassDef | null;
  readonly params: readonly FunctionParam[];
  readonly bindings: Map<string, Binding[]>;
  /** `self.name = …` in all methods, and fields; empty except for classes. */
  readonly attributes: Map<string, Binding[]>;
  readonly children: Scope[];
  readonly returns: Expr[];
  readonly writes: SubscriptWrite[];
  /** Complete expressions in this scope's own statements. */
  readonly expressions: Expr[];
}

/** An identifier that the cursor can be on. */
export interface Occurrence extends TextSpan {
  readonly name: string;
  readonly kind: "name" | "attribute" | "keyword" | "param" | "function" | "class" | "import";
  readonly scope: Scope;
  /** The expression that ends with it, for names and attributes. */
  readonly expr: Expr | null;
  /** The call that it is a keyword of. */
  readonly call: CallExpr | null;
  /** The value of the keyword. */
  readonly value: Expr | null;
  /** The scope that it defines, for functions and classes. */
  readonly definedScope: Scope | null;
}

export interface CallSite {
  readonly call: CallExpr;
  readonly scope: Scope;
}

/** Context from outside of the text. */
export interface ModuleContext {
  /** Returns the file that a relative import names, if it has been read. @param level number of leading dots */
  readonly importedModule: (level: number, module: string) => { readonly module: Module } | null;
  /** Text before this offset belongs to earlier cells of the notebook. */
  readonly cellStart: number;
}

export interface Module {
  readonly text: string;
  readonly context: ModuleContext;
  readonly root: Scope;
  /** All identifiers of the file, sorted by offset. */
  readonly occurrences: readonly Occurrence[];
  /** By the last name of the callee. */
  readonly calls: { readonly get: (name: string) => readonly CallSite[] };
  /** Identifiers by part; edits elsewhere leave a part unchanged. */
  readonly parts: readonly { readonly from: number; readonly occurrences: readonly Occurrence[] }[];
  readonly imports: readonly ImportStmt[];
  /** All classes and functions. */
  readonly scopes: readonly Scope[];
  /** The first class or function of each name. */
  readonly scopesByName: ReadonlyMap<string, Scope>;
}

/** True for `self` and `cls`. */
export function isSelf(expr: Expr): boolean {
  return expr.kind === "name" && (expr.name === "self" || expr.name === "cls");
}

/** The nearest class around a scope. */
export function enclosingClass(scope: Scope | null): Scope | null {
  for (let at = scope; at !== null; at = at.parent) if (at.kind === "class") return at;
  return null;
}

/** The nearest function around a scope. */
export function enclosingFunction(scope: Scope | null): Scope | null {
  for (let at = scope; at !== null; at = at.parent) if (at.kind === "function") return at;
  return null;
}

/** Bindings of a name in the innermost scope that has any. Methods do not see the names of their class body. */
export function findBindings(scope: Scope, name: string): readonly Binding[] {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind === "class" && at !== scope) continue;
    const found = at.bindings.get(name);
    if (found !== undefined) return found;
  }
  return [];
}

/** The class or function of a name. */
export function findScope(module: Module, name: string): Scope | null {
  return module.scopesByName.get(name) ?? null;
}

/** `self.name`: the class's own attribute, or one of a base class of the same file. */
export function findAttributeBindings(module: Module, owner: Scope | null, name: string): readonly Binding[] {
  let at = owner;
  for (let hops = 0; at !== null && hops < 8; hops++) {
    const found = at.attributes.get(name) ?? at.bindings.get(name);
    if (found !== undefined) return found;
    at = findBaseClass(module, at);
  }
  return [];
}

function findBaseClass(module: Module, scope: Scope): Scope | null {
  if (scope.definition?.kind !== "class") return null;
  for (const base of scope.definition.bases) {
    if (base.value.kind !== "name") continue;
    const baseClass = findScope(module, base.value.name);
    if (baseClass !== null && baseClass !== scope) return baseClass;
  }
  return null;
}

/** Method of a class, or of a base class of the same file. */
export function findMethod(module: Module, owner: Scope, name: string): Scope | null {
  let at: Scope | null = owner;
  for (let hops = 0; at !== null && hops < 8; hops++) {
    const method = at.children.find((child) => child.kind === "function" && child.name === name);
    if (method !== undefined) return method;
    at = findBaseClass(module, at);
  }
  return null;
}

/** True for a method that is read like an attribute. */
export function isProperty(scope: Scope): boolean {
  const decorators = scope.definition?.kind === "function" ? scope.definition.decorators : [];
  return decorators.some((decorator) => /^(?:\w*property|computed_field)$/.test(lastName(decorator) ?? ""));
}

/** The function that calling this scope runs: the scope itself, or the `__init__` of a class. */
export function resolveCallable(module: Module, scope: Scope): Scope {
  return scope.kind === "class" ? (findMethod(module, scope, "__init__") ?? scope) : scope;
}

/** The argument that a call passes for a parameter, by keyword or by position. */
export function findArgument(call: CallExpr, target: Scope, param: string): CallArgument | null {
  const byKeyword = call.args.find((argument) => argument.keyword === param);
  if (byKeyword !== undefined) return byKeyword;
  if (call.args.some((argument) => argument.star)) return null;
  const isMethod = target.parent?.kind === "class" && target.params[0]?.name === "self";
  const index = target.params.findIndex((candidate) => candidate.name === param) - (isMethod ? 1 : 0);
  const byPosition = call.args[index];
  return byPosition !== undefined && byPosition.keyword === null ? byPosition : null;
}

/** The name that a relatively imported file gives to an alias. Only relative imports can be followed. */
export function importedNames(
  module: Module,
  alias: string,
): readonly { readonly level: number; readonly module: string; readonly name: string }[] {
  return module.imports.flatMap((statement) => {
    const imported = statement.level > 0 ? statement.names.find((candidate) => candidate.alias === alias) : undefined;
    return imported === undefined
      ? []
      : [{ level: statement.level, module: statement.module ?? "", name: imported.name }];
  });
}

/** The binding that an import of this name gets: the last one, unless a condition chooses between several. */
export function findExport(module: Module, name: string): Binding | null {
  const bindings = module.root.bindings.get(name) ?? [];
  const last = bindings.at(-1);
  return last === undefined || (last.conditional && bindings.length > 1) ? null : last;
}
