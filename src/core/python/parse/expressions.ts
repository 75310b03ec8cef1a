import type { CallArgument, Expr, FunctionParam } from "./ast.ts";
import type { SyntaxNode } from "./syntaxNode.ts";

/** Builds the expression of a syntax node. */
export function buildExpression(node: SyntaxNode, text: string): Expr {
  const build = expressionBuilders.get(node.type);
  return build === undefined ? buildOther(node, text) : build(node, text);
}

/** One expression, or a sequence for `a, b` without parentheses. */
export function buildExpressionList(nodes: readonly SyntaxNode[], text: string): Expr | null {
  const items = nodes.filter(isExpression).map((node) => buildExpression(node, text));
  const first = items[0];
  const last = items.at(-1);
  if (first === undefined || last === undefined) return null;
  const comma = nodes.some((node) => node.type === ",");
  return comma ? { kind: "sequence", from: first.from, to: last.to, items } : first;
}

type ExpressionBuilder = (node: SyntaxNode, text: string) => Expr;

const KEYWORDS =
  "def class if elif else for in while with as try except finally return import from lambda not and or is yield await async del raise assert global nonlocal print match case pass break continue";

const NON_EXPRESSION_TYPES: ReadonlySet<string> = new Set([
  ..."AssignOp UpdateOp ArithOp BitOp CompareOp TypeDef Body ParamList TypeParamList".split(" "),
  ...KEYWORDS.split(" "),
]);

/** Cached by node type: there are few types, and every node is checked. */
const isExpressionByType = new Map<string, boolean>();

export function isExpression(node: SyntaxNode): boolean {
  let answer = isExpressionByType.get(node.type);
  if (answer === undefined) {
    answer = /[A-Za-z]/.test(node.type) && !NON_EXPRESSION_TYPES.has(node.type);
    isExpressionByType.set(node.type, answer);
  }
  return answer;
}

function spanOf(node: SyntaxNode): { from: number; to: number } {
  return { from: node.from, to: node.to };
}

function sourceText(node: SyntaxNode, text: string): string {
  return text.slice(node.from, node.to);
}

function buildOther(node: SyntaxNode, text: string): Expr {
  const parts = node.children.filter(isExpression).map((child) => buildExpression(child, text));
  const only = parts[0];
  const transparent = node.type === "ParenthesizedExpression" || node.type === "AwaitExpression";
  if (transparent && only !== undefined && parts.length === 1) return only;
  return { kind: "other", ...spanOf(node), parts };
}

function buildName(node: SyntaxNode, text: string): Expr {
  return { kind: "name", ...spanOf(node), name: sourceText(node, text) };
}

function buildNumber(node: SyntaxNode, text: string): Expr {
  const written = sourceText(node, text).replaceAll("_", "").replace(/[lL]$/, "");
  return { kind: "number", ...spanOf(node), value: Number(written) };
}

/** The text between the quotes. Escapes are kept as written, which is enough to compare names. */
function stringValue(written: string): string {
  const match = /^[A-Za-z]*("""|'''|"|')([\s\S]*?)(?:\1)?$/.exec(written);
  return match?.[2] ?? "";
}

function buildString(node: SyntaxNode, text: string): Expr {
  return {
    kind: "string",
    ...spanOf(node),
    value: node.to - node.from > 400 ? "" : stringValue(sourceText(node, text)),
  };
}

function buildFormatString(node: SyntaxNode, text: string): Expr {
  const parts = node.children.flatMap((child) =>
    child.children.filter(isExpression).map((part) => buildExpression(part, text)),
  );
  return { kind: "other", ...spanOf(node), parts };
}

function operatorText(node: SyntaxNode, text: string): string {
  const isOperator = (child: SyntaxNode): boolean => !isExpression(child) && child.type !== "(" && child.type !== ")";
  return node.children
    .filter(isOperator)
    .map((child) => sourceText(child, text))
    .join(" ");
}

function buildBinary(node: SyntaxNode, text: string): Expr {
  const [left, right] = node.children.filter(isExpression);
  if (left === undefined || right === undefined) return buildOther(node, text);
  return {
    kind: "binary",
    ...spanOf(node),
    op: operatorText(node, text),
    left: buildExpression(left, text),
    right: buildExpression(right, text),
  };
}

function buildUnary(node: SyntaxNode, text: string): Expr {
  const operand = node.children.find(isExpression);
  if (operand === undefined) return buildOther(node, text);
  return { kind: "unary", ...spanOf(node), op: operatorText(node, text), operand: buildExpression(operand, text) };
}

function buildMember(node: SyntaxNode, text: string): Expr {
  const [first, ...rest] = node.children;
  if (first === undefined) return buildOther(node, text);
  // Lezer's grammar does not know "1." and "1.e4": it parses them as a member of a number.
  if (first.type === "Number")
    return { kind: "number", ...spanOf(node), value: Number(sourceText(node, text).replaceAll("_", "")) };
  const object = buildExpression(first, text);
  const property = rest.find((child) => child.type === "PropertyName");
  if (property !== undefined) {
    return { kind: "attribute", ...spanOf(node), object, name: sourceText(property, text), nameFrom: property.from };
  }
  if (rest[0]?.type !== "[") return { kind: "other", ...spanOf(node), parts: [object] };
  return { kind: "subscript", ...spanOf(node), object, indices: buildSubscripts(rest, text) };
}

function buildSubscripts(nodes: readonly SyntaxNode[], text: string): Expr[] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === ",") groups.push([]);
    else if (node.type !== "[" && node.type !== "]") groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0).map((group) => buildSubscript(group, text));
}

function buildSubscript(group: readonly SyntaxNode[], text: string): Expr {
  const first = group[0];
  const last = group.at(-1);
  const from = first?.from ?? 0;
  const to = last?.to ?? from;
  const fields: (Expr | null)[] = [null];
  for (const node of group) {
    if (node.type === ":") fields.push(null);
    else if (isExpression(node)) fields[fields.length - 1] = buildExpression(node, text);
  }
  const [lower = null, upper = null, step = null] = fields;
  if (fields.length === 1) return lower ?? { kind: "ellipsis", from, to };
  return { kind: "slice", from, to, lower, upper, step };
}

function buildCall(node: SyntaxNode, text: string): Expr {
  const [callee, list] = node.children;
  if (callee === undefined) return buildOther(node, text);
  const args = list?.type === "ArgList" ? buildArguments(list, text) : [];
  return { kind: "call", ...spanOf(node), callee: buildExpression(callee, text), args };
}

/** Arguments of a call, or the bases of a class. */
export function buildArguments(list: SyntaxNode, text: string): CallArgument[] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of list.children) {
    if (node.type === ",") groups.push([]);
    else if (node.type !== "(" && node.type !== ")") groups.at(-1)?.push(node);
  }
  return groups.flatMap((group) => buildArgument(group, text));
}

function buildArgument(group: readonly SyntaxNode[], text: string): CallArgument[] {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const span = { from: first.from, to: last.to };
  if (group[1]?.type === "AssignOp" && first.type === "VariableName") {
    const value = group.slice(2).find(isExpression);
    const missing: Expr = { kind: "other", ...span, parts: [] };
    return [
      {
        ...span,
        keyword: sourceText(first, text),
        star: false,
        value: value === undefined ? missing : buildExpression(value, text),
      },
    ];
  }
  const star = first.type === "*" || first.type === "**" || first.type === "ArithOp";
  const value = group.some((node) => node.type === "for")
    ? buildComprehensionFrom(group, span, text)
    : buildExpressionList(group, text);
  return value === null ? [] : [{ ...span, keyword: null, star, value }];
}

function buildSequence(node: SyntaxNode, text: string): Expr {
  return {
    kind: "sequence",
    ...spanOf(node),
    items: node.children.filter(isExpression).map((child) => buildExpression(child, text)),
  };
}

function buildComprehension(node: SyntaxNode, text: string): Expr {
  return buildComprehensionFrom(node.children, spanOf(node), text);
}

function buildComprehensionFrom(nodes: readonly SyntaxNode[], span: { from: number; to: number }, text: string): Expr {
  const start = nodes.findIndex((node) => node.type === "for");
  const element = buildExpressionList(nodes.slice(0, Math.max(0, start)), text);
  const clauses: { target: Expr; iterable: Expr }[] = [];
  for (let forIndex = start; forIndex >= 0 && forIndex < nodes.length; ) {
    const inIndex = nodes.findIndex((node, index) => index > forIndex && node.type === "in");
    const nextFor = nodes.findIndex((node, index) => index > forIndex && node.type === "for");
    const target = inIndex < 0 ? null : buildExpressionList(nodes.slice(forIndex + 1, inIndex), text);
    const iterable = inIndex < 0 ? null : buildExpressionList(nodes.slice(inIndex + 1, inIndex + 2), text);
    if (target !== null && iterable !== null) clauses.push({ target, iterable });
    forIndex = nextFor;
  }
  if (element === null) return { kind: "other", ...span, parts: [] };
  return { kind: "comprehension", ...span, element, clauses };
}

function buildConditional(node: SyntaxNode, text: string): Expr {
  const [body, test, orElse] = node.children.filter(isExpression).map((child) => buildExpression(child, text));
  if (body === undefined || test === undefined || orElse === undefined) return buildOther(node, text);
  return { kind: "conditional", ...spanOf(node), body, test, orElse };
}

function buildLambda(node: SyntaxNode, text: string): Expr {
  const list = node.children.find((child) => child.type === "ParamList");
  const body = node.children.filter(isExpression).at(-1);
  if (body === undefined) return buildOther(node, text);
  return {
    kind: "lambda",
    ...spanOf(node),
    params: list === undefined ? [] : buildParams(list, text),
    body: buildExpression(body, text),
  };
}

/** Parameters of a function or lambda, without `*args`, `**kwargs` and bare stars. */
export function buildParams(list: SyntaxNode, text: string): FunctionParam[] {
  const params: FunctionParam[] = [];
  let starred = false;
  for (const [index, node] of list.children.entries()) {
    if (node.type === "*" || node.type === "**") starred = list.children[index + 1]?.type === "VariableName";
    if (node.type !== "VariableName") continue;
    const previous = list.children[index - 1]?.type;
    if (previous === "AssignOp") continue;
    if (!starred) params.push(buildParam(list.children, index, text));
    starred = false;
  }
  return params;
}

function buildParam(nodes: readonly SyntaxNode[], index: number, text: string): FunctionParam {
  const node = nodes[index];
  let next = index + 1;
  let annotation: Expr | null = null;
  if (nodes[next]?.type === "TypeDef") {
    annotation = buildExpressionList(nodes[next]?.children ?? [], text);
    next += 1;
  }
  const value = nodes[next]?.type === "AssignOp" ? nodes[next + 1] : undefined;
  const from = node?.from ?? 0;
  return {
    from,
    to: node?.to ?? from,
    name: text.slice(from, node?.to ?? from),
    annotation,
    default: value !== undefined && isExpression(value) ? buildExpression(value, text) : null,
  };
}

const expressionBuilders: ReadonlyMap<string, ExpressionBuilder> = new Map<string, ExpressionBuilder>([
  ["VariableName", buildName],
  ["Number", buildNumber],
  ["String", buildString],
  ["FormatString", buildFormatString],
  ["Boolean", (node, text) => ({ kind: "constant", ...spanOf(node), value: sourceText(node, text) === "True" })],
  ["None", (node) => ({ kind: "constant", ...spanOf(node), value: null })],
  ["Ellipsis", (node) => ({ kind: "ellipsis", ...spanOf(node) })],
  ["BinaryExpression", buildBinary],
  ["UnaryExpression", buildUnary],
  ["MemberExpression", buildMember],
  ["CallExpression", buildCall],
  ["TupleExpression", buildSequence],
  ["ArrayExpression", buildSequence],
  ["SetExpression", buildSequence],
  ["ComprehensionExpression", buildComprehension],
  ["ArrayComprehensionExpression", buildComprehension],
  ["SetComprehensionExpression", buildComprehension],
  ["ConditionalExpression", buildConditional],
  ["LambdaExpression", buildLambda],
]);
