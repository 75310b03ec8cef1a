import type { AssignStmt, BlockStmt, ClassDef, Expr, FunctionDef, ImportedName, ImportStmt, Stmt } from "./ast.ts";
import { buildArguments, buildExpression, buildExpressionList, buildParams, isExpression } from "./expressions.ts";
import type { SyntaxNode } from "./syntaxNode.ts";

export function buildStatements(nodes: readonly SyntaxNode[], text: string): Stmt[] {
  return nodes.flatMap((node) => buildStatement(node, text, []));
}

function buildStatement(node: SyntaxNode, text: string, decorators: readonly Expr[]): Stmt[] {
  switch (node.type) {
    case "StatementGroup":
      return buildStatements(node.children, text);
    case "AssignStatement":
      return [buildAssignment(node, text)];
    case "UpdateStatement":
      return [buildAugmentedAssignment(node, text)];
    case "FunctionDefinition":
      return [buildFunction(node, text, decorators)];
    case "ClassDefinition":
      return [buildClass(node, text, decorators)];
    case "DecoratedStatement":
      return buildDecorated(node, text);
    case "ReturnStatement":
      return [{ kind: "return", from: node.from, to: node.to, value: buildExpressionList(node.children, text) }];
    case "ImportStatement":
      return [buildImport(node, text)];
    case "ScopeStatement":
    case "PassStatement":
      return [];
    default:
      return node.children.some((child) => child.type === "Body" || child.type === "MatchBody")
        ? [buildBlock(node, text)]
        : buildExpressionStatement(node, text);
  }
}

function buildExpressionStatement(node: SyntaxNode, text: string): Stmt[] {
  const value =
    isExpression(node) && node.children.length === 0
      ? buildExpression(node, text)
      : buildExpressionList(node.children, text);
  return value === null ? [] : [{ kind: "expression", from: node.from, to: node.to, value }];
}

function buildAssignment(node: SyntaxNode, text: string): AssignStmt {
  const groups: SyntaxNode[][] = [[]];
  let annotation: Expr | null = null;
  for (const child of node.children) {
    if (child.type === "AssignOp") groups.push([]);
    else if (child.type === "TypeDef") annotation = buildExpressionList(child.children, text);
    else groups.at(-1)?.push(child);
  }
  const values = groups.map((group) => buildExpressionList(group, text));
  const bare = groups.length === 1;
  const targets = (bare ? values : values.slice(0, -1)).filter((target) => target !== null);
  return {
    kind: "assign",
    from: node.from,
    to: node.to,
    op: "=",
    targets,
    annotation,
    value: bare ? null : (values.at(-1) ?? null),
  };
}

function buildAugmentedAssignment(node: SyntaxNode, text: string): AssignStmt {
  const at = node.children.findIndex((child) => child.type === "UpdateOp");
  const operator = node.children[at];
  const target = buildExpressionList(node.children.slice(0, Math.max(at, 0)), text);
  return {
    kind: "assign",
    from: node.from,
    to: node.to,
    op: operator === undefined ? "=" : text.slice(operator.from, operator.to),
    targets: target === null ? [] : [target],
    annotation: null,
    value: buildExpressionList(node.children.slice(at + 1), text),
  };
}

function buildBody(node: SyntaxNode, text: string): Stmt[] {
  return node.children
    .filter((child) => child.type === "Body")
    .flatMap((body) => buildStatements(body.children.slice(1), text));
}

function buildFunction(node: SyntaxNode, text: string, decorators: readonly Expr[]): FunctionDef {
  const name = node.children.find((child) => child.type === "VariableName");
  const list = node.children.find((child) => child.type === "ParamList");
  const returns = node.children.find((child) => child.type === "TypeDef");
  return {
    kind: "function",
    from: node.from,
    to: node.to,
    name: name === undefined ? "" : text.slice(name.from, name.to),
    nameFrom: name?.from ?? node.from,
    params: list === undefined ? [] : buildParams(list, text),
    decorators,
    returns: returns === undefined ? null : buildExpressionList(returns.children, text),
    body: buildBody(node, text),
  };
}

function buildClass(node: SyntaxNode, text: string, decorators: readonly Expr[]): ClassDef {
  const name = node.children.find((child) => child.type === "VariableName");
  const bases = node.children.find((child) => child.type === "ArgList");
  return {
    kind: "class",
    from: node.from,
    to: node.to,
    name: name === undefined ? "" : text.slice(name.from, name.to),
    nameFrom: name?.from ?? node.from,
    bases: bases === undefined ? [] : buildArguments(bases, text),
    decorators,
    body: buildBody(node, text),
  };
}

function buildDecorated(node: SyntaxNode, text: string): Stmt[] {
  return node.children
    .filter((child) => child.type === "FunctionDefinition" || child.type === "ClassDefinition")
    .flatMap((child) => buildStatement(child, text, buildDecorators(node, text)));
}

function buildDecorators(node: SyntaxNode, text: string): Expr[] {
  return node.children
    .filter((child) => child.type === "Decorator")
    .flatMap((child) => child.children.filter(isExpression))
    .map((child) => buildExpression(child, text));
}

function buildImport(node: SyntaxNode, text: string): ImportStmt {
  const at = node.children.findIndex((node) => node.type === "import");
  const beforeImport = node.children.slice(0, Math.max(at, 0)).filter((node) => node.type !== "from");
  const level = beforeImport.filter((node) => node.type === "." || node.type === "...").length;
  const moduleIndex = beforeImport.findIndex((node) => node.type === "VariableName");
  const dots = moduleIndex < 0 ? beforeImport : beforeImport.slice(0, moduleIndex);
  const module =
    moduleIndex < 0
      ? ""
      : beforeImport
          .slice(moduleIndex)
          .map((node) => text.slice(node.from, node.to))
          .join("");
  const isFrom = node.children[0]?.type === "from";
  return {
    kind: "import",
    from: node.from,
    to: node.to,
    level: isFrom && level > 0 ? dots.reduce((sum, node) => sum + node.type.length, 0) : 0,
    module: isFrom ? module : null,
    names: buildImportedNames(node.children.slice(at + 1), text),
  };
}

function buildImportedNames(nodes: readonly SyntaxNode[], text: string): ImportedName[] {
  const groups: SyntaxNode[][] = [[]];
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

function buildBlock(node: SyntaxNode, text: string): BlockStmt {
  const headerExprs: Expr[] = [];
  const loopBindings: { target: Expr; iterable: Expr }[] = [];
  const bodies: Stmt[][] = [];
  let pending: SyntaxNode[] = [];
  for (const child of node.children) {
    if (child.type === "Body" || child.type === "MatchBody") {
      bodies.push(buildStatements(child.children.slice(1), text));
      collectBlockHeader(node.type, pending, text, headerExprs, loopBindings);
      pending = [];
    } else pending.push(child);
  }
  return { kind: "block", from: node.from, to: node.to, headerExprs, loopBindings, bodies };
}

function collectBlockHeader(
  type: string,
  nodes: readonly SyntaxNode[],
  text: string,
  headerExprs: Expr[],
  loopBindings: { target: Expr; iterable: Expr }[],
): void {
  const inIndex = nodes.findIndex((node) => node.type === "in");
  if (type === "ForStatement" && inIndex > 0) {
    const target = buildExpressionList(nodes.slice(1, inIndex), text);
    const iterable = buildExpressionList(nodes.slice(inIndex + 1), text);
    if (target !== null && iterable !== null) loopBindings.push({ target, iterable });
    if (iterable !== null) headerExprs.push(iterable);
    return;
  }
  for (const node of nodes) if (isExpression(node)) headerExprs.push(buildExpression(node, text));
}
