import type { PairLayout } from "../../spec.ts";
import {
  type CallExpr,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentsAfterOperand, joinedItems, joinKind, operandOf } from "./calls.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ValueRole } from "./valueRole.ts";

const WAVE_FUNCTIONS: ReadonlyMap<string, "sin" | "cos" | "cis"> = new Map([
  ["sin", "sin"],
  ["cos", "cos"],
  ["sin_", "sin"],
  ["cos_", "cos"],
  ["polar", "cis"],
  ["complex", "cis"],
  ["exp", "cis"],
]);

/** sin and cos of angles; polar(1, angles), exp(1j · angles). */
export function matchWave(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && expr.op === "+") return waveFromComplexSum(expr, scope, roles);
  if (expr.kind !== "call") return null;
  const wave = WAVE_FUNCTIONS.get(lastName(expr.callee) ?? "");
  if (wave === undefined) return null;
  const operands = wave === "cis" ? [...positionalArguments(expr)].reverse() : [operandOf(expr)];
  for (const operand of operands) {
    const role = operand === null ? null : roles.resolve(operand, scope);
    if (role?.kind === "angles") return { kind: "wave", wave, of: role.of, doubled: role.doubled };
    if (wave === "cis" && role?.kind === "wave") return { ...role, wave };
  }
  return null;
}

/** cos + 1j · sin */
function waveFromComplexSum(
  expr: Extract<Expr, { kind: "binary" }>,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  const left = roles.resolve(expr.left, scope);
  const imaginary = expr.right.kind === "binary" && expr.right.op === "*" ? [expr.right.left, expr.right.right] : [];
  const unit = imaginary.some((factor) => factor.kind === "number" && Number.isNaN(factor.value));
  return left?.kind === "wave" && unit ? { ...left, wave: "cis" } : null;
}

/** concatenate([sin, cos]) or stack: rows of an additive table, or a rotary cache. */
export function matchTable(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "call") return null;
  const kind = joinKind(expr);
  if (kind === null) return null;
  const items = joinedItems(expr).map((item) => roles.resolve(item, scope));
  const first = items.find((item) => item?.kind === "wave");
  const waves = new Set(items.map((item) => (item?.kind === "wave" ? item.wave : null)));
  if (first?.kind === "wave" && waves.has("sin") && waves.has("cos")) {
    return { kind: "table", of: first.of, arrangement: kind === "stack" ? "interleaved" : "half" };
  }
  const nested = items.find((item) => item?.kind === "table");
  const isTable = joinedItems(expr).every(
    (item, index) => items[index]?.kind === "table" || isPaddingRow(item, scope, roles),
  );
  return nested !== undefined && isTable ? nested : null;
}

/** A row of zeros for padding or a class token. Joined with anything else, sines belong to a larger feature vector. */
function isPaddingRow(item: Expr, scope: Scope, roles: RoleResolver): boolean {
  const definition = roles.findDefinition(item, scope)?.expr ?? item;
  if (definition.kind === "call") return /zeros|ones|empty|full|new_|token/.test(lastName(definition.callee) ?? "");
  return /cls|class|zero|pad|token|extra|blank|special/.test(lastName(item) ?? "");
}

/** Every angle twice: cat((f, f)) for the half layout, repeat_interleave and stack for the interleaved one. */
export function matchDoubling(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "call") return null;
  const kind = joinKind(expr);
  if (kind !== null) {
    const items = joinedItems(expr);
    const role = items[0] === undefined ? null : roles.resolve(items[0], scope);
    const areSame = items.length >= 2 && items.every((item) => roles.hasSameText(item, items[0]));
    if (role === null) return null;
    return areSame ? withDoubling(role, kind === "stack" ? "interleaved" : "half") : ifAngular(role);
  }
  const name = lastName(expr.callee);
  const operand = operandOf(expr);
  if (operand === null || name === null || !REPEATING_CALLS.has(name)) return null;
  const role = roles.resolve(operand, scope);
  if (role === null) return null;
  if (repeatsWhole(expr)) return withDoubling(role, "half");
  return name === "repeat_interleave" || (name === "repeat" && repeatsEach(expr))
    ? withDoubling(role, "interleaved")
    : ifAngular(role);
}

const REPEATING_CALLS = new Set(["repeat_interleave", "repeat", "kron", "tile"]);

/** x.tile(2), np.tile(x, (1, 2)), x.repeat(1, 1, 2): the last axis twice. */
function repeatsWhole(call: CallExpr): boolean {
  const name = lastName(call.callee);
  const counts = argumentsAfterOperand(call).flatMap((count) => (count.kind === "sequence" ? count.items : [count]));
  const isLastDoubled =
    isNumberLiteral(counts.at(-1), 2) && counts.slice(0, -1).every((count) => isNumberLiteral(count, 1));
  const isTorch = name === "repeat" && counts.length > 1 && keywordArgument(call, "axis", "dim") === null;
  return isLastDoubled && (name === "tile" || isTorch);
}

/** np.repeat(x, 2, axis=-1), einops.repeat(x, "… n -> … (n r)", r=2). */
function repeatsEach(call: CallExpr): boolean {
  const pattern = argumentsAfterOperand(call)[0];
  if (pattern?.kind === "string") return /\(\s*\w+ r\s*\)\s*$/.test(pattern.value);
  return isNumberLiteral(pattern, 2) && keywordArgument(call, "axis") !== null;
}

function withDoubling(role: ValueRole, layout: PairLayout): ValueRole | null {
  return role.kind === "angles" || role.kind === "wave" ? { ...role, doubled: layout } : ifAngular(role);
}

function ifAngular(role: ValueRole): ValueRole | null {
  return role.kind === "angles" || role.kind === "wave" || role.kind === "frequencies" ? role : null;
}
