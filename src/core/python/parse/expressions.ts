import type { Argument, Expr, Param } from "./ast.ts";
import type { Raw } from "./syntaxNode.ts";

/** Expressions of a raw tree, with the text they are written in. */
export function expressionOf(raw: Raw, text: string): Expr {
  const make = makers.get(raw.type);
  return make === undefined ? other(raw, text) : make(raw, text);
}

/** The value of `a, b` without parentheses: one expression, or a sequence of them. */
export function listOf(nodes: readonly Raw[], text: string): Expr | null {
  const items = nodes.filter(isExpression).map((node) => expressionOf(node, text));
  const first = items[0];
  const last = items.at(-1);
  if (first === undefined || last === undefined) return null;
  const comma = nodes.some((node) => node.type === ",");
  return comma ? { kind: "sequence", from: first.from, to: last.to, items } : first;
}

type Maker = (raw: Raw, text: string) => Expr;

const KEYWORDS =
  "def class if elif else for in while with as try except finally return import from lambda not and or is yield await async del raise assert global nonlocal print match case pass break continue";

const NOT_VALUES: ReadonlySet<string> = new Set([
  ..."AssignOp UpdateOp ArithOp BitOp CompareOp TypeDef Body ParamList TypeParamList".split(" "),
  ...KEYWORDS.split(" "),
]);

/** Answers by node type: there are few of them, and this is asked for every node. */
const expressionTypes = new Map<string, boolean>();

export function isExpression(node: Raw): boolean {
  let known = expressionTypes.get(node.type);
  if (known === undefined) {
    known = /[A-Za-z]/.test(node.type) && !NOT_VALUES.has(node.type);
    expressionTypes.set(node.type, known);
  }
  return known;
}

function span(raw: Raw): { from: number; to: number } {
  return { from: raw.from, to: raw.to };
}

function textOf(raw: Raw, text: string): string {
  return text.slice(raw.from, raw.to);
}

function other(raw: Raw, text: string): Expr {
  const parts = raw.children.filter(isExpression).map((child) => expressionOf(child, text));
  const only = parts[0];
  const transparent = raw.type === "ParenthesizedExpression" || raw.type === "AwaitExpression";
  if (transparent && only !== undefined && parts.length === 1) return only;
  return { kind: "other", ...span(raw), parts };
}

function name(raw: Raw, text: string): Expr {
  return { kind: "name", ...span(raw), name: textOf(raw, text) };
}

function number(raw: Raw, text: string): Expr {
  const written = textOf(raw, text).replaceAll("_", "").replace(/[lL]$/, "");
  return { kind: "number", ...span(raw), value: Number(written) };
}

/** The text between the quotes; escapes stay as written, which is enough for names. */
function stringValue(written: string): string {
  const match = /^[A-Za-z]*("""|'''|"|')([\s\S]*?)(?:\1)?$/.exec(written);
  return match?.[2] ?? "";
}

function string(raw: Raw, text: string): Expr {
  return { kind: "string", ...span(raw), value: raw.to - raw.from > 400 ? "" : stringValue(textOf(raw, text)) };
}

function formatString(raw: Raw, text: string): Expr {
  const parts = raw.children.flatMap((child) =>
    child.children.filter(isExpression).map((part) => expressionOf(part, text)),
  );
  return { kind: "other", ...span(raw), parts };
}

function operator(raw: Raw, text: string): string {
  const isOperator = (child: Raw): boolean => !isExpression(child) && child.type !== "(" && child.type !== ")";
  return raw.children
    .filter(isOperator)
    .map((child) => textOf(child, text))
    .join(" ");
}

function binary(raw: Raw, text: string): Expr {
  const [left, right] = raw.children.filter(isExpression);
  if (left === undefined || right === undefined) return other(raw, text);
  return {
    kind: "binary",
    ...span(raw),
    op: operator(raw, text),
    left: expressionOf(left, text),
    right: expressionOf(right, text),
  };
}

function unary(raw: Raw, text: string): Expr {
  const operand = raw.children.find(isExpression);
  if (operand === undefined) return other(raw, text);
  return { kind: "unary", ...span(raw), op: operator(raw, text), operand: expressionOf(operand, text) };
}

function member(raw: Raw, text: string): Expr {
  const [first, ...rest] = raw.children;
  if (first === undefined) return other(raw, text);
  // Lezer's grammar has no "1." and "1.e4": it reads a member of the number.
  if (first.type === "Number")
    return { kind: "number", ...span(raw), value: Number(textOf(raw, text).replaceAll("_", "")) };
  const object = expressionOf(first, text);
  const property = rest.find((child) => child.type === "PropertyName");
  if (property !== undefined) {
    return { kind: "attribute", ...span(raw), object, name: textOf(property, text), nameFrom: property.from };
  }
  if (rest[0]?.type !== "[") return { kind: "other", ...span(raw), parts: [object] };
  return { kind: "subscript", ...span(raw), object, indices: subscripts(rest, text) };
}

function subscripts(nodes: readonly Raw[], text: string): Expr[] {
  const groups: Raw[][] = [[]];
  for (const node of nodes) {
    if (node.type === ",") groups.push([]);
    else if (node.type !== "[" && node.type !== "]") groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0).map((group) => subscript(group, text));
}

function subscript(group: readonly Raw[], text: string): Expr {
  const first = group[0];
  const last = group.at(-1);
  const from = first?.from ?? 0;
  const to = last?.to ?? from;
  const fields: (Expr | null)[] = [null];
  for (const node of group) {
    if (node.type === ":") fields.push(null);
    else if (isExpression(node)) fields[fields.length - 1] = expressionOf(node, text);
  }
  const [lower = null, upper = null, step = null] = fields;
  if (fields.length === 1) return lower ?? { kind: "ellipsis", from, to };
  return { kind: "slice", from, to, lower, upper, step };
}

function call(raw: Raw, text: string): Expr {
  const [callee, list] = raw.children;
  if (callee === undefined) return other(raw, text);
  const args = list?.type === "ArgList" ? argumentsOf(list, text) : [];
  return { kind: "call", ...span(raw), callee: expressionOf(callee, text), args };
}

/** Arguments of a call, or the bases of a class. */
export function argumentsOf(list: Raw, text: string): Argument[] {
  const groups: Raw[][] = [[]];
  for (const node of list.children) {
    if (node.type === ",") groups.push([]);
    else if (node.type !== "(" && node.type !== ")") groups.at(-1)?.push(node);
  }
  return groups.flatMap((group) => argument(group, text));
}

function argument(group: readonly Raw[], text: string): Argument[] {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const place = { from: first.from, to: last.to };
  if (group[1]?.type === "AssignOp" && first.type === "VariableName") {
    const value = group.slice(2).find(isExpression);
    const missing: Expr = { kind: "other", ...place, parts: [] };
    return [
      {
        ...place,
        keyword: textOf(first, text),
        star: false,
        value: value === undefined ? missing : expressionOf(value, text),
      },
    ];
  }
  const star = first.type === "*" || first.type === "**" || first.type === "ArithOp";
  const value = group.some((node) => node.type === "for") ? comprehensionOf(group, place, text) : listOf(group, text);
  return value === null ? [] : [{ ...place, keyword: null, star, value }];
}

function sequence(raw: Raw, text: string): Expr {
  return {
    kind: "sequence",
    ...span(raw),
    items: raw.children.filter(isExpression).map((child) => expressionOf(child, text)),
  };
}

function comprehension(raw: Raw, text: string): Expr {
  return comprehensionOf(raw.children, span(raw), text);
}

function comprehensionOf(nodes: readonly Raw[], place: { from: number; to: number }, text: string): Expr {
  const start = nodes.findIndex((node) => node.type === "for");
  const element = listOf(nodes.slice(0, Math.max(0, start)), text);
  const clauses: { target: Expr; iterable: Expr }[] = [];
  for (let at = start; at >= 0 && at < nodes.length; ) {
    const inside = nodes.findIndex((node, index) => index > at && node.type === "in");
    const next = nodes.findIndex((node, index) => index > at && node.type === "for");
    const target = inside < 0 ? null : listOf(nodes.slice(at + 1, inside), text);
    const iterable = inside < 0 ? null : listOf(nodes.slice(inside + 1, inside + 2), text);
    if (target !== null && iterable !== null) clauses.push({ target, iterable });
    at = next;
  }
  if (element === null) return { kind: "other", ...place, parts: [] };
  return { kind: "comprehension", ...place, element, clauses };
}

function conditional(raw: Raw, text: string): Expr {
  const [body, test, orElse] = raw.children.filter(isExpression).map((child) => expressionOf(child, text));
  if (body === undefined || test === undefined || orElse === undefined) return other(raw, text);
  return { kind: "conditional", ...span(raw), body, test, orElse };
}

function lambda(raw: Raw, text: string): Expr {
  const list = raw.children.find((child) => child.type === "ParamList");
  const body = raw.children.filter(isExpression).at(-1);
  if (body === undefined) return other(raw, text);
  return {
    kind: "lambda",
    ...span(raw),
    params: list === undefined ? [] : paramsOf(list, text),
    body: expressionOf(body, text),
  };
}

/** Parameters of a function or lambda, without `*args`, `**kwargs` and bare stars. */
export function paramsOf(list: Raw, text: string): Param[] {
  const params: Param[] = [];
  let starred = false;
  for (const [index, node] of list.children.entries()) {
    if (node.type === "*" || node.type === "**") starred = list.children[index + 1]?.type === "VariableName";
    if (node.type !== "VariableName") continue;
    const previous = list.children[index - 1]?.type;
    if (previous === "AssignOp") continue;
    if (!starred) params.push(paramAt(list.children, index, text));
    starred = false;
  }
  return params;
}

function paramAt(nodes: readonly Raw[], index: number, text: string): Param {
  const node = nodes[index];
  let next = index + 1;
  let annotation: Expr | null = null;
  if (nodes[next]?.type === "TypeDef") {
    annotation = listOf(nodes[next]?.children ?? [], text);
    next += 1;
  }
  const value = nodes[next]?.type === "AssignOp" ? nodes[next + 1] : undefined;
  const from = node?.from ?? 0;
  return {
    from,
    to: node?.to ?? from,
    name: text.slice(from, node?.to ?? from),
    annotation,
    default: value !== undefined && isExpression(value) ? expressionOf(value, text) : null,
  };
}

const makers: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ["VariableName", name],
  ["Number", number],
  ["String", string],
  ["FormatString", formatString],
  ["Boolean", (raw, text) => ({ kind: "constant", ...span(raw), value: textOf(raw, text) === "True" })],
  ["None", (raw) => ({ kind: "constant", ...span(raw), value: null })],
  ["Ellipsis", (raw) => ({ kind: "ellipsis", ...span(raw) })],
  ["BinaryExpression", binary],
  ["UnaryExpression", unary],
  ["MemberExpression", member],
  ["CallExpression", call],
  ["TupleExpression", sequence],
  ["ArrayExpression", sequence],
  ["SetExpression", sequence],
  ["ComprehensionExpression", comprehension],
  ["ArrayComprehensionExpression", comprehension],
  ["SetComprehensionExpression", comprehension],
  ["ConditionalExpression", conditional],
  ["LambdaExpression", lambda],
]);
