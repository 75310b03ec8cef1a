import type { Layout } from "../../spec.ts";
import { dottedName, type Expr, lastName, partsOf } from "../parse/ast.ts";
import { operandOf } from "../patterns/calls.ts";
import type { Frequencies, Ref, Role } from "../patterns/role.ts";
import type { Roles } from "../patterns/roles.ts";
import { product as productOf } from "../patterns/rotation.ts";
import type { Scope } from "../symbols/module.ts";

/** What is found inside one function or class, nested ones included. */
export interface Features {
  /** Frequencies computed here, in order. */
  readonly frequencies: readonly Frequencies[];
  /** What positions or frequencies are divided by. */
  readonly factor: Ref | null;
  readonly waves: ReadonlySet<"sin" | "cos" | "cis">;
  readonly doubled: Layout | null;
  /** Layouts of rotations and of (−x1, x0), with the place each was read from. */
  readonly layouts: readonly { readonly layout: Layout; readonly from: Ref; readonly opposite: boolean }[];
  readonly rotates: boolean;
  /** A table of sin and cos beside each other. */
  readonly table: Layout | null;
  readonly slopes: Extract<Role, { kind: "slopes" }> | null;
  readonly bucket: Extract<Role, { kind: "bucket" }> | null;
  readonly distance: Extract<Role, { kind: "distance" }> | null;
  /** A function of distances, or a sum of gates. */
  readonly kernel: Extract<Role, { kind: "kernel" | "gate" }> | null;
  readonly adds: boolean;
  /** Names that a rotation multiplies by: its cosines and sines. */
  readonly tables: ReadonlySet<string>;
  /** base * factor ** (d / (d − 2)) */
  readonly ntk: "ntk" | "dynamic" | null;
}

/** Features while they are collected. */
type Collected = {
  -readonly [Name in keyof Features]: Features[Name] extends readonly (infer Item)[]
    ? Item[]
    : Features[Name] extends ReadonlySet<infer Item>
      ? Set<Item>
      : Features[Name];
};

/** Factors of a rotation that are neither the vector nor a call on it. */
function tablesOf(expr: Expr, scope: Scope, roles: Roles): readonly string[] {
  if (expr.kind !== "binary") return [];
  const factors = [expr.left, expr.right].flatMap((side) => productOf(side) ?? [side]);
  const inputs = new Set(
    factors.flatMap((factor) => (factor.kind === "call" ? [lastName(operandOf(factor) ?? factor)] : [])),
  );
  return factors.flatMap((factor) =>
    factor.kind === "name" && !inputs.has(factor.name) && roles.of(factor, scope)?.kind !== "pairs"
      ? [factor.name]
      : [],
  );
}

const MAX_VISITS = 60_000;

/** Collects what the expressions of a scope are. */
export class Scan {
  readonly #roles: Roles;
  readonly #found: Collected = {
    frequencies: [],
    factor: null,
    waves: new Set(),
    doubled: null,
    layouts: [],
    rotates: false,
    table: null,
    slopes: null,
    bucket: null,
    distance: null,
    kernel: null,
    adds: false,
    tables: new Set(),
    ntk: null,
  };
  #visits = 0;

  constructor(roles: Roles) {
    this.#roles = roles;
  }

  scope(scope: Scope): this {
    for (const expr of scope.expressions) this.#expression(expr, scope);
    for (const write of scope.writes)
      this.#write(write.target.indices.at(-1), this.#roles.of(write.value, scope), scope);
    for (const child of scope.children) this.scope(child);
    return this;
  }

  result(): Features {
    return this.#found;
  }

  /** `pe[:, 0::2] = sin(…)` */
  #write(index: Expr | undefined, role: Role | null, _scope: Scope): void {
    if (role?.kind !== "wave" || role.wave === "cis" || index === undefined) return;
    const strided = index.kind === "slice" && index.step !== null;
    const single = index.kind !== "slice" && index.kind !== "ellipsis";
    this.#found.table ??= strided || single ? "interleaved" : "half";
  }

  #expression(expr: Expr, scope: Scope): void {
    if (this.#visits++ > MAX_VISITS) return;
    if (expr.kind !== "name" && expr.kind !== "attribute") this.#note(this.#roles.of(expr, scope), expr, scope);
    this.#growth(expr, scope);
    for (const part of partsOf(expr)) this.#expression(part, scope);
  }

  #note(role: Role | null, expr: Expr, scope: Scope): void {
    switch (role?.kind) {
      case "frequencies":
      case "wavelengths":
        this.#wavesOf(role);
        break;
      case "angles":
        this.#wavesOf(role.of);
        this.#found.doubled ??= role.doubled;
        break;
      case "wave":
        this.#found.waves.add(role.wave);
        this.#found.doubled ??= role.doubled;
        break;
      case "table":
        this.#found.table ??= role.arrangement;
        break;
      case "turned":
        this.#found.layouts.push({ layout: role.layout, from: role.from, opposite: role.opposite });
        break;
      case "rotated":
        for (const name of tablesOf(expr, scope, this.#roles)) this.#found.tables.add(name);
        if (role.layout !== null) this.#found.layouts.push({ layout: role.layout, from: role.from, opposite: false });
        this.#found.rotates = true;
        break;
      case "slopes":
        if (this.#found.slopes === null || (this.#found.slopes.heads === null && role.heads !== null))
          this.#found.slopes = role;
        break;
      case "alibi":
        this.#found.adds = true;
        break;
      case "bucket":
        if (this.#found.bucket === null || role.signed) this.#found.bucket = role;
        break;
      case "distance":
        if (this.#found.distance === null || role.bound !== null) this.#found.distance = role;
        break;
      case "kernel":
      case "gate":
        this.#found.kernel ??= role;
        break;
      case undefined:
        this.#waveOfNamed(expr, scope);
        break;
      default:
        break;
    }
  }

  /** Frequencies and their reciprocals are the same ones under one base and dimension. */
  #wavesOf(role: Frequencies): void {
    this.#found.factor ??= role.factor;
    const known = this.#found.frequencies.some(
      (other) => other.base?.expr === role.base?.expr && other.dim?.expr === role.dim?.expr,
    );
    if (role.base !== null && !known) this.#found.frequencies.push(role);
  }

  /** `torch.cos(freqs)` of a parameter counts as a wave only by that name. */
  #waveOfNamed(expr: Expr, _scope: Scope): void {
    if (expr.kind !== "call") return;
    const name = lastName(expr.callee);
    if (name === "polar" || dottedName(expr.callee) === "torch.view_as_complex") this.#found.waves.add("cis");
  }

  /** x ** (d / (d − 2)) */
  #growth(expr: Expr, scope: Scope): void {
    if (expr.kind !== "binary" || expr.op !== "**" || expr.right.kind !== "binary" || expr.right.op !== "/") return;
    const below = expr.right.right;
    if (below.kind !== "binary" || below.op !== "-" || !this.#roles.sameText(below.left, expr.right.left)) return;
    if (below.right.kind !== "number" || below.right.value !== 2) return;
    if (this.#roles.evaluator.number(expr.left, scope) === 1) return;
    this.#found.ntk = expr.left.kind === "binary" && (expr.left.op === "-" || expr.left.op === "+") ? "dynamic" : "ntk";
  }
}
