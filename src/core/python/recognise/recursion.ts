import { type CallExpr, childExpressions, type Expr, lastName, positionalArguments } from "../parse/ast.ts";
import {
  type Binding,
  enclosingClass,
  findAttributeBindings,
  findBindings,
  isSelf,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import type { Recognition } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";

/** What computes each position from the one before it. */
interface Recursion {
  /** Names of the positions and of what steps from one to the next; attributes as `.name`. */
  readonly names: ReadonlySet<string>;
  /** The function that has it, and its class. */
  readonly scopes: readonly Scope[];
}

const SOLVERS = /^(?:odeint(?:_adjoint|_event)?|ode_?solve\w*|diffeqsolve|solve_ivp)$/;
const RECURRENT_LAYERS = /^(?:RNN|GRU|LSTM|Elman)(?:Cell)?$/;
const POSITION_NAMES = /(?:^|_)(?:pos(?:ition(?:al|s)?)?|floater)(?:_|$)/;
const POSITION_VARIABLE = /^(?:p|pe|p_[a-z0-9]|pos(?:ition)?s?(?:_\w+)?)$/;
/** Code of a Transformer: elsewhere, positions are those of particles. */
const MODEL_NAMES =
  / (?:\w*attention\w*|\w*attn\w*|\w*transformer\w*|embedding|embed_\w+|\w*token\w*|d_model|embed_dim|hidden_size|num_heads|parameter) /;
const TENSOR_NAMES = / (?:torch|nn|jax|jnp|tf|keras|mx|paddle|tinygrad) /;
const STEP_NAMES =
  / (?:odeint\w*|ode_?solve\w*|diffeqsolve|solve_ivp|rnn|gru|lstm|rnn_cell|gru_cell|lstm_cell|append|stack|scan) /;

const recursionsByCode = new WeakMap<AnalysedCode, Map<Scope, Recursion | null>>();

/** Recognises positions that a recurrence or a differential equation computes one after the other. */
export function recogniseRecursion(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const scope = occurrence.definedScope ?? occurrence.scope;
  const recursion = findRecursion(code, outermostDefinition(scope));
  if (recursion === null) return recogniseUse(code, occurrence);
  const name = occurrence.kind === "attribute" ? `.${occurrence.name}` : occurrence.name;
  const isPart =
    occurrence.definedScope === null
      ? recursion.names.has(name)
      : recursion.scopes.includes(occurrence.definedScope) &&
        !occurrence.name.startsWith("__") &&
        occurrence.name !== "forward";
  return isPart ? recognition(scope) : recogniseUse(code, occurrence);
}

function recognition(scope: Scope): Recognition {
  return { recogniser: "structure/recursion", encoding: "recursive", part: "encoding", scope, confidence: "automatic" };
}

/** A class with a recursion where it is created. */
function recogniseUse(code: AnalysedCode, { expr, scope, definedScope }: Occurrence): Recognition | null {
  if (definedScope !== null || expr?.kind !== "name") return null;
  const target = findBindings(scope, expr.name).at(-1)?.definedScope;
  const found =
    target == null || target === outermostDefinition(scope) ? null : findRecursion(code, outermostDefinition(target));
  return target != null && found?.scopes.includes(target) === true ? recognition(target) : null;
}

function findRecursion(code: AnalysedCode, definition: Scope): Recursion | null {
  if (definition.kind === "module") return null;
  const known = recursionsByCode.get(code) ?? new Map<Scope, Recursion | null>();
  recursionsByCode.set(code, known);
  const cached = known.get(definition);
  if (cached !== undefined) return cached;
  const isModel =
    code.namesMatch(definition, MODEL_NAMES) ||
    (POSITION_NAMES.test(toSnakeCase(definition.name)) && code.namesMatch(code.module.root, TENSOR_NAMES));
  const mayRecur = isModel && code.namesMatch(definition, STEP_NAMES);
  const found = mayRecur ? searchScope(code, definition) : null;
  known.set(definition, found);
  return found;
}

function searchScope(code: AnalysedCode, scope: Scope): Recursion | null {
  for (const binding of [...scope.bindings.values()].flat()) {
    const found = recursionOfBinding(code, binding);
    if (found !== null) return found;
  }
  for (const returned of scope.returns) {
    const found = recursionOfValue(code, returned, scope, null);
    if (found !== null) return found;
  }
  for (const child of scope.children) {
    const found = searchScope(code, child);
    if (found !== null) return found;
  }
  return null;
}

function recursionOfBinding(code: AnalysedCode, { name, value, scope, conditional, kind }: Binding): Recursion | null {
  if (value === null || kind === "param" || kind === "element") return null;
  const found = recursionOfValue(code, value, scope, name);
  if (found !== null) return found;
  const isStep =
    conditional && mentionsName(value, name) && (POSITION_VARIABLE.test(name) || isNamedAfterPositions(scope));
  if (!isStep || !collects(scope, name) || !stepsWithoutInput(code, value, scope, name)) return null;
  return buildRecursion(scope, [name, ...stepNames(value)]);
}

/** odeint(f, p0, times), rnn(position rows). */
function recursionOfValue(code: AnalysedCode, value: Expr, scope: Scope, target: string | null): Recursion | null {
  const call = findCall(value, (candidate) => isSolver(candidate) || isRecurrentLayer(code, candidate, scope));
  if (call === null) return null;
  const names = [...(target === null ? [] : [target]), ...stepNames(call), lastName(call.callee) ?? ""];
  if (isSolver(call)) {
    const overPositions = names.some((name) => POSITION_NAMES.test(toSnakeCase(name)) || POSITION_VARIABLE.test(name));
    const overSteps = positionalArguments(call).some(
      (argument) => code.roles.resolve(argument, scope)?.kind === "range",
    );
    return overPositions || overSteps || isNamedAfterPositions(scope) ? buildRecursion(scope, names) : null;
  }
  const [input] = positionalArguments(call);
  const isOverPositions = input !== undefined && isPositionInput(code, input, scope);
  return isOverPositions ? buildRecursion(scope, [...(target === null ? [] : [target]), ...stepNames(call)]) : null;
}

function buildRecursion(scope: Scope, names: readonly string[]): Recursion {
  const own = enclosingScopes(scope).filter(
    (at) => at.kind === "function" || POSITION_NAMES.test(toSnakeCase(at.name)),
  );
  return {
    names: new Set(names.filter((name) => name !== "" && !/^\.?(?:self|x|torch|stack|tanh)$/.test(name))),
    scopes: own,
  };
}

function isNamedAfterPositions(scope: Scope): boolean {
  return enclosingScopes(scope).some((at) => POSITION_NAMES.test(toSnakeCase(at.name)));
}

function isSolver(call: CallExpr): boolean {
  return SOLVERS.test(lastName(call.callee) ?? "");
}

/** `self.rnn(…)` of an attribute created as GRU(…). */
function isRecurrentLayer(code: AnalysedCode, call: CallExpr, scope: Scope): boolean {
  const { callee } = call;
  if (callee.kind !== "attribute" || !isSelf(callee.object)) return false;
  return findAttributeBindings(code.module, enclosingClass(scope), callee.name).some(
    ({ value }) => value?.kind === "call" && RECURRENT_LAYERS.test(lastName(value.callee) ?? ""),
  );
}

function isPositionInput(code: AnalysedCode, input: Expr, scope: Scope): boolean {
  if (code.roles.resolve(input, scope)?.kind === "range") return true;
  const name = input.kind === "call" ? lastName(input.callee) : lastName(input);
  return (
    name !== null && /^(?:pos(?:ition(?:al)?)?s?(?:_?emb\w*|_?enc\w*|_table|_ids|_vec\w*)?|pe)$/.test(toSnakeCase(name))
  );
}

function findCall(expr: Expr, accepts: (call: CallExpr) => boolean): CallExpr | null {
  if (expr.kind === "call" && accepts(expr)) return expr;
  for (const part of childExpressions(expr)) {
    const found = findCall(part, accepts);
    if (found !== null) return found;
  }
  return null;
}

/** Attributes that take part in a step: the cell, the first position. */
function stepNames(value: Expr): readonly string[] {
  if (value.kind === "attribute" && isSelf(value.object)) return [`.${value.name}`];
  return childExpressions(value).flatMap((part) => stepNames(part));
}

function mentionsName(expr: Expr, name: string): boolean {
  return (
    (expr.kind === "name" && expr.name === name) || childExpressions(expr).some((part) => mentionsName(part, name))
  );
}

/** rows.append(p) or stack of p: the steps become a table. */
function collects(scope: Scope, name: string): boolean {
  return scope.expressions.some((expr) => {
    const call = findCall(expr, (candidate) => lastName(candidate.callee) === "append");
    return call !== null && positionalArguments(call).some((argument) => mentionsName(argument, name));
  });
}

/** True if a step takes nothing but the position before it, parameters and constants. */
function stepsWithoutInput(code: AnalysedCode, value: Expr, scope: Scope, name: string): boolean {
  if (findCall(value, () => true) === null && value.kind !== "binary") return false;
  const inputs = [...freeNames(value)].filter((used) => used !== name);
  return inputs.every((used) => {
    const bindings = findBindings(scope, used);
    const [binding] = bindings;
    if (binding === undefined || binding.scope !== scope) return true;
    if (binding.kind === "param") return /^(?:self|f|step|cell|func|w\w*|b\w*)$/i.test(used);
    return (
      binding.value !== null &&
      (binding.kind === "element"
        ? code.roles.resolve(binding.value, scope)?.kind === "range"
        : !mentionsParam(binding.value, scope))
    );
  });
}

function freeNames(expr: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (part: Expr): void => {
    if (part.kind === "name") names.add(part.name);
    childExpressions(part).forEach(visit);
  };
  visit(expr);
  return names;
}

function mentionsParam(expr: Expr, scope: Scope): boolean {
  const isInput = scope.params.some(
    ({ name }) =>
      name !== "self" && /^(?:x|h|inputs?|tokens?|ids|hidden\w*|src|tgt)$/.test(name) && mentionsName(expr, name),
  );
  return isInput;
}
