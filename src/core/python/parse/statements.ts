import type { Assign, Block, ClassDef, Expr, FunctionDef, Import, ImportedName, Stmt } from "./ast.ts";
import { argumentsOf, expressionOf, isExpression, listOf, paramsOf } from "./expressions.ts";
import type { Raw } from "./syntaxNode.ts";

/** The statements of a module. */
export function statementsOf(nodes: readonly Raw[], text: string): Stmt[] {
  return nodes.flatMap((node) => statement(node, text, []));
}

function statement(raw: Raw, text: string, decorators: readonly Expr[]): Stmt[] {
  switch (raw.type) {
    case "StatementGroup":
      return statementsOf(raw.children, text);
    case "AssignStatement":
      return [assignment(raw, text)];
    case "UpdateStatement":
      return [update(raw, text)];
    case "FunctionDefinition":
      return [functionDefinition(raw, text, decorators)];
    case "ClassDefinition":
      return [classDefinition(raw, text, decorators)];
    case "DecoratedStatement":
      return decorated(raw, text);
    case "ReturnStatement":
      return [{ kind: "return", from: raw.from, to: raw.to, value: listOf(raw.children, text) }];
    case "ImportStatement":
      return [importStatement(raw, text)];
    case "ScopeStatement":
    case "PassStatement":
      return [];
    default:
      return raw.children.some((child) => child.type === "Body" || child.type === "MatchBody")
        ? [block(raw, text)]
        : loose(raw, text);
  }
}

function loose(raw: Raw, text: string): Stmt[] {
  const value = isExpression(raw) && raw.children.length === 0 ? expressionOf(raw, text) : listOf(raw.children, text);
  return value === null ? [] : [{ kind: "expression", from: raw.from, to: raw.to, value }];
}

function assignment(raw: Raw, text: string): Assign {
  const groups: Raw[][] = [[]];
  let annotation: Expr | null = null;
  for (const node of raw.children) {
    if (node.type === "AssignOp") groups.push([]);
    else if (node.type === "TypeDef") annotation = listOf(node.children, text);
    else groups.at(-1)?.push(node);
  }
  const values = groups.map((group) => listOf(group, text));
  const bare = groups.length === 1;
  const targets = (bare ? values : values.slice(0, -1)).filter((target) => target !== null);
  return {
    kind: "assign",
    from: raw.from,
    to: raw.to,
    op: "=",
    targets,
    annotation,
    value: bare ? null : (values.at(-1) ?? null),
  };
}

function update(raw: Raw, text: string): Assign {
  const at = raw.children.findIndex((node) => node.type === "UpdateOp");
  const operator = raw.children[at];
  const target = listOf(raw.children.slice(0, Math.max(at, 0)), text);
  return {
    kind: "assign",
    from: raw.from,
    to: raw.to,
    op: operator === undefined ? "=" : text.slice(operator.from, operator.to),
    targets: target === null ? [] : [target],
    annotation: null,
    value: listOf(raw.children.slice(at + 1), text),
  };
}

function bodyOf(raw: Raw, text: string): Stmt[] {
  return raw.children
    .filter((child) => child.type === "Body")
    .flatMap((body) => statementsOf(body.children.slice(1), text));
}

function functionDefinition(raw: Raw, text: string, decorators: readonly Expr[]): FunctionDef {
  const name = raw.children.find((child) => child.type === "VariableName");
  const list = raw.children.find((child) => child.type === "ParamList");
  const returns = raw.children.find((child) => child.type === "TypeDef");
  return {
    kind: "function",
    from: raw.from,
    to: raw.to,
    name: name === undefined ? "" : text.slice(name.from, name.to),
    nameFrom: name?.from ?? raw.from,
    params: list === undefined ? [] : paramsOf(list, text),
    decorators,
    returns: returns === undefined ? null : listOf(returns.children, text),
    body: bodyOf(raw, text),
  };
}

function classDefinition(raw: Raw, text: string, decorators: readonly Expr[]): ClassDef {
  const name = raw.children.find((child) => child.type === "VariableName");
  const bases = raw.children.find((child) => child.type === "ArgList");
  return {
    kind: "class",
    from: raw.from,
    to: raw.to,
    name: name === undefined ? "" : text.slice(name.from, name.to),
    nameFrom: name?.from ?? raw.from,
    bases: bases === undefined ? [] : argumentsOf(bases, text),
    decorators,
    body: bodyOf(raw, text),
  };
}

function decorated(raw: Raw, text: string): Stmt[] {
  return raw.children
    .filter((child) => child.type === "FunctionDefinition" || child.type === "ClassDefinition")
    .flatMap((child) => statement(child, text, decoratorsOf(raw, text)));
}

function decoratorsOf(raw: Raw, text: string): Expr[] {
  return raw.children
    .filter((child) => child.type === "Decorator")
    .flatMap((child) => child.children.filter(isExpression))
    .map((child) => expressionOf(child, text));
}

function importStatement(raw: Raw, text: string): Import {
  const at = raw.children.findIndex((node) => node.type === "import");
  const head = raw.children.slice(0, Math.max(at, 0)).filter((node) => node.type !== "from");
  const level = head.filter((node) => node.type === "." || node.type === "...").length;
  const first = head.findIndex((node) => node.type === "VariableName");
  const dots = first < 0 ? head : head.slice(0, first);
  const module =
    first < 0
      ? ""
      : head
          .slice(first)
          .map((node) => text.slice(node.from, node.to))
          .join("");
  const isFrom = raw.children[0]?.type === "from";
  return {
    kind: "import",
    from: raw.from,
    to: raw.to,
    level: isFrom && level > 0 ? dots.reduce((sum, node) => sum + node.type.length, 0) : 0,
    module: isFrom ? module : null,
    names: importedNames(raw.children.slice(at + 1), text),
  };
}

function importedNames(nodes: readonly Raw[], text: string): ImportedName[] {
  const groups: Raw[][] = [[]];
  for (const node of nodes) {
    if (node.type === ",") groups.push([]);
    else groups.at(-1)?.push(node);
  }
  return groups.flatMap((group) => {
    const names = group.filter((node) => node.type === "VariableName");
    const last = names.at(-1);
    if (last === undefined) return [];
    const aliased = group.some((node) => node.type === "as");
    const written = (aliased ? names.slice(0, -1) : names).map((node) => text.slice(node.from, node.to)).join(".");
    const alias = aliased ? text.slice(last.from, last.to) : written;
    return [{ from: names[0]?.from ?? last.from, to: last.to, name: written, alias }];
  });
}

function block(raw: Raw, text: string): Block {
  const heads: Expr[] = [];
  const binds: { target: Expr; iterable: Expr }[] = [];
  const bodies: Stmt[][] = [];
  let pending: Raw[] = [];
  for (const node of raw.children) {
    if (node.type === "Body" || node.type === "MatchBody") {
      bodies.push(statementsOf(node.children.slice(1), text));
      header(raw.type, pending, text, heads, binds);
      pending = [];
    } else pending.push(node);
  }
  return { kind: "block", from: raw.from, to: raw.to, heads, binds, bodies };
}

function header(
  type: string,
  nodes: readonly Raw[],
  text: string,
  heads: Expr[],
  binds: { target: Expr; iterable: Expr }[],
): void {
  const inside = nodes.findIndex((node) => node.type === "in");
  if (type === "ForStatement" && inside > 0) {
    const target = listOf(nodes.slice(1, inside), text);
    const iterable = listOf(nodes.slice(inside + 1), text);
    if (target !== null && iterable !== null) binds.push({ target, iterable });
    if (iterable !== null) heads.push(iterable);
    return;
  }
  for (const node of nodes) if (isExpression(node)) heads.push(expressionOf(node, text));
}
