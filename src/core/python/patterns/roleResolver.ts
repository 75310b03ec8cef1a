import { type CallExpr, type Expr, lastName } from "../parse/ast.ts";
import {
  type Binding,
  enclosingClass,
  findArgument,
  findAttributeBindings,
  findBindings,
  findMethod,
  findScope,
  isSelf,
  type Module,
  resolveCallable,
  type Scope,
} from "../symbols/module.ts";
import { Evaluator } from "../values/evaluator.ts";
import { isPassThrough, operandOf } from "./calls.ts";
import { matchExpansion } from "./expansion.ts";
import { findDefinition } from "./factors.ts";
import { matchAngles, matchFrequencies, matchRange } from "./frequencies.ts";
import { matchKernel } from "./kernels.ts";
import { matchPairs } from "./pairs.ts";
import { matchBucket, matchDistance, matchGate, matchRelativeScores, matchSlopes } from "./relativePositions.ts";
import {
  matchPairMember,
  matchQuarterRotation,
  matchRotation,
  subtractsMembers,
  withMovedArgument,
} from "./rotation.ts";
import type { ScopedExpression, ValueRole } from "./valueRole.ts";
import { matchDoubling, matchTable, matchWave } from "./waves.ts";

type RoleMatcher = (expr: Expr, scope: Scope, roles: RoleResolver) => ValueRole | null;

/** Tried in order; the first match gives the role. */
const ROLE_MATCHERS: readonly RoleMatcher[] = [
  matchRange,
  matchQuarterRotation,
  matchRotation,
  matchPairs,
  matchPairMember,
  matchSlopes,
  matchFrequencies,
  matchWave,
  matchTable,
  matchDoubling,
  matchAngles,
  matchBucket,
  matchKernel,
  matchDistance,
  matchRelativeScores,
  matchGate,
  matchExpansion,
];

const MAX_ROLE_DEPTH = 40;
/** Of a helper that takes pairs. */
const MAX_CALLERS = 6;
const SCALAR_NAMES = /factor|scale|scaling|ratio|interpol|condense|alpha|timescale|ntk|stretch/;

/** Finds the roles of expressions on demand and caches them. */
export class RoleResolver {
  readonly module: Module;
  readonly #cache = new Map<Expr, ValueRole | null>();
  readonly evaluator: Evaluator;
  readonly #subtractsByScope = new Map<Scope, boolean>();
  #depth = 0;
  readonly #inProgress = new Set<Expr | Binding>();

  constructor(module: Module) {
    this.module = module;
    this.evaluator = new Evaluator(module);
  }

  resolve(expr: Expr, scope: Scope): ValueRole | null {
    const known = this.#cache.get(expr);
    if (known !== undefined) return known;
    if (this.#depth > MAX_ROLE_DEPTH || this.#inProgress.has(expr)) return null;
    this.#depth++;
    this.#inProgress.add(expr);
    const role = this.#resolveUncached(expr, scope);
    this.#inProgress.delete(expr);
    this.#depth--;
    this.#cache.set(expr, role);
    return role;
  }

  #resolveUncached(expr: Expr, scope: Scope): ValueRole | null {
    if (expr.kind === "name") return this.#resolveName(expr.name, scope, expr.from);
    if (expr.kind === "attribute") return this.#resolveAttribute(expr, scope);
    for (const match of ROLE_MATCHERS) {
      const role = match(expr, scope, this);
      if (role !== null) return role;
    }
    return this.#resolvePassedOn(expr, scope);
  }

  /** Passes on the role of a value that an expression leaves unchanged. */
  #resolvePassedOn(expr: Expr, scope: Scope): ValueRole | null {
    switch (expr.kind) {
      case "subscript": {
        const role = this.resolve(expr.object, scope);
        const index = expr.indices[0];
        if (role?.kind !== "tuple") return role;
        return index?.kind === "number" ? (role.items[index.value] ?? null) : null;
      }
      case "call":
        return this.#resolveCall(expr, scope);
      case "conditional":
        return this.resolve(expr.body, scope) ?? this.resolve(expr.orElse, scope);
      case "comprehension":
        return this.resolve(expr.element, scope);
      case "unary": {
        const role = this.resolve(expr.operand, scope);
        return role?.kind === "distance" || role?.kind === "slopes" || role?.kind === "alibi" ? role : null;
      }
      case "sequence":
        return this.#resolveSequence(expr.items, scope);
      default:
        return null;
    }
  }

  #resolveSequence(items: readonly Expr[], scope: Scope): ValueRole | null {
    if (items.length === 0 || items.length > 8) return null;
    const roles = items.map((item) => this.resolve(item, scope));
    return roles.some((role) => role !== null) ? { kind: "tuple", items: roles } : null;
  }

  #resolveCall(call: CallExpr, scope: Scope): ValueRole | null {
    const target = this.findTarget(call, scope);
    if (target !== null)
      return target.kind === "function" ? withMovedArgument(this.resolveReturned(target), call, scope, this) : null;
    const operand = operandOf(call);
    return operand !== null && isPassThrough(call) ? this.resolve(operand, scope) : null;
  }

  /** The function or class of this file that a call runs. */
  findTarget(call: CallExpr, scope: Scope): Scope | null {
    const { callee } = call;
    if (callee.kind === "name") {
      const binding = findBindings(scope, callee.name).at(-1);
      return binding?.definedScope ?? null;
    }
    if (callee.kind !== "attribute") return null;
    if (isSelf(callee.object)) {
      const owner = enclosingClass(scope);
      const method = owner === null ? null : findMethod(this.module, owner, callee.name);
      return method ?? this.#findForward(findAttributeBindings(this.module, owner, callee.name).at(-1));
    }
    if (callee.object.kind === "name") {
      const owner = findScope(this.module, callee.object.name);
      return owner?.kind === "class" ? findMethod(this.module, owner, callee.name) : null;
    }
    return null;
  }

  /** `self.rotary = Rotary(…)`: calling the attribute runs the `forward` of the class. */
  #findForward(binding: Binding | undefined): Scope | null {
    const value = binding?.value;
    if (binding === undefined || value?.kind !== "call") return null;
    const instanceClass =
      value.callee.kind === "name"
        ? (findBindings(binding.scope, value.callee.name).at(-1)?.definedScope ?? null)
        : null;
    if (instanceClass?.kind !== "class") return null;
    return (
      findMethod(this.module, instanceClass, "forward") ??
      findMethod(this.module, instanceClass, "__call__") ??
      findMethod(this.module, instanceClass, "call")
    );
  }

  /** The role of a function's result: the first role among its returns. */
  resolveReturned(scope: Scope): ValueRole | null {
    const target = resolveCallable(this.module, scope);
    for (const value of target.returns) {
      const role = this.resolve(value, target);
      if (role !== null) return role;
    }
    return null;
  }

  #resolveName(name: string, scope: Scope, at: number): ValueRole | null {
    const bindings = findBindings(scope, name);
    const local = bindings[0]?.scope === scope && scope.kind === "function";
    const before = local ? bindings.filter((binding) => isBindingBefore(binding, at)) : bindings;
    return (
      this.resolveBindings(before.length > 0 ? before : bindings) ??
      frequenciesByName({ kind: "name", name, from: at, to: at }, scope)
    );
  }

  #resolveAttribute(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope): ValueRole | null {
    if (isSelf(expr.object))
      return (
        this.resolveBindings(findAttributeBindings(this.module, enclosingClass(scope), expr.name)) ??
        frequenciesByName(expr, scope)
      );
    return lastName(expr) === "T" ? this.resolve(expr.object, scope) : null;
  }

  /** True if the scope also contains x0·… − x1·…, the other half of a rotation. */
  subtractsPairMembers(scope: Scope): boolean {
    let known = this.#subtractsByScope.get(scope);
    if (known === undefined) {
      this.#subtractsByScope.set(scope, false);
      known = subtractsMembers(scope, this);
      this.#subtractsByScope.set(scope, known);
    }
    return known;
  }

  findDefinition(expr: Expr, scope: Scope): ScopedExpression | null {
    return findDefinition(expr, scope);
  }

  sourceText(expr: Expr): string {
    return this.module.text.slice(expr.from, Math.min(expr.to, expr.from + 80));
  }

  hasSameText(a: Expr | undefined, b: Expr | undefined): boolean {
    return (
      a !== undefined && b !== undefined && a.to - a.from === b.to - b.from && this.sourceText(a) === this.sourceText(b)
    );
  }

  /** True for a number rather than a tensor, by value or by name. */
  isScalar(expr: Expr, scope: Scope): boolean {
    if (typeof this.evaluator.evaluate(expr, scope).value === "number") return true;
    if (expr.kind === "binary") return this.isScalar(expr.left, scope) && this.isScalar(expr.right, scope);
    if (expr.kind === "call") return expr.callee.kind === "attribute" && lastName(expr.callee.object) === "math";
    const name = lastName(expr);
    return name !== null && SCALAR_NAMES.test(name);
  }

  /** True for a known number that is too small to be a base. */
  isTooSmallForBase(expr: Expr, scope: Scope): boolean {
    const { value } = this.evaluator.evaluate(expr, scope);
    return typeof value === "number" && value < 20;
  }

  /** The role of the latest definition that has one. */
  resolveBindings(bindings: readonly Binding[]): ValueRole | null {
    for (const binding of bindings.slice(-6).reverse()) {
      const role = this.resolveBinding(binding);
      if (role !== null)
        return role.kind === "reordered" && binding.conditional ? { ...role, conditional: true } : role;
    }
    return null;
  }

  /** `pe = zeros(…)` filled by `pe[:, 0::2] = sin(…)`. */
  #resolveFilledArray(binding: Binding): ValueRole | null {
    const { value, scope, name } = binding;
    if (value?.kind !== "call" || !ARRAY_CREATORS.has(lastName(value.callee) ?? "")) return null;
    for (const write of scope.writes) {
      if (lastName(write.target.object) !== name) continue;
      const role = this.resolve(write.value, write.scope);
      const last = write.target.indices.at(-1);
      if (role?.kind === "wave")
        return {
          kind: "table",
          of: role.of,
          arrangement: last?.kind === "slice" && last.step === null ? "half" : "interleaved",
        };
    }
    return null;
  }

  /** Pairs that every caller of a helper in this file passes. */
  #resolveParam(binding: Binding): ValueRole | null {
    const { scope, name } = binding;
    if (scope.kind !== "function" || isMethodName(scope.name)) return null;
    const sites = this.module.calls.get(scope.name);
    if (sites.length === 0 || sites.length > MAX_CALLERS) return null;
    this.#inProgress.add(binding);
    const roles = sites.map((site) => {
      const argument = this.findTarget(site.call, site.scope) === scope ? findArgument(site.call, scope, name) : null;
      return argument === null ? null : this.resolve(argument.value, site.scope);
    });
    this.#inProgress.delete(binding);
    const [first] = roles;
    if (first?.kind !== "pairs") return null;
    const agreed = roles.every(
      (role) => role?.kind === "pairs" && role.layout === first.layout && role.axis === first.axis,
    );
    return agreed ? first : null;
  }

  resolveBinding(binding: Binding): ValueRole | null {
    if (this.#inProgress.has(binding)) return null;
    if (binding.kind === "param") return this.#resolveParam(binding);
    if (binding.value === null) return null;
    this.#inProgress.add(binding);
    const role = this.resolve(binding.value, binding.scope) ?? this.#resolveFilledArray(binding);
    this.#inProgress.delete(binding);
    return binding.kind === "element" ? roleOfElement(role, binding) : roleAtPath(role, binding.path);
  }
}

/** Methods whose callers are not found by their name. */
function isMethodName(name: string): boolean {
  return name === "forward" || name === "call" || name.startsWith("__");
}

/**
 * True for bindings before an offset, and for the one at it. A name inside an assigned value still refers to the
 * earlier binding.
 */
export function isBindingBefore({ span, value }: Binding, at: number): boolean {
  return span.from <= at && !(value !== null && value.from <= at && at < value.to);
}

/** Functions that create arrays to be filled afterwards. */
const ARRAY_CREATORS = new Set(["zeros", "empty", "ones", "zeros_like", "empty_like"]);

function roleAtPath(role: ValueRole | null, path: readonly number[]): ValueRole | null {
  let current = role;
  for (const index of path) {
    if (current?.kind === "pairs")
      return { kind: "member", part: index === 0 ? 0 : 1, layout: current.layout, from: current.from, key: "pairs" };
    if (current?.kind !== "tuple") return null;
    current = current.items[index] ?? null;
  }
  return current;
}

function roleOfElement(role: ValueRole | null, binding: Binding): ValueRole | null {
  return role?.kind === "range" || binding.path.length > 0
    ? roleAtPath(role, role?.kind === "tuple" ? binding.path : [])
    : role;
}

/** `inv_freq` always means inverse frequencies, even if its definition cannot be followed. */
function frequenciesByName(expr: Expr, scope: Scope): ValueRole | null {
  if (!/^(?:\w+_)?inv_freqs?(?:_expanded)?$/.test(lastName(expr) ?? "")) return null;
  const origin = { expr, scope };
  return {
    kind: "frequencies",
    base: null,
    dim: null,
    dimIsHalf: false,
    factor: null,
    isDistinctive: false,
    isExponential: false,
    origin,
  };
}
