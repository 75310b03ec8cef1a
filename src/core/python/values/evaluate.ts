import { t } from "@vscode/l10n";
import { type Call, type Expr, keywordArgument, lastName, positional } from "../parse/ast.ts";
import {
  argumentFor,
  attributesOf,
  type Binding,
  bindingsOf,
  callableOf,
  classOf,
  isSelf,
  type Module,
  type Scope,
} from "../symbols/module.ts";
import { call as mathCall, operate } from "./arithmetic.ts";
import { type Constant, placeNote, type Value } from "./value.ts";

/** A call whose arguments stand for the parameters of the scope it runs. */
export interface Frame {
  /** The file that the call stands in. */
  readonly module: Module;
  readonly call: Call;
  readonly scope: Scope;
  readonly target: Scope;
}

const MAX_DEPTH = 24;

/** Evaluates constants by the definitions of the file; nothing is executed. */
export class Evaluator {
  readonly module: Module;
  readonly #frame: Frame | null;
  readonly #open = new Set<Expr>();

  constructor(module: Module, frame: Frame | null = null) {
    this.module = module;
    this.#frame = frame;
  }

  /** @param at definitions after this offset are not seen by code of the same function */
  evaluate(expr: Expr, scope: Scope, at: number = expr.from): Value {
    if (this.#open.size > MAX_DEPTH || this.#open.has(expr)) return this.unknown(expr);
    this.#open.add(expr);
    try {
      return this.#visit(expr, scope, at);
    } finally {
      this.#open.delete(expr);
    }
  }

  number(expr: Expr | null, scope: Scope): number | null {
    if (expr === null) return null;
    const { value } = this.evaluate(expr, scope);
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  }

  unknown(expr: Expr): Value {
    const written = this.module.text.slice(expr.from, Math.min(expr.to, expr.from + 60)).replace(/\s+/g, " ");
    return { value: undefined, source: "code", note: "", span: expr, symbol: written };
  }

  #known(expr: Expr, value: Constant | undefined, inner?: Value): Value {
    const base = this.unknown(expr);
    return value === undefined
      ? base
      : { ...base, value, source: inner?.source ?? "code", note: inner?.note ?? "", span: inner?.span ?? expr };
  }

  #visit(expr: Expr, scope: Scope, at: number): Value {
    switch (expr.kind) {
      case "number":
        return this.#known(expr, Number.isFinite(expr.value) ? expr.value : undefined);
      case "string":
      case "constant":
        return this.#known(expr, expr.value);
      case "name":
        return this.#name(expr, scope, at);
      case "attribute":
        return this.#attribute(expr, scope, at);
      case "call":
        return this.#call(expr, scope, at);
      case "unary":
        return this.#unary(expr, scope, at);
      case "binary":
        return this.#binary(expr, scope, at);
      case "conditional":
        return this.#conditional(expr, scope, at);
      case "sequence":
        return this.#sequence(expr, scope, at);
      case "subscript":
        return this.#element(expr, scope, at);
      default:
        return this.unknown(expr);
    }
  }

  #unary(expr: Extract<Expr, { kind: "unary" }>, scope: Scope, at: number): Value {
    const inner = this.evaluate(expr.operand, scope, at);
    if (expr.op === "-" && typeof inner.value === "number") return this.#known(expr, -inner.value, inner);
    if (expr.op === "+" && typeof inner.value === "number") return this.#known(expr, inner.value, inner);
    return expr.op === "not" && inner.value !== undefined ? this.#known(expr, !inner.value, inner) : this.unknown(expr);
  }

  #binary(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, at: number): Value {
    const left = this.evaluate(expr.left, scope, at);
    if (expr.op === "or" && left.value !== undefined) return left.value ? left : this.evaluate(expr.right, scope, at);
    const right = this.evaluate(expr.right, scope, at);
    if (left.value === undefined || right.value === undefined) return this.unknown(expr);
    const noted = left.note === "" ? right : left;
    return this.#known(expr, operate(expr.op, left.value, right.value), noted.note === "" ? undefined : noted);
  }

  #conditional(expr: Extract<Expr, { kind: "conditional" }>, scope: Scope, at: number): Value {
    const test = this.evaluate(expr.test, scope, at);
    if (test.value !== undefined) return this.evaluate(test.value ? expr.body : expr.orElse, scope, at);
    const body = this.evaluate(expr.body, scope, at);
    const orElse = this.evaluate(expr.orElse, scope, at);
    return body.value !== undefined && body.value === orElse.value ? body : this.unknown(expr);
  }

  #sequence(expr: Extract<Expr, { kind: "sequence" }>, scope: Scope, at: number): Value {
    if (expr.items.length > 512) return this.unknown(expr);
    const values = expr.items.map((item) => this.evaluate(item, scope, at).value);
    return values.every((value) => typeof value === "number") ? this.#known(expr, values) : this.unknown(expr);
  }

  #element(expr: Extract<Expr, { kind: "subscript" }>, scope: Scope, at: number): Value {
    const index = expr.indices[0];
    if (index === undefined || expr.indices.length > 1) return this.unknown(expr);
    const list = this.evaluate(expr.object, scope, at);
    const { value } = this.evaluate(index, scope, at);
    if (!Array.isArray(list.value) || typeof value !== "number") return this.unknown(expr);
    return this.#known(expr, list.value.at(value), list);
  }

  #name(expr: Extract<Expr, { kind: "name" }>, scope: Scope, at: number): Value {
    const bindings = bindingsOf(scope, expr.name);
    const owner = bindings[0]?.scope;
    const sameFunction = owner === scope && scope.kind === "function";
    const before = sameFunction
      ? bindings.filter((binding) => binding.span.from < at || binding.kind === "param")
      : bindings;
    return this.#oneOf(before, expr);
  }

  /** The one value that all these definitions can mean, or the last plain one. */
  #oneOf(bindings: readonly Binding[], expr: Expr): Value {
    const last = bindings.at(-1);
    if (last === undefined) return this.unknown(expr);
    if (bindings.length === 1 || (!last.conditional && last.kind === "assign")) return this.#binding(last, expr);
    const values = bindings.map((binding) => this.#binding(binding, expr));
    const first = values[0];
    const same =
      first !== undefined && values.every((value) => value.value !== undefined && value.value === first.value);
    return same ? first : this.unknown(expr);
  }

  #binding(binding: Binding, expr: Expr): Value {
    if (binding.kind === "param") return this.#param(binding, expr);
    if (binding.kind === "import") return this.#imported(binding, expr);
    if (binding.value === null || binding.kind === "element") return this.unknown(expr);
    const value = binding.path.reduce<Expr | null>(
      (at, index) => (at?.kind === "sequence" ? (at.items[index] ?? null) : null),
      binding.value,
    );
    if (value === null) return this.unknown(expr);
    const inner = this.evaluate(value, binding.scope, binding.span.from);
    return { ...inner, symbol: this.unknown(expr).symbol, note: inner.note === "" ? this.#note(binding) : inner.note };
  }

  /** A constant of another file; the place shown is that of the import. */
  #imported(binding: Binding, expr: Expr): Value {
    const found = this.module.links.constant(binding.name);
    if (found?.binding.value == null) return this.unknown(expr);
    const inner = new Evaluator(found.module).evaluate(found.binding.value, found.binding.scope);
    return inner.value === undefined
      ? this.unknown(expr)
      : { ...inner, span: binding.span, note: t("imported constant"), symbol: binding.name };
  }

  #note(binding: Binding): string {
    const inThisCell = binding.span.from >= this.module.links.from;
    if (binding.scope.kind === "module" && inThisCell) return t("module constant");
    if (binding.scope.kind === "class") return t("class field default");
    return placeNote(this.module, binding.span.from);
  }

  #param(binding: Binding, expr: Expr): Value {
    const given = this.#given(binding);
    if (given !== null) return { ...given, symbol: this.unknown(expr).symbol };
    if (binding.value === null) return this.unknown(expr);
    const inner = this.evaluate(binding.value, binding.scope.parent ?? binding.scope);
    if (inner.value === undefined || inner.value === null) return this.unknown(expr);
    return { ...inner, source: "default", note: t("default argument"), span: binding.value, symbol: binding.name };
  }

  /** The value that the call in question, or else every call in this file, gives to a parameter. */
  #given(binding: Binding): Value | null {
    const scope = binding.scope;
    if (this.#frame !== null && this.#frame.target === scope) {
      const argument = argumentFor(this.#frame.call, scope, binding.name);
      return argument === null
        ? null
        : this.#noted(new Evaluator(this.#frame.module).evaluate(argument.value, this.#frame.scope), argument.from);
    }
    const owner = scope.name === "__init__" ? classOf(scope) : scope;
    const sites = this.module.calls
      .get(owner?.name ?? "")
      .filter((site) => owner !== null && callableOf(this.module, owner) === scope && site.scope !== scope);
    const values = sites.map((site) => ({ site, argument: argumentFor(site.call, scope, binding.name) }));
    const first = values[0];
    if (first?.argument === null || first === undefined) return null;
    const evaluated = values.map(({ site, argument }) =>
      argument === null ? null : this.evaluate(argument.value, site.scope),
    );
    const value = evaluated[0];
    const agreed = value?.value !== undefined && evaluated.every((other) => other?.value === value.value);
    return value != null && agreed ? this.#noted(value, first.argument.from) : null;
  }

  #noted(value: Value, from: number): Value {
    return {
      ...value,
      note: value.note === "" ? t("argument, {0}", placeNote((this.#frame ?? this).module, from)) : value.note,
    };
  }

  #attribute(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope, at: number): Value {
    const constant = MATH_CONSTANTS.get(expr.name);
    if (constant !== undefined && lastName(expr.object) !== null && MATH_MODULES.has(lastName(expr.object) ?? ""))
      return this.#known(expr, constant);
    if (isSelf(expr.object)) {
      const bindings = attributesOf(this.module, classOf(scope), expr.name).filter(
        (binding) => binding.kind !== "update" || binding.span.from < at,
      );
      return this.#oneOf(bindings, expr);
    }
    return this.#configField(expr, scope);
  }

  /** `config.field` where the file has the config class. */
  #configField(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope): Value {
    const holder = lastName(expr.object);
    if (holder === null || !CONFIG_NAMES.test(holder)) return this.unknown(expr);
    const annotation = bindingsOf(scope, holder)[0]?.annotation ?? null;
    const named = annotation === null ? null : lastName(annotation);
    const isConfig = (candidate: Scope): boolean =>
      named === null ? CONFIG_CLASS.test(candidate.name) : candidate.name === named;
    const classes = this.module.scopes.filter((candidate) => candidate.kind === "class" && isConfig(candidate));
    const found = classes
      .map((candidate) => attributesOf(this.module, candidate, expr.name))
      .filter((bindings) => bindings.length > 0);
    const bindings = found[0];
    if (bindings === undefined || found.length > 1) return this.unknown(expr);
    const value = this.#oneOf(bindings, expr);
    return value.value === undefined ? value : { ...value, source: "default", note: t("config class default") };
  }

  #call(expr: Call, scope: Scope, at: number): Value {
    const name = lastName(expr.callee);
    const args = positional(expr);
    if (name === "getattr" || name === "get" || name === "pop") return this.#fallback(expr, scope, at);
    if (name === "field") {
      const value = keywordArgument(expr, "default");
      return value === null ? this.unknown(expr) : this.evaluate(value, scope, at);
    }
    if (name === null || args.length > 8) return this.unknown(expr);
    const values = args.map((argument) => this.evaluate(argument, scope, at));
    const numbers = values.map((value) => value.value);
    if (numbers.some((value) => value === undefined)) return this.unknown(expr);
    return this.#known(
      expr,
      mathCall(name, numbers as Constant[]),
      values.find((value) => value.note !== ""),
    );
  }

  /** `getattr(config, "key", default)`, `config.get("key", default)`. */
  #fallback(expr: Call, scope: Scope, at: number): Value {
    const args = positional(expr);
    const isGetattr = lastName(expr.callee) === "getattr";
    const value = isGetattr ? args[2] : args[1];
    const key = isGetattr ? args[1] : args[0];
    if (value === undefined || key?.kind !== "string") return this.unknown(expr);
    const inner = this.evaluate(value, scope, at);
    return { ...inner, source: "default", note: t("fallback if {0} is not set", key.value), symbol: key.value };
  }
}

const MATH_MODULES = new Set(["math", "np", "numpy", "torch", "jnp", "tf", "mx"]);
const MATH_CONSTANTS = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
  ["tau", 2 * Math.PI],
]);
const CONFIG_NAMES = /^(?:\w*_)?(?:config|cfg|conf|args|hparams|opt|params)$|^c$/;
const CONFIG_CLASS = /Config|Args|Arguments|Params|Hparams|HParams|Cfg|Settings/;
