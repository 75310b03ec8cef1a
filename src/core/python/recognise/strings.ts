import type { EncodingId } from "../../spec.ts";
import { childExpressions, type Expr, lastName, type StringLiteral } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import type { AnalysedCode } from "./analysedCode.ts";
import type { Recognition } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";
import { withRopeDetails } from "./structural.ts";

/** Values of settings that choose an encoding. */
const ENCODING_BY_VALUE: readonly (readonly [RegExp, EncodingId])[] = [
  [/^no_?pe$/, "none"],
  [/^(?:rope|rotary(?:_embeddings?)?)$/, "rope"],
  [/^alibi$/, "alibi"],
  [/^(?:sinusoidal|sinusoid)$/, "sinusoidal"],
  [/^(?:learned|learnable)(?:_absolute)?$/, "learned_absolute"],
  [/^t5(?:_bias|_rel\w*)?$/, "t5_bias"],
  [/^relative_key(?:_query)?$/, "shaw"],
  [/^(?:xpos|kerple|fire|cope)$/, "$&"],
];

/** Names of settings that choose an encoding. */
const SETTING =
  /(?:^|_)(?:pos(?:ition(?:al)?)?(?:_?(?:emb\w*|enc\w*|type|kind|mode))?|pe(?:_type)?|rope|rotary)(?:_|$)/;

/** The encoding that a string names where it is compared with, assigned to or passed as such a setting. */
export function recogniseString(
  code: AnalysedCode,
  offset: number,
): { found: Recognition; span: StringLiteral } | null {
  const inner = code.scopeAt(offset);
  // Defaults of parameters are expressions of the scope around.
  const scope = findPath(inner, offset).length > 0 ? inner : (inner.parent ?? inner);
  const path = findPath(scope, offset);
  const span = path.at(-1);
  if (span?.kind !== "string") return null;
  const value = toSnakeCase(span.value).replaceAll("-", "_");
  const match = ENCODING_BY_VALUE.find(([pattern]) => pattern.test(value));
  if (match === undefined || !isSetting(code, scope, span, path)) return null;
  const encoding = match[1] === "$&" ? value : match[1];
  const found: Recognition = { recogniser: "string/setting", encoding, part: "encoding", scope, confidence: "guess" };
  return { found: withRopeDetails(code, found), span };
}

/** The expressions around an offset, the innermost last. */
function findPath(scope: Scope, offset: number): readonly Expr[] {
  const path: Expr[] = [];
  let at = scope.expressions.find((expr) => expr.from <= offset && offset < expr.to);
  while (at !== undefined && path.length < 60) {
    path.push(at);
    at = childExpressions(at).find((part) => part.from <= offset && offset < part.to);
  }
  return path;
}

function isSetting(code: AnalysedCode, scope: Scope, span: StringLiteral, path: readonly Expr[]): boolean {
  const names = [...path.flatMap((expr) => namesBeside(expr, span)), ...targetNames(code, scope, path[0] ?? span)];
  return names.some((name) => SETTING.test(toSnakeCase(name)));
}

/** What a string is compared with, the keyword that it is passed for, or the dictionary entry that it selects. */
function namesBeside(expr: Expr, span: StringLiteral): readonly string[] {
  if (expr.kind === "binary" && /^(?:==|!=|in|not in|is|is not)$/.test(expr.op))
    return [expr.left, expr.right].flatMap((side) => nameOf(side) ?? []);
  if (expr.kind !== "call") return [];
  const argument = expr.args.find(({ value }) => value.from <= span.from && span.to <= value.to);
  const key = expr.args.find(
    ({ keyword, value }) => keyword === null && value.kind === "string" && value !== span,
  )?.value;
  const isDefault = /^(?:getattr|get|pop|setdefault)$/.test(lastName(expr.callee) ?? "") && key?.kind === "string";
  return [argument?.keyword, isDefault ? key.value : null].flatMap((name) => name ?? []);
}

/** The last name of an expression: `pos` of `args.pos`, `self.pos` and `config["pos"]`. */
function nameOf(expr: Expr): string | null {
  if (expr.kind === "subscript") {
    const [index] = expr.indices;
    return index?.kind === "string" ? index.value : nameOf(expr.object);
  }
  return lastName(expr);
}

/** Names that the whole expression is assigned to, or whose default it is. */
function targetNames(code: AnalysedCode, scope: Scope, expr: Expr): readonly string[] {
  const owners = [scope, ...scope.children];
  const attributes = [...code.module.scopes].filter(
    ({ kind, span }) => kind === "class" && span.from <= expr.from && expr.to <= span.to,
  );
  const lists = [...owners.map(({ bindings }) => bindings), ...attributes.map((owner) => owner.attributes)];
  return lists.flatMap((bindings) =>
    [...bindings.values()]
      .flat()
      .flatMap((binding) => (binding.value === expr || binding.annotation === expr ? [binding.name] : [])),
  );
}
