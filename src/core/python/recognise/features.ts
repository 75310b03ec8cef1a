import type { PairLayout } from "../../spec.ts";
import { childExpressions, dottedName, type Expr, lastName } from "../parse/ast.ts";
import { operandOf } from "../patterns/calls.ts";
import { matchNtkPower } from "../patterns/ntk.ts";
import { productFactors } from "../patterns/products.ts";
import type { RoleResolver } from "../patterns/roleResolver.ts";
import type { FrequencyRole, ScopedExpression, ValueRole } from "../patterns/valueRole.ts";
import type { Scope } from "../symbols/module.ts";

/** Features of one function or class, including nested ones. */
export interface Features {
  /** Frequencies computed in the scope, in order. */
  readonly frequencies: readonly FrequencyRole[];
  /** Divisor of positions or frequencies. */
  readonly factor: ScopedExpression | null;
  readonly waves: ReadonlySet<"sin" | "cos" | "cis">;
  readonly doubled: PairLayout | null;
  /** Layouts of rotations and of (−x1, x0), with the expression that each was read from. */
  readonly layouts: readonly {
    readonly layout: PairLayout;
    readonly from: ScopedExpression;
    readonly opposite: boolean;
  }[];
  /** A rotation of pairs that the code does not decide. */
  readonly isLayoutOpen: boolean;
  readonly rotates: boolean;
  /** Layout of a table of joined sin and cos. */
  readonly tableArrangement: PairLayout | null;
  readonly slopes: Extract<ValueRole, { kind: "slopes" }> | null;
  readonly bucket: Extract<ValueRole, { kind: "bucket" }> | null;
  readonly distance: Extract<ValueRole, { kind: "distance" }> | null;
  /** A kernel of distances, or a sum of gates. */
  readonly kernel: Extract<ValueRole, { kind: "kernel" | "gate" }> | null;
  readonly addsBias: boolean;
  /** Names of the cosines and sines that a rotation multiplies by. */
  readonly tableNames: ReadonlySet<string>;
  /** Scores written out in terms. */
  readonly expansions: readonly Extract<ValueRole, { kind: "expansion" }>[];
  /** base * factor ** (d / (d − 2)), as in NTK scaling. */
  readonly ntk: "ntk" | "dynamic" | null;
}

/** Features while they are collected. */
type MutableFeatures = {
  -readonly [Name in keyof Features]: Features[Name] extends readonly (infer Item)[]
    ? Item[]
    : Features[Name] extends ReadonlySet<infer Item>
      ? Set<Item>
      : Features[Name];
};

/** Names among the factors of a rotation, without the rotated vector. */
function findTableNames(expr: Expr, scope: Scope, roles: RoleResolver): readonly string[] {
  if (expr.kind !== "binary") return [];
  const factors = [expr.left, expr.right].flatMap((side) => productFactors(side) ?? [side]);
  const inputs = new Set(
    factors.flatMap((factor) => (factor.kind === "call" ? [lastName(operandOf(factor) ?? factor)] : [])),
  );
  return factors.flatMap((factor) =>
    factor.kind === "name" && !inputs.has(factor.name) && roles.resolve(factor, scope)?.kind !== "pairs"
      ? [factor.name]
      : [],
  );
}

const MAX_VISITED_EXPRESSIONS = 60_000;

/** Collects the features of the expressions of a scope. */
export class FeatureCollector {
  readonly #roles: RoleResolver;
  readonly #features: MutableFeatures = {
    frequencies: [],
    factor: null,
    waves: new Set(),
    doubled: null,
    layouts: [],
    isLayoutOpen: false,
    rotates: false,
    tableArrangement: null,
    slopes: null,
    bucket: null,
    distance: null,
    kernel: null,
    addsBias: false,
    tableNames: new Set(),
    expansions: [],
    ntk: null,
  };
  #visits = 0;

  constructor(roles: RoleResolver) {
    this.#roles = roles;
  }

  collect(scope: Scope): this {
    for (const expr of scope.expressions) this.#collectExpression(expr, scope);
    for (const write of scope.writes)
      this.#collectWrite(write.target.indices.at(-1), this.#roles.resolve(write.value, scope), scope);
    for (const child of scope.children) this.collect(child);
    return this;
  }

  result(): Features {
    return this.#features;
  }

  /** `pe[:, 0::2] = sin(…)` */
  #collectWrite(index: Expr | undefined, role: ValueRole | null, _scope: Scope): void {
    if (role?.kind !== "wave" || role.wave === "cis" || index === undefined) return;
    const strided = index.kind === "slice" && index.step !== null;
    const single = index.kind !== "slice" && index.kind !== "ellipsis";
    this.#features.tableArrangement ??= strided || single ? "interleaved" : "half";
  }

  #collectExpression(expr: Expr, scope: Scope): void {
    if (this.#visits++ > MAX_VISITED_EXPRESSIONS) return;
    if (expr.kind !== "name" && expr.kind !== "attribute")
      this.#recordRole(this.#roles.resolve(expr, scope), expr, scope);
    this.#recordNtk(expr, scope);
    for (const part of childExpressions(expr)) this.#collectExpression(part, scope);
  }

  #recordRole(role: ValueRole | null, expr: Expr, scope: Scope): void {
    switch (role?.kind) {
      case "frequencies":
      case "wavelengths":
        this.#recordFrequencies(role);
        break;
      case "angles":
        this.#recordFrequencies(role.of);
        this.#features.doubled ??= role.doubled;
        break;
      case "wave":
        this.#features.waves.add(role.wave);
        this.#features.doubled ??= role.doubled;
        break;
      case "table":
        this.#features.tableArrangement ??= role.arrangement;
        break;
      case "quarterRotated":
        if (role.layout === null) this.#features.isLayoutOpen = true;
        else this.#features.layouts.push({ layout: role.layout, from: role.from, opposite: role.opposite });
        break;
      case "rotated":
        for (const name of findTableNames(expr, scope, this.#roles)) this.#features.tableNames.add(name);
        if (role.layout === null) this.#features.isLayoutOpen = true;
        else this.#features.layouts.push({ layout: role.layout, from: role.from, opposite: false });
        this.#features.rotates = true;
        break;
      case "slopes":
        if (this.#features.slopes === null || (this.#features.slopes.heads === null && role.heads !== null))
          this.#features.slopes = role;
        break;
      case "alibi":
        this.#features.addsBias = true;
        break;
      case "bucket":
        if (this.#features.bucket === null || role.signed) this.#features.bucket = role;
        break;
      case "distance":
        if (this.#features.distance === null || role.bound !== null) this.#features.distance = role;
        break;
      case "kernel":
      case "gate":
        this.#features.kernel ??= role;
        break;
      case "expansion":
        this.#features.expansions.push(role);
        break;
      case undefined:
        this.#recordComplexWave(expr, scope);
        break;
      default:
        break;
    }
  }

  /** Frequencies and their reciprocals count once per base and dimension. */
  #recordFrequencies(role: FrequencyRole): void {
    this.#features.factor ??= role.factor;
    const isKnown = this.#features.frequencies.some(
      (other) => other.base?.expr === role.base?.expr && other.dim?.expr === role.dim?.expr,
    );
    if (role.base !== null && !isKnown) this.#features.frequencies.push(role);
  }

  /** polar and view_as_complex count as waves even if their operand is unknown. */
  #recordComplexWave(expr: Expr, _scope: Scope): void {
    if (expr.kind !== "call") return;
    const name = lastName(expr.callee);
    if (name === "polar" || dottedName(expr.callee) === "torch.view_as_complex") this.#features.waves.add("cis");
  }

  /** NTK scaling: x ** (d / (d − 2)). */
  #recordNtk(expr: Expr, scope: Scope): void {
    const power = matchNtkPower(expr, scope, this.#roles);
    if (power === null || this.#roles.evaluator.evaluateNumber(power, scope) === 1) return;
    const isSum = power.kind === "binary" && (power.op === "-" || power.op === "+");
    this.#features.ntk = isSum ? "dynamic" : "ntk";
  }
}
