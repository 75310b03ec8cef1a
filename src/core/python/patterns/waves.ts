import type { Layout } from "../../spec.ts";
import { type Call, type Expr, isNumber, keywordArgument, lastName, positional } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { joined, joinKind, operandOf, restOf } from "./calls.ts";
import type { Role } from "./role.ts";
import type { Roles } from "./roles.ts";

const WAVES: ReadonlyMap<string, "sin" | "cos" | "cis"> = new Map([
  ["sin", "sin"],
  ["cos", "cos"],
  ["sin_", "sin"],
  ["cos_", "cos"],
  ["polar", "cis"],
  ["complex", "cis"],
  ["exp", "cis"],
]);

/** sin and cos of angles; polar(1, angles), exp(1j · angles). */
export function waveOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "binary" && expr.op === "+") return complexSum(expr, scope, roles);
  if (expr.kind !== "call") return null;
  const wave = WAVES.get(lastName(expr.callee) ?? "");
  if (wave === undefined) return null;
  const operands = wave === "cis" ? [...positional(expr)].reverse() : [operandOf(expr)];
  for (const operand of operands) {
    const role = operand === null ? null : roles.of(operand, scope);
    if (role?.kind === "angles") return { kind: "wave", wave, of: role.of, doubled: role.doubled };
    if (wave === "cis" && role?.kind === "wave") return { ...role, wave };
  }
  return null;
}

/** cos + 1j · sin */
function complexSum(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, roles: Roles): Role | null {
  const left = roles.of(expr.left, scope);
  const imaginary = expr.right.kind === "binary" && expr.right.op === "*" ? [expr.right.left, expr.right.right] : [];
  const unit = imaginary.some((factor) => factor.kind === "number" && Number.isNaN(factor.value));
  return left?.kind === "wave" && unit ? { ...left, wave: "cis" } : null;
}

/** concatenate([sin, cos]) or stack: rows of an additive table, or a rotary cache. */
export function tableOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind !== "call") return null;
  const kind = joinKind(expr);
  if (kind === null) return null;
  const items = joined(expr).map((item) => roles.of(item, scope));
  const first = items.find((item) => item?.kind === "wave");
  const waves = new Set(items.map((item) => (item?.kind === "wave" ? item.wave : null)));
  if (first?.kind === "wave" && waves.has("sin") && waves.has("cos")) {
    return { kind: "table", of: first.of, arrangement: kind === "stack" ? "interleaved" : "half" };
  }
  const nested = items.find((item) => item?.kind === "table");
  const rows = joined(expr).every((item, index) => items[index]?.kind === "table" || isFiller(item, scope, roles));
  return nested !== undefined && rows ? nested : null;
}

/** A row of zeros for padding or a class token; features that are no sines are joined to something larger. */
function isFiller(item: Expr, scope: Scope, roles: Roles): boolean {
  const maker = roles.definition(item, scope)?.expr ?? item;
  if (maker.kind === "call") return /zeros|ones|empty|full|new_|token/.test(lastName(maker.callee) ?? "");
  return /cls|class|zero|pad|token|extra|blank|special/.test(lastName(item) ?? "");
}

/** Every angle twice: cat((f, f)) for half layouts, repeat_interleave and stack for interleaved ones. */
export function doubledOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind !== "call") return null;
  const kind = joinKind(expr);
  if (kind !== null) {
    const items = joined(expr);
    const role = items[0] === undefined ? null : roles.of(items[0], scope);
    const same = items.length >= 2 && items.every((item) => roles.sameText(item, items[0]));
    if (role === null) return null;
    return same ? doubled(role, kind === "stack" ? "interleaved" : "half") : angular(role);
  }
  const name = lastName(expr.callee);
  const operand = operandOf(expr);
  if (operand === null || (name !== "repeat_interleave" && name !== "repeat" && name !== "kron")) return null;
  const role = roles.of(operand, scope);
  if (role === null) return null;
  return name === "repeat_interleave" || (name === "repeat" && repeatsEach(expr))
    ? doubled(role, "interleaved")
    : angular(role);
}

/** np.repeat(x, 2, axis=-1), einops.repeat(x, "… n -> … (n r)", r=2). */
function repeatsEach(call: Call): boolean {
  const pattern = restOf(call)[0];
  if (pattern?.kind === "string") return /\(\s*\w+ r\s*\)\s*$/.test(pattern.value);
  return isNumber(pattern, 2) && keywordArgument(call, "axis") !== null;
}

function doubled(role: Role, layout: Layout): Role | null {
  return role.kind === "angles" || role.kind === "wave" ? { ...role, doubled: layout } : angular(role);
}

function angular(role: Role): Role | null {
  return role.kind === "angles" || role.kind === "wave" || role.kind === "frequencies" ? role : null;
}
