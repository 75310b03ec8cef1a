import type { EncodingId, Layout, ParamValue } from "../../spec.ts";
import type { Evaluator } from "../model/evaluate.ts";
import type { Binding, Module, Occurrence, Scope } from "../model/module.ts";
import { operandOf } from "../shapes/calls.ts";
import { Roles } from "../shapes/engine.ts";
import type { Frequencies, Ref, Role } from "../shapes/role.ts";
import { product as productOf } from "../shapes/rotation.ts";
import { dottedName, type Expr, lastName, partsOf } from "../syntax/ast.ts";
import { snake } from "./names.ts";

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
  readonly adds: boolean;
  /** Names that a rotation multiplies by: its cosines and sines. */
  readonly tables: ReadonlySet<string>;
  /** base * factor ** (d / (d − 2)) */
  readonly ntk: "ntk" | "dynamic" | null;
}

/** @param level dots of the import */
export type Neighbour = (level: number, module: string) => Code | null;

/** Value of a parameter that code leaves open. */
export type Fallback = (encoding: EncodingId, param: string) => ParamValue | undefined;

/** A file as the recognisers see it: its model, the roles of its expressions, and what each scope contains. */
export class Code {
  readonly module: Module;
  /** The file that a relative import names, where the host has read it. */
  neighbour: Neighbour = () => null;
  /** Parameters of a config beside the file, by encoding. */
  fallback: Fallback = () => null;
  readonly roles: Roles;
  readonly evaluator: Evaluator;
  private readonly known = new Map<Scope, Features>();
  private readonly namesIn = new Map<Scope, string>();

  constructor(module: Module) {
    this.module = module;
    module.links.constant = (name) => this.constant(name);
    this.roles = new Roles(module);
    this.evaluator = this.roles.evaluator;
  }

  features(scope: Scope): Features {
    const known = this.known.get(scope);
    if (known !== undefined) return known;
    const found = new Scan(this.roles).scope(scope).result();
    this.known.set(scope, found);
    return found;
  }

  /** All identifiers of a scope in snake case, each between spaces: what name rules are tried on. */
  names(scope: Scope): string {
    const known = this.namesIn.get(scope);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    for (const occurrence of this.occurrencesIn(scope)) seen.add(snake(occurrence.name));
    const names = ` ${[...seen].join(" ")} `;
    this.namesIn.set(scope, names);
    return names;
  }

  has(scope: Scope, pattern: RegExp): boolean {
    return pattern.test(this.names(scope));
  }

  private *occurrencesIn(scope: Scope): Iterable<Occurrence> {
    const { occurrences } = this.module;
    for (let index = this.indexAt(scope.span.from); index < occurrences.length; index++) {
      const occurrence = occurrences[index];
      if (occurrence === undefined || occurrence.from >= scope.span.to) return;
      yield occurrence;
    }
  }

  /** First occurrence that ends after an offset. */
  private indexAt(offset: number): number {
    const { occurrences } = this.module;
    let low = 0;
    let high = occurrences.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((occurrences[middle]?.to ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  occurrenceAt(offset: number): Occurrence | null {
    const { occurrences } = this.module;
    const index = this.indexAt(offset);
    // The end of an identifier belongs to it, unless another one starts there.
    for (const candidate of [occurrences[index], occurrences[index - 1]]) {
      if (candidate !== undefined && candidate.from <= offset && offset <= candidate.to) return candidate;
    }
    return null;
  }

  /** The class or function that a relatively imported name stands for in its own file: one hop, no further. */
  imported(name: string): { readonly code: Code; readonly scope: Scope } | null {
    const found = this.source(name);
    const scope = found?.code.module.root.children.find((child) => child.name === found.name);
    return found === null || scope === undefined ? null : { code: found.code, scope };
  }

  private constant(name: string): { module: Module; binding: Binding } | null {
    const found = this.source(name);
    const binding = found?.code.module.root.bindings.get(found.name)?.at(-1);
    return found === null || binding === undefined ? null : { module: found.code.module, binding };
  }

  private source(alias: string): { readonly code: Code; readonly name: string } | null {
    for (const statement of this.module.imports) {
      const found = statement.level > 0 ? statement.names.find((candidate) => candidate.alias === alias) : undefined;
      const code = found === undefined ? null : this.neighbour(statement.level, statement.module ?? "");
      if (code !== null && found !== undefined) return { code, name: found.name };
    }
    return null;
  }

  /** The innermost scope at an offset. */
  scopeAt(offset: number): Scope {
    let at = this.module.root;
    for (;;) {
      const inner = at.children.find((child) => child.span.from <= offset && offset < child.span.to);
      if (inner === undefined) return at;
      at = inner;
    }
  }
}

/** From the innermost scope outwards, without the module. */
export function scopesAround(scope: Scope): readonly Scope[] {
  const found: Scope[] = [];
  for (let at: Scope | null = scope; at !== null && at.kind !== "module"; at = at.parent) found.push(at);
  return found;
}

/** The outermost class or function around a scope; the module itself for code outside of any. */
export function unitOf(scope: Scope): Scope {
  return scopesAround(scope).at(-1) ?? scope;
}

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

class Scan {
  private readonly roles: Roles;
  private readonly frequencies: Frequencies[] = [];
  private readonly waves = new Set<"sin" | "cos" | "cis">();
  private readonly layouts: { layout: Layout; from: Ref; opposite: boolean }[] = [];
  private rotates = false;
  private adds = false;
  private doubled: Layout | null = null;
  private table: Layout | null = null;
  private slopes: Features["slopes"] = null;
  private bucket: Features["bucket"] = null;
  private distance: Features["distance"] = null;
  private ntk: Features["ntk"] = null;
  private factor: Ref | null = null;
  private readonly tables = new Set<string>();
  private visits = 0;

  constructor(roles: Roles) {
    this.roles = roles;
  }

  scope(scope: Scope): this {
    for (const expr of scope.expressions) this.expression(expr, scope);
    for (const write of scope.writes) this.write(write.target.indices.at(-1), this.roles.of(write.value, scope), scope);
    for (const child of scope.children) this.scope(child);
    return this;
  }

  result(): Features {
    const {
      frequencies,
      waves,
      doubled,
      layouts,
      rotates,
      table,
      slopes,
      bucket,
      distance,
      adds,
      ntk,
      factor,
      tables,
    } = this;
    return {
      frequencies,
      waves,
      doubled,
      layouts,
      rotates,
      table,
      slopes,
      bucket,
      distance,
      adds,
      ntk,
      factor,
      tables,
    };
  }

  /** `pe[:, 0::2] = sin(…)` */
  private write(index: Expr | undefined, role: Role | null, _scope: Scope): void {
    if (role?.kind !== "wave" || role.wave === "cis" || index === undefined) return;
    const strided = index.kind === "slice" && index.step !== null;
    const single = index.kind !== "slice" && index.kind !== "ellipsis";
    this.table ??= strided || single ? "interleaved" : "half";
  }

  private expression(expr: Expr, scope: Scope): void {
    if (this.visits++ > MAX_VISITS) return;
    if (expr.kind !== "name" && expr.kind !== "attribute") this.note(this.roles.of(expr, scope), expr, scope);
    this.growth(expr, scope);
    for (const part of partsOf(expr)) this.expression(part, scope);
  }

  private note(role: Role | null, expr: Expr, scope: Scope): void {
    switch (role?.kind) {
      case "frequencies":
      case "wavelengths":
        this.wavesOf(role);
        break;
      case "angles":
        this.wavesOf(role.of);
        this.doubled ??= role.doubled;
        break;
      case "wave":
        this.waves.add(role.wave);
        this.doubled ??= role.doubled;
        break;
      case "table":
        this.table ??= role.arrangement;
        break;
      case "turned":
        this.layouts.push({ layout: role.layout, from: role.from, opposite: role.opposite });
        break;
      case "rotated":
        for (const name of tablesOf(expr, scope, this.roles)) this.tables.add(name);
        if (role.layout !== null) this.layouts.push({ layout: role.layout, from: role.from, opposite: false });
        this.rotates = true;
        break;
      case "slopes":
        if (this.slopes === null || (this.slopes.heads === null && role.heads !== null)) this.slopes = role;
        break;
      case "alibi":
        this.adds = true;
        break;
      case "bucket":
        if (this.bucket === null || role.signed) this.bucket = role;
        break;
      case "distance":
        if (this.distance === null || role.bound !== null) this.distance = role;
        break;
      case undefined:
        this.waveOfNamed(expr, scope);
        break;
      default:
        break;
    }
  }

  /** Frequencies and their reciprocals are the same ones under one base and dimension. */
  private wavesOf(role: Frequencies): void {
    this.factor ??= role.factor;
    const known = this.frequencies.some(
      (other) => other.base?.expr === role.base?.expr && other.dim?.expr === role.dim?.expr,
    );
    if (role.base !== null && !known) this.frequencies.push(role);
  }

  /** `torch.cos(freqs)` of a parameter counts as a wave only by that name. */
  private waveOfNamed(expr: Expr, _scope: Scope): void {
    if (expr.kind !== "call") return;
    const name = lastName(expr.callee);
    if (name === "polar" || dottedName(expr.callee) === "torch.view_as_complex") this.waves.add("cis");
  }

  /** x ** (d / (d − 2)) */
  private growth(expr: Expr, scope: Scope): void {
    if (expr.kind !== "binary" || expr.op !== "**" || expr.right.kind !== "binary" || expr.right.op !== "/") return;
    const below = expr.right.right;
    if (below.kind !== "binary" || below.op !== "-" || !this.roles.sameText(below.left, expr.right.left)) return;
    if (below.right.kind !== "number" || below.right.value !== 2) return;
    if (this.roles.evaluator.number(expr.left, scope) === 1) return;
    this.ntk = expr.left.kind === "binary" && (expr.left.op === "-" || expr.left.op === "+") ? "dynamic" : "ntk";
  }
}
