import { type Expr, lastName, positionalArguments } from "../parse/ast.ts";
import { type Binding, findBindings, type Scope } from "../symbols/module.ts";
import { findLocalValue, findVector, matchBilinear } from "./bilinear.ts";
import { joinedItems } from "./calls.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ValueRole } from "./valueRole.ts";

/** Names for the vectors of positions. */
const POSITION_NAME = /^(?:p|P|pe|p_[ijmn]|pos(?:ition(?:al)?s?)?(?:_?(?:emb\w*|enc\w*|vec\w*|table|code|x|q|k))?)$/;

/**
 * The expansion of (x + p) W_Q · (x + p) W_K in four terms, q·r(i − j) and k·r(i − j) written out, and (q + u)·k +
 * (q + v)·r.
 */
export function matchExpansion(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && expr.op === "+") {
    const terms = sumTerms(expr, scope, roles, 0);
    return fourTerms(terms, scope, roles) ?? untiedTerms(terms, scope, roles);
  }
  const listed = expr.kind === "sequence" ? expr.items : expr.kind === "call" ? joinedItems(expr) : [];
  if (listed.length === 4)
    return fourTerms(
      listed.flatMap((item) => sumTerms(item, scope, roles, 0)),
      scope,
      roles,
    );
  return scoreOfDistance(expr, scope, roles) ?? projectedSum(expr, scope, roles);
}

/** (x + p) @ W_Q and q_proj(x + p), with p from elsewhere. */
function projectedSum(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const [argument] = expr.kind === "call" ? positionalArguments(expr) : [];
  const isProjection =
    expr.kind === "call" &&
    /^(?:to_)?(?:w_?)?(?:q|k|v|qkv|query|key|value)(?:_?proj\w*)?$/i.test(lastName(expr.callee) ?? "");
  const input = expr.kind === "binary" && expr.op === "@" ? expr.left : isProjection ? argument : undefined;
  if (input?.kind !== "binary" || input.op !== "+") return null;
  const names = [input.left, input.right].flatMap((side) =>
    side.kind === "name" && POSITION_NAME.test(side.name) && roles.resolve(side, scope) === null ? [side.name] : [],
  );
  return names.length === 1 ? { kind: "expansion", form: "absolute_expansion", names } : null;
}

/** Terms of a sum; names of products are replaced by their definitions. */
function sumTerms(expr: Expr, scope: Scope, roles: RoleResolver, hops: number): readonly Expr[] {
  if (expr.kind === "binary" && expr.op === "+" && hops < 12)
    return [...sumTerms(expr.left, scope, roles, hops + 1), ...sumTerms(expr.right, scope, roles, hops + 1)];
  return [findLocalValue(expr, scope, roles) ?? expr];
}

/** x·x + x·p + p·x + p·p */
function fourTerms(terms: readonly Expr[], scope: Scope, roles: RoleResolver): ValueRole | null {
  if (terms.length !== 4) return null;
  const factors = terms.map((term) => matchBilinear(term, scope, roles));
  const pairs = factors.map((pair) =>
    pair === null ? null : [vectorName(pair.left, scope, roles), vectorName(pair.right, scope, roles)],
  );
  const names = new Set(pairs.flatMap((pair) => pair ?? [null]));
  const positions = [...names].flatMap((name) => (name !== null && POSITION_NAME.test(name) ? [name] : []));
  const isComplete = names.size === 2 && new Set(pairs.map((pair) => pair?.join(" "))).size === 4;
  const [position] = positions;
  return isComplete && positions.length === 1 && position !== undefined
    ? { kind: "expansion", form: "absolute_expansion", names: [position] }
    : null;
}

function vectorName(expr: Expr, scope: Scope, roles: RoleResolver): string | null {
  return lastName(findVector(expr, scope, roles));
}

/** Names for the trained vectors u and v. */
const UNTIED_NAME = /(?:^|_)[uv](?:_|$)|bias/;

/** (q + u)·k + (q + v)·r: Transformer-XL. */
function untiedTerms(terms: readonly Expr[], scope: Scope, roles: RoleResolver): ValueRole | null {
  if (terms.length < 2) return null;
  const sums = terms.flatMap((term) => {
    const left = matchBilinear(term, scope, roles)?.left;
    const sum = left === undefined ? null : findSum(left, scope, roles);
    return sum === null ? [] : [sum];
  });
  const [first, second] = sums;
  if (first === undefined || second === undefined || sums.length !== 2) return null;
  const [u, v] = [lastName(first.right), lastName(second.right)];
  if (u === null || v === null || u === v || !UNTIED_NAME.test(u) || !UNTIED_NAME.test(v)) return null;
  const names = [first.right, second.right].map((expr) =>
    expr.kind === "attribute" ? `.${expr.name}` : lastName(expr),
  );
  return roles.hasSameText(first.left, second.left)
    ? { kind: "expansion", form: "transformer_xl", names: names.flatMap((name) => name ?? []) }
    : null;
}

/** q + u, also transposed, reshaped or named. */
function findSum(expr: Expr, scope: Scope, roles: RoleResolver): { readonly left: Expr; readonly right: Expr } | null {
  let at = expr;
  for (let hops = 0; hops < 6; hops++) {
    if (at.kind === "binary" && at.op === "+") return { left: at.left, right: withoutAxes(at.right) };
    if (at.kind === "subscript") at = at.object;
    else if (at.kind === "call" && at.callee.kind === "attribute") at = at.callee.object;
    else if (at.kind === "name") {
      const definition = findLocalValue(at, scope, roles);
      if (definition === null) return null;
      at = definition;
    } else return null;
  }
  return null;
}

/** `self.u` of self.u[:, None] and self.u.view(…). */
function withoutAxes(expr: Expr): Expr {
  if (expr.kind === "subscript") return withoutAxes(expr.object);
  if (expr.kind === "call" && expr.callee.kind === "attribute") return withoutAxes(expr.callee.object);
  return expr;
}

/** q[i] @ r[i - j] */
function scoreOfDistance(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const product = matchBilinear(expr, scope, roles);
  if (product === null) return null;
  for (const [vector, other] of [
    [product.left, product.right],
    [product.right, product.left],
  ] as const) {
    const row = vector.kind === "subscript" ? vector : null;
    const table = row === null ? null : findRowOfDistance(other, scope, roles);
    const index = row?.indices[0];
    if (table !== null && index !== undefined && table.indices.some((name) => mentions(index, name)))
      return { kind: "expansion", form: "relative_general", names: [table.name] };
  }
  return null;
}

/** r[i − j + n] and r(i − j) of two loop variables. */
function findRowOfDistance(
  expr: Expr,
  scope: Scope,
  roles: RoleResolver,
): { readonly name: string; readonly indices: readonly string[] } | null {
  const at = expr.kind === "name" ? (roles.findDefinition(expr, scope)?.expr ?? expr) : expr;
  const [index] = at.kind === "subscript" ? at.indices : at.kind === "call" ? at.args.map(({ value }) => value) : [];
  const name = at.kind === "subscript" ? lastName(at.object) : at.kind === "call" ? lastName(at.callee) : null;
  const indices = index === undefined ? null : differenceOf(index, scope, roles);
  return name === null || indices === null ? null : { name, indices };
}

/** The two loop variables of i − j, with or without an offset; null for a clipped difference. */
function differenceOf(expr: Expr, scope: Scope, roles: RoleResolver): readonly string[] | null {
  if (expr.kind === "name") {
    const definition = roles.findDefinition(expr, scope);
    return definition === null || definition.scope !== scope ? null : differenceOf(definition.expr, scope, roles);
  }
  if (expr.kind !== "binary") return null;
  if (expr.op === "-" && isLoopVariable(expr.left, scope) && isLoopVariable(expr.right, scope))
    return [lastName(expr.left) ?? "", lastName(expr.right) ?? ""];
  return expr.op === "+" || expr.op === "-"
    ? (differenceOf(expr.left, scope, roles) ?? differenceOf(expr.right, scope, roles))
    : null;
}

function isLoopVariable(expr: Expr, scope: Scope): boolean {
  const isIndex = ({ kind }: Binding): boolean => kind === "element" || kind === "param";
  return expr.kind === "name" && expr.name.length <= 2 && findBindings(scope, expr.name).some(isIndex);
}

function mentions(expr: Expr, name: string): boolean {
  return expr.kind === "name" && expr.name === name;
}
