import * as l10n from "@vscode/l10n";
import {
  type CallExpr,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import { isPassThrough, operandOf } from "../patterns/calls.ts";
import {
  type Binding,
  enclosingClass,
  findArgument,
  findAttributeBindings,
  findBindings,
  findExport,
  findMethod,
  importedNames,
  isProperty,
  isSelf,
  type Module,
  resolveCallable,
  type Scope,
} from "../symbols/module.ts";
import { applyFunction, applyOperator } from "./arithmetic.ts";
import { findConfigInstance } from "./configInstance.ts";
import { type ConstantValue, type EvaluatedValue, locationNote } from "./evaluatedValue.ts";

/** A call whose arguments are the values of the parameters of the scope that it runs. */
export interface CallFrame {
  /** The file of the call. */
  readonly module: Module;
  readonly call: CallExpr;
  readonly scope: Scope;
  readonly target: Scope;
}

const MAX_EVALUATION_DEPTH = 24;

/** Evaluates constants from the definitions of the file; nothing is executed. */
export class Evaluator {
  readonly module: Module;
  readonly #frame: CallFrame | null;
  readonly #inProgress = new Set<Expr>();

  constructor(module: Module, frame: CallFrame | null = null) {
    this.module = module;
    this.#frame = frame;
  }

  /** @param at within a function, definitions after this offset are ignored */
  evaluate(expr: Expr, scope: Scope, at: number = expr.from): EvaluatedValue {
    if (this.#inProgress.size > MAX_EVALUATION_DEPTH || this.#inProgress.has(expr)) return this.unknownValue(expr);
    this.#inProgress.add(expr);
    try {
      return this.#visit(expr, scope, at);
    } finally {
      this.#inProgress.delete(expr);
    }
  }

  evaluateNumber(expr: Expr | null, scope: Scope): number | null {
    if (expr === null) return null;
    const { value } = this.evaluate(expr, scope);
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  }

  unknownValue(expr: Expr): EvaluatedValue {
    const text = this.module.text.slice(expr.from, Math.min(expr.to, expr.from + 60)).replace(/\s+/g, " ");
    return { value: undefined, source: "code", note: "", span: expr, symbol: text };
  }

  #knownValue(expr: Expr, value: ConstantValue | undefined, inner?: EvaluatedValue): EvaluatedValue {
    const base = this.unknownValue(expr);
    return value === undefined
      ? base
      : { ...base, value, source: inner?.source ?? "code", note: inner?.note ?? "", span: inner?.span ?? expr };
  }

  #visit(expr: Expr, scope: Scope, at: number): EvaluatedValue {
    switch (expr.kind) {
      case "number":
        return this.#knownValue(expr, Number.isFinite(expr.value) ? expr.value : undefined);
      case "string":
      case "constant":
        return this.#knownValue(expr, expr.value);
      case "name":
        return this.#evaluateName(expr, scope, at);
      case "attribute":
        return this.#evaluateAttribute(expr, scope, at);
      case "call":
        return this.#evaluateCall(expr, scope, at);
      case "unary":
        return this.#evaluateUnary(expr, scope, at);
      case "binary":
        return this.#evaluateBinary(expr, scope, at);
      case "conditional":
        return this.#evaluateConditional(expr, scope, at);
      case "sequence":
        return this.#evaluateSequence(expr, scope, at);
      case "subscript":
        return this.#evaluateElement(expr, scope, at);
      default:
        return this.unknownValue(expr);
    }
  }

  #evaluateUnary(expr: Extract<Expr, { kind: "unary" }>, scope: Scope, at: number): EvaluatedValue {
    const inner = this.evaluate(expr.operand, scope, at);
    if (expr.op === "-" && typeof inner.value === "number") return this.#knownValue(expr, -inner.value, inner);
    if (expr.op === "+" && typeof inner.value === "number") return this.#knownValue(expr, inner.value, inner);
    return expr.op === "not" && inner.value !== undefined
      ? this.#knownValue(expr, !inner.value, inner)
      : this.unknownValue(expr);
  }

  #evaluateBinary(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, at: number): EvaluatedValue {
    const left = this.evaluate(expr.left, scope, at);
    if (expr.op === "or" && left.value !== undefined) return left.value ? left : this.evaluate(expr.right, scope, at);
    const right = this.evaluate(expr.right, scope, at);
    if (left.value === undefined || right.value === undefined) return this.unknownValue(expr);
    const noted = left.note === "" ? right : left;
    return this.#knownValue(
      expr,
      applyOperator(expr.op, left.value, right.value),
      noted.note === "" ? undefined : noted,
    );
  }

  #evaluateConditional(expr: Extract<Expr, { kind: "conditional" }>, scope: Scope, at: number): EvaluatedValue {
    const test = this.evaluate(expr.test, scope, at);
    if (test.value !== undefined) return this.evaluate(test.value ? expr.body : expr.orElse, scope, at);
    const body = this.evaluate(expr.body, scope, at);
    const orElse = this.evaluate(expr.orElse, scope, at);
    return body.value !== undefined && body.value === orElse.value ? body : this.unknownValue(expr);
  }

  #evaluateSequence(expr: Extract<Expr, { kind: "sequence" }>, scope: Scope, at: number): EvaluatedValue {
    if (expr.items.length > 512) return this.unknownValue(expr);
    const values = expr.items.map((item) => this.evaluate(item, scope, at).value);
    return values.every((value) => typeof value === "number")
      ? this.#knownValue(expr, values)
      : this.unknownValue(expr);
  }

  #evaluateElement(expr: Extract<Expr, { kind: "subscript" }>, scope: Scope, at: number): EvaluatedValue {
    const index = expr.indices[0];
    if (index === undefined || expr.indices.length > 1) return this.unknownValue(expr);
    const list = this.evaluate(expr.object, scope, at);
    const { value } = this.evaluate(index, scope, at);
    if (!Array.isArray(list.value) || typeof value !== "number") return this.unknownValue(expr);
    return this.#knownValue(expr, list.value.at(value), list);
  }

  #evaluateName(expr: Extract<Expr, { kind: "name" }>, scope: Scope, at: number): EvaluatedValue {
    const bindings = findBindings(scope, expr.name);
    const owner = bindings[0]?.scope;
    const sameFunction = owner === scope && scope.kind === "function";
    const before = sameFunction
      ? bindings.filter((binding) => binding.span.from < at || binding.kind === "param")
      : bindings;
    return this.#evaluateBindings(before, expr);
  }

  /** The value that all bindings agree on, or that of the last unconditional one. */
  #evaluateBindings(bindings: readonly Binding[], expr: Expr): EvaluatedValue {
    const last = bindings.at(-1);
    if (last === undefined) return this.unknownValue(expr);
    if (bindings.length === 1 || (!last.conditional && last.kind === "assign"))
      return this.#evaluateBinding(last, expr);
    const values = bindings.map((binding) => this.#evaluateBinding(binding, expr));
    const first = values[0];
    const same =
      first !== undefined && values.every((value) => value.value !== undefined && value.value === first.value);
    return same ? first : this.unknownValue(expr);
  }

  #evaluateBinding(binding: Binding, expr: Expr): EvaluatedValue {
    if (binding.kind === "param") return this.#evaluateParam(binding, expr);
    if (binding.kind === "import") return this.#evaluateImported(binding, expr);
    if (binding.kind === "function" && binding.definedScope !== null && isProperty(binding.definedScope))
      return this.#evaluateMethod(binding.definedScope, expr);
    if (binding.value === null || binding.kind === "element") return this.unknownValue(expr);
    const value = binding.path.reduce<Expr | null>(
      (at, index) => (at?.kind === "sequence" ? (at.items[index] ?? null) : null),
      binding.value,
    );
    if (value === null) return this.unknownValue(expr);
    const inner = this.evaluate(value, binding.scope, binding.span.from);
    return {
      ...inner,
      symbol: this.unknownValue(expr).symbol,
      note: inner.note === "" ? this.#bindingNote(binding) : inner.note,
    };
  }

  /** A constant of another file; its span is that of the import. */
  #evaluateImported(binding: Binding, expr: Expr): EvaluatedValue {
    const imported = this.#findImportedConstant(binding.name);
    if (imported?.constant?.value == null) return this.unknownValue(expr);
    const inner = new Evaluator(imported.module).evaluate(imported.constant.value, imported.constant.scope);
    return inner.value === undefined
      ? this.unknownValue(expr)
      : { ...inner, span: binding.span, note: l10n.t("imported constant"), symbol: binding.name };
  }

  #findImportedConstant(alias: string): { readonly module: Module; readonly constant: Binding | null } | null {
    for (const { level, module: moduleName, name } of importedNames(this.module, alias)) {
      const imported = this.module.context.importedModule(level, moduleName);
      if (imported !== null) return { module: imported.module, constant: findExport(imported.module, name) };
    }
    return null;
  }

  #bindingNote(binding: Binding): string {
    const inThisCell = binding.span.from >= this.module.context.cellStart;
    if (binding.scope.kind === "module" && inThisCell) return l10n.t("module constant");
    if (binding.scope.kind === "class") return l10n.t("class field default");
    return locationNote(this.module, binding.span.from);
  }

  #evaluateParam(binding: Binding, expr: Expr): EvaluatedValue {
    const passed = this.#passedValue(binding);
    if (passed !== null) return { ...passed, symbol: this.unknownValue(expr).symbol };
    if (binding.value === null) return this.unknownValue(expr);
    const inner = this.evaluate(binding.value, binding.scope.parent ?? binding.scope);
    if (inner.value === undefined || inner.value === null) return this.unknownValue(expr);
    return { ...inner, source: "default", note: l10n.t("default argument"), span: binding.value, symbol: binding.name };
  }

  /** The value passed for a parameter by the call in the frame, or else by every call in this file. */
  #passedValue(binding: Binding): EvaluatedValue | null {
    const scope = binding.scope;
    if (this.#frame !== null && this.#frame.target === scope) {
      const argument = findArgument(this.#frame.call, scope, binding.name);
      return argument === null
        ? null
        : this.#withArgumentNote(
            new Evaluator(this.#frame.module).evaluate(argument.value, this.#frame.scope),
            argument.from,
          );
    }
    const owner = scope.name === "__init__" ? enclosingClass(scope) : scope;
    const sites = this.module.calls
      .get(owner?.name ?? "")
      .filter((site) => owner !== null && resolveCallable(this.module, owner) === scope && site.scope !== scope);
    const values = sites.map((site) => ({ site, argument: findArgument(site.call, scope, binding.name) }));
    const first = values[0];
    if (first?.argument === null || first === undefined) return null;
    const evaluated = values.map(({ site, argument }) =>
      argument === null ? null : this.evaluate(argument.value, site.scope),
    );
    const value = evaluated[0];
    if (value == null) return null;
    const agreed = value.value !== undefined && evaluated.every((other) => other?.value === value.value);
    if (agreed) return this.#withArgumentNote(value, first.argument.from);
    // A switch that every call of the file sets is not known, nor is a factor whose default, 1, has no effect; any
    // other number's default is at least an example.
    const isSwitch =
      (binding.value?.kind === "constant" || isNumberLiteral(binding.value, 1)) &&
      evaluated.every((other) => other !== null);
    return isSwitch ? this.unknownValue(first.argument.value) : null;
  }

  #withArgumentNote(value: EvaluatedValue, from: number): EvaluatedValue {
    return {
      ...value,
      note: value.note === "" ? l10n.t("argument, {0}", locationNote((this.#frame ?? this).module, from)) : value.note,
    };
  }

  #evaluateAttribute(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope, at: number): EvaluatedValue {
    const constant = MATH_CONSTANTS.get(expr.name);
    if (constant !== undefined && lastName(expr.object) !== null && MATH_MODULES.has(lastName(expr.object) ?? ""))
      return this.#knownValue(expr, constant);
    if (isSelf(expr.object)) {
      const bindings = findAttributeBindings(this.module, enclosingClass(scope), expr.name).filter(
        (binding) => binding.kind !== "update" || binding.span.from < at,
      );
      return this.#evaluateBindings(bindings, expr);
    }
    return this.#evaluateConfigField(expr, scope);
  }

  /** `config.field` if the file defines the config class. */
  #evaluateConfigField(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope): EvaluatedValue {
    const instance = findConfigInstance(this.module, expr.object, scope);
    if (instance === null) return this.unknownValue(expr);
    const passed = instance.creation?.call.args.find((argument) => argument.keyword === expr.name);
    if (passed !== undefined && instance.creation !== null)
      return this.evaluate(passed.value, instance.creation.scope, passed.from);
    const candidates = instance.classes
      .map((candidate) => ({ candidate, bindings: findAttributeBindings(this.module, candidate, expr.name) }))
      .filter(({ bindings }) => bindings.length > 0);
    const [only] = candidates;
    if (only === undefined || candidates.length > 1) return this.unknownValue(expr);
    const value = this.#evaluateField(expr, only.candidate, only.bindings);
    // What the class computes from its fields is not known for an instance with other values.
    if (value.value === undefined || (value.source === "derived" && (instance.creation?.call.args.length ?? 0) > 0))
      return this.unknownValue(expr);
    return value.source === "derived" ? value : { ...value, source: "default", note: l10n.t("config class default") };
  }

  /** A field with its default, a property, or an attribute that a method of the class assigns. */
  #evaluateField(expr: Expr, owner: Scope, bindings: readonly Binding[]): EvaluatedValue {
    const value = this.#evaluateBindings(bindings, expr);
    if (value.value === undefined) return value;
    const name = bindings[0]?.name ?? "";
    const field = owner.attributes.has(name) ? owner.bindings.get(name)?.at(-1)?.value : undefined;
    const fieldValue = field == null ? null : this.evaluate(field, owner).value;
    // `if self.head_dim is None: self.head_dim = …` does not apply to a field with a default.
    if (fieldValue !== null && fieldValue !== value.value && bindings.every((binding) => binding.conditional))
      return this.unknownValue(expr);
    const assigned = bindings.at(-1);
    const computed = assigned?.kind === "function" || assigned?.value?.kind === "binary" ? assigned : null;
    return computed === null || computed.scope === owner.parent
      ? value
      : { ...value, source: "derived", note: this.#computationNote(computed) };
  }

  /** "computed by the config class: self.dim // self.n_heads" */
  #computationNote(binding: Binding): string {
    const formula = binding.kind === "function" ? binding.definedScope?.returns[0] : binding.value;
    return formula == null
      ? this.#bindingNote(binding)
      : l10n.t("computed by the config class: {0}", this.unknownValue(formula).symbol);
  }

  /** What a method without parameters returns: a property, or `config.head_dim()`. */
  #evaluateMethod(method: Scope, expr: Expr): EvaluatedValue {
    const returned = method.returns.map((value) => this.evaluate(value, method));
    const [first] = returned;
    const agreed = first?.value !== undefined && returned.every((other) => other.value === first.value);
    return agreed ? { ...first, symbol: this.unknownValue(expr).symbol } : this.unknownValue(expr);
  }

  #evaluateCall(expr: CallExpr, scope: Scope, at: number): EvaluatedValue {
    const name = lastName(expr.callee);
    const args = positionalArguments(expr);
    if (name === "getattr" || name === "get" || name === "pop") return this.#evaluateFallback(expr, scope, at);
    if (name === "field") {
      const value = keywordArgument(expr, "default");
      return value === null ? this.unknownValue(expr) : this.evaluate(value, scope, at);
    }
    const converted = isPassThrough(expr) ? operandOf(expr) : null;
    if (converted !== null) return this.evaluate(converted, scope, at);
    if (name === null || args.length > 8) return this.unknownValue(expr);
    const method = args.length === 0 && expr.callee.kind === "attribute" ? this.#findMethod(expr.callee, scope) : null;
    if (method !== null) return this.#evaluateMethod(method, expr);
    const values = args.map((argument) => this.evaluate(argument, scope, at));
    const numbers = values.map((value) => value.value);
    if (numbers.some((value) => value === undefined)) return this.unknownValue(expr);
    return this.#knownValue(
      expr,
      applyFunction(name, numbers as ConstantValue[]),
      values.find((value) => value.note !== ""),
    );
  }

  /** A method of this class or of the config class that takes nothing else. */
  #findMethod(callee: Extract<Expr, { kind: "attribute" }>, scope: Scope): Scope | null {
    const own = isSelf(callee.object) ? enclosingClass(scope) : null;
    const instance = own === null ? findConfigInstance(this.module, callee.object, scope) : null;
    if (instance !== null && (instance.creation?.call.args.length ?? 0) > 0) return null;
    const owners = own !== null ? [own] : (instance?.classes ?? []);
    const methods = owners.flatMap((owner) => findMethod(this.module, owner, callee.name) ?? []);
    const [method] = methods;
    return method !== undefined && methods.length === 1 && method.params.length === 1 ? method : null;
  }

  /** `getattr(config, "key", default)`, `config.get("key", default)`. */
  #evaluateFallback(expr: CallExpr, scope: Scope, at: number): EvaluatedValue {
    const args = positionalArguments(expr);
    const isGetattr = lastName(expr.callee) === "getattr";
    const value = isGetattr ? args[2] : args[1];
    const key = isGetattr ? args[1] : args[0];
    if (value === undefined || key?.kind !== "string") return this.unknownValue(expr);
    const inner = this.evaluate(value, scope, at);
    return { ...inner, source: "default", note: l10n.t("fallback if {0} is not set", key.value), symbol: key.value };
  }
}

const MATH_MODULES = new Set(["math", "np", "numpy", "torch", "jnp", "tf", "mx"]);
const MATH_CONSTANTS = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
  ["tau", 2 * Math.PI],
]);
