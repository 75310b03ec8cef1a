import { type Call, type Expr, lastName } from "../parse/ast.ts";
import {
  attributesOf,
  type Binding,
  bindingsOf,
  callableOf,
  classOf,
  isSelf,
  type Module,
  methodOf,
  type Scope,
  scopeNamed,
} from "../symbols/module.ts";
import { Evaluator } from "../values/evaluate.ts";
import { isTransparent, operandOf } from "./calls.ts";
import { definitionOf } from "./factors.ts";
import { anglesOf, frequenciesOf, rangeOf } from "./frequencies.ts";
import { kernelOf } from "./kernels.ts";
import { pairsOf } from "./pairs.ts";
import { bucketOf, distanceOf, gateOf, relativeOf, slopesOf } from "./relative.ts";
import type { Ref, Role } from "./role.ts";
import { memberOf, rotatedOf, subtractsMembers, turnedOf } from "./rotation.ts";
import { doubledOf, tableOf, waveOf } from "./waves.ts";

type Shape = (expr: Expr, scope: Scope, roles: Roles) => Role | null;

/** Tried in order: the first that fits gives the role. */
const SHAPES: readonly Shape[] = [
  rangeOf,
  turnedOf,
  rotatedOf,
  pairsOf,
  memberOf,
  slopesOf,
  frequenciesOf,
  waveOf,
  tableOf,
  doubledOf,
  anglesOf,
  bucketOf,
  kernelOf,
  distanceOf,
  relativeOf,
  gateOf,
];

const MAX_DEPTH = 40;
const SCALARS = /factor|scale|scaling|ratio|interpol|condense|alpha|timescale|ntk|stretch/;

/** Roles of the expressions of a file, found on demand and remembered. */
export class Roles {
  readonly module: Module;
  readonly #known = new Map<Expr, Role | null>();
  readonly evaluator: Evaluator;
  readonly #subtracting = new Map<Scope, boolean>();
  #depth = 0;
  readonly #open = new Set<Expr | Binding>();

  constructor(module: Module) {
    this.module = module;
    this.evaluator = new Evaluator(module);
  }

  of(expr: Expr, scope: Scope): Role | null {
    const known = this.#known.get(expr);
    if (known !== undefined) return known;
    if (this.#depth > MAX_DEPTH || this.#open.has(expr)) return null;
    this.#depth++;
    this.#open.add(expr);
    const role = this.#find(expr, scope);
    this.#open.delete(expr);
    this.#depth--;
    this.#known.set(expr, role);
    return role;
  }

  #find(expr: Expr, scope: Scope): Role | null {
    if (expr.kind === "name") return this.#ofName(expr.name, scope, expr.from);
    if (expr.kind === "attribute") return this.#ofAttribute(expr, scope);
    for (const shape of SHAPES) {
      const role = shape(expr, scope, this);
      if (role !== null) return role;
    }
    return this.#passedOn(expr, scope);
  }

  /** Values that go through an expression unchanged. */
  #passedOn(expr: Expr, scope: Scope): Role | null {
    switch (expr.kind) {
      case "subscript": {
        const role = this.of(expr.object, scope);
        const index = expr.indices[0];
        if (role?.kind !== "tuple") return role;
        return index?.kind === "number" ? (role.items[index.value] ?? null) : null;
      }
      case "call":
        return this.#ofCall(expr, scope);
      case "conditional":
        return this.of(expr.body, scope) ?? this.of(expr.orElse, scope);
      case "comprehension":
        return this.of(expr.element, scope);
      case "unary": {
        const role = this.of(expr.operand, scope);
        return role?.kind === "distance" || role?.kind === "slopes" || role?.kind === "alibi" ? role : null;
      }
      case "sequence":
        return this.#ofSequence(expr.items, scope);
      default:
        return null;
    }
  }

  #ofSequence(items: readonly Expr[], scope: Scope): Role | null {
    if (items.length === 0 || items.length > 8) return null;
    const roles = items.map((item) => this.of(item, scope));
    return roles.some((role) => role !== null) ? { kind: "tuple", items: roles } : null;
  }

  #ofCall(call: Call, scope: Scope): Role | null {
    const target = this.target(call, scope);
    if (target !== null) return target.kind === "function" ? this.returned(target) : null;
    const operand = operandOf(call);
    return operand !== null && isTransparent(call) ? this.of(operand, scope) : null;
  }

  /** The function or class of this file that a call runs. */
  target(call: Call, scope: Scope): Scope | null {
    const { callee } = call;
    if (callee.kind === "name") {
      const binding = bindingsOf(scope, callee.name).at(-1);
      return binding?.opens ?? null;
    }
    if (callee.kind !== "attribute") return null;
    if (isSelf(callee.object)) {
      const owner = classOf(scope);
      const method = owner === null ? null : methodOf(this.module, owner, callee.name);
      return method ?? this.#called(attributesOf(this.module, owner, callee.name).at(-1));
    }
    if (callee.object.kind === "name") {
      const owner = scopeNamed(this.module, callee.object.name);
      return owner?.kind === "class" ? methodOf(this.module, owner, callee.name) : null;
    }
    return null;
  }

  /** `self.rotary = Rotary(…)`: calling the attribute runs the class's `forward`. */
  #called(binding: Binding | undefined): Scope | null {
    const value = binding?.value;
    if (binding === undefined || value?.kind !== "call") return null;
    const made =
      value.callee.kind === "name" ? (bindingsOf(binding.scope, value.callee.name).at(-1)?.opens ?? null) : null;
    if (made?.kind !== "class") return null;
    return (
      methodOf(this.module, made, "forward") ??
      methodOf(this.module, made, "__call__") ??
      methodOf(this.module, made, "call")
    );
  }

  /** The role that a function's results have, where any of its returns has one. */
  returned(scope: Scope): Role | null {
    const target = callableOf(this.module, scope);
    for (const value of target.returns) {
      const role = this.of(value, target);
      if (role !== null) return role;
    }
    return null;
  }

  #ofName(name: string, scope: Scope, at: number): Role | null {
    const bindings = bindingsOf(scope, name);
    const local = bindings[0]?.scope === scope && scope.kind === "function";
    const before = local ? bindings.filter((binding) => isBefore(binding, at)) : bindings;
    return (
      this.ofBindings(before.length > 0 ? before : bindings) ??
      byCustom({ kind: "name", name, from: at, to: at }, scope)
    );
  }

  #ofAttribute(expr: Extract<Expr, { kind: "attribute" }>, scope: Scope): Role | null {
    if (isSelf(expr.object))
      return this.ofBindings(attributesOf(this.module, classOf(scope), expr.name)) ?? byCustom(expr, scope);
    return lastName(expr) === "T" ? this.of(expr.object, scope) : null;
  }

  /** The other half of a rotation stands in this scope. */
  subtracts(scope: Scope): boolean {
    let known = this.#subtracting.get(scope);
    if (known === undefined) {
      this.#subtracting.set(scope, false);
      known = subtractsMembers(scope, this);
      this.#subtracting.set(scope, known);
    }
    return known;
  }

  definition(expr: Expr, scope: Scope): Ref | null {
    return definitionOf(expr, scope);
  }

  text(expr: Expr): string {
    return this.module.text.slice(expr.from, Math.min(expr.to, expr.from + 80));
  }

  sameText(a: Expr | undefined, b: Expr | undefined): boolean {
    return a !== undefined && b !== undefined && a.to - a.from === b.to - b.from && this.text(a) === this.text(b);
  }

  /** A single number by its value or by its name, rather than a tensor. */
  isScalar(expr: Expr, scope: Scope): boolean {
    if (typeof this.evaluator.evaluate(expr, scope).value === "number") return true;
    if (expr.kind === "binary") return this.isScalar(expr.left, scope) && this.isScalar(expr.right, scope);
    if (expr.kind === "call") return expr.callee.kind === "attribute" && lastName(expr.callee.object) === "math";
    const name = lastName(expr);
    return name !== null && SCALARS.test(name);
  }

  /** A known number that no encoding has as its base. */
  isSmall(expr: Expr, scope: Scope): boolean {
    const { value } = this.evaluator.evaluate(expr, scope);
    return typeof value === "number" && value < 20;
  }

  /** The latest definition that says something. */
  ofBindings(bindings: readonly Binding[]): Role | null {
    for (const binding of bindings.slice(-6).reverse()) {
      const role = this.ofBinding(binding);
      if (role !== null) return role;
    }
    return null;
  }

  /** `pe = zeros(…)` filled by `pe[:, 0::2] = sin(…)`. */
  #written(binding: Binding): Role | null {
    const { value, scope, name } = binding;
    if (value?.kind !== "call" || !BLANK.has(lastName(value.callee) ?? "")) return null;
    for (const write of scope.writes) {
      if (lastName(write.target.object) !== name) continue;
      const role = this.of(write.value, write.scope);
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

  ofBinding(binding: Binding): Role | null {
    if (binding.value === null || binding.kind === "param" || this.#open.has(binding)) return null;
    this.#open.add(binding);
    const role = this.of(binding.value, binding.scope) ?? this.#written(binding);
    this.#open.delete(binding);
    return binding.kind === "element" ? elementOf(role, binding) : at(role, binding.path);
  }
}

/** The binding itself, and those before a place; what stands in a value comes before the name that the value is given. */
export function isBefore({ span, value }: Binding, at: number): boolean {
  return span.from <= at && !(value !== null && value.from <= at && at < value.to);
}

/** Makers of arrays that are filled afterwards. */
const BLANK = new Set(["zeros", "empty", "ones", "zeros_like", "empty_like"]);

function at(role: Role | null, path: readonly number[]): Role | null {
  let found = role;
  for (const index of path) {
    if (found?.kind === "pairs")
      return { kind: "member", part: index === 0 ? 0 : 1, layout: found.layout, from: found.from, key: "pairs" };
    if (found?.kind !== "tuple") return null;
    found = found.items[index] ?? null;
  }
  return found;
}

function elementOf(role: Role | null, binding: Binding): Role | null {
  return role?.kind === "range" || binding.path.length > 0
    ? at(role, role?.kind === "tuple" ? binding.path : [])
    : role;
}

/** A name that is used for nothing else stands for frequencies even where its definition cannot be followed. */
function byCustom(expr: Expr, scope: Scope): Role | null {
  if (!/^(?:\w+_)?inv_freqs?(?:_expanded)?$/.test(lastName(expr) ?? "")) return null;
  const origin = { expr, scope };
  return {
    kind: "frequencies",
    base: null,
    dim: null,
    dimIsHalf: false,
    factor: null,
    strong: false,
    exponential: false,
    origin,
  };
}
