import type { Expr, SymbolExpr } from "../parse/tree.ts";
import { factorsOf, findAll, isNumber, keyOf, someExpr, termsOf } from "./algebra.ts";
import type { FormulaFacts, FormulaRecogniser } from "./match.ts";

/** Positions from earlier positions, and positions that multiply the input. */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

function isPositionVector(expr: Expr | undefined): expr is SymbolExpr {
  return expr?.kind === "symbol" && /^(?:p|P|PE|pe|pos)$/.test(expr.name);
}

/** p_{k+1} = f(p_k) */
function recogniseRecurrence(facts: FormulaFacts): Found {
  for (const { left, right } of facts.relations) {
    if (!isPositionVector(left)) continue;
    const [index] = left.sub;
    const previous = recurrenceArgument(right);
    const [before] = previous?.sub ?? [];
    if (index === undefined || before === undefined || previous?.name !== left.name) continue;
    if (isNext(index, before) || isNext(before, index, -1)) return { encoding: "recursive", part: "encoding" };
  }
  return null;
}

function recurrenceArgument(right: Expr): SymbolExpr | null {
  const args =
    right.kind === "apply" && /^(?:f|F|h|g|phi|RNN|G|H)$/.test(right.fn.name)
      ? right.args
      : right.kind === "call"
        ? right.args
        : [];
  const isModel = right.kind !== "call" || /^(?:MLP|RNN|FFN)$/.test(right.name);
  const found = args.find(isPositionVector);
  return isModel && found !== undefined ? found : null;
}

/** k + 1 after k. */
function isNext(index: Expr, before: Expr, step = 1): boolean {
  const terms = termsOf(index);
  const [letter, number] = terms;
  if (terms.length !== 2 || letter === undefined || number === undefined) return false;
  return keyOf(letter.expr) === keyOf(before) && isNumber(number.expr, 1) && number.sign === step;
}

/** dp_t/dt = h(p_t, t), and its integral. */
function recogniseFlow(facts: FormulaFacts): Found {
  for (const { left, right } of facts.relations) {
    if (isDerivativeOfPosition(left) && isDynamics(right)) return { encoding: "recursive", part: "encoding" };
    const isIntegral =
      someExpr([left], isPositionVector) &&
      findAll([right], (expr) => (expr.kind === "big" && expr.operator === "int" ? expr : null)).some((integral) =>
        someExpr([integral.body], isDynamics),
      );
    if (isIntegral) return { encoding: "recursive", part: "encoding" };
    const isSolver =
      (isPositionVector(left) || (left.kind === "apply" && isPositionVector(left.fn))) &&
      right.kind === "call" &&
      right.name === "ODESolve";
    if (isSolver) return { encoding: "recursive", part: "encoding" };
  }
  return null;
}

/** h(p_t, t; θ): a function of position vector and time. */
function isDynamics(expr: Expr): boolean {
  if (expr.kind !== "apply" || expr.args.length < 2) return false;
  return expr.args.some((arg) => isPositionVector(arg) || (arg.kind === "apply" && isPositionVector(arg.fn)));
}

function isDerivativeOfPosition(expr: Expr): boolean {
  if (expr.kind !== "quotient") return false;
  const top = factorsOf(expr.numerator);
  const bottom = factorsOf(expr.denominator);
  const isDifferential = (factor: Expr | undefined) => factor?.kind === "symbol" && /^(?:d|partial)$/.test(factor.name);
  return (
    isDifferential(top[0]) &&
    isDifferential(bottom[0]) &&
    (top.length === 1 ||
      top
        .slice(1)
        .some((factor) => isPositionVector(factor) || (factor.kind === "apply" && isPositionVector(factor.fn))))
  );
}

/** x_k ⊗ p_k */
function recogniseProduct(facts: FormulaFacts): Found {
  const products = findAll(facts.sides, (expr) => (expr.kind === "product" && expr.factors.length === 2 ? expr : null));
  for (const product of products) {
    const [sign] = product.signs;
    const [first, second] = product.factors;
    if (sign !== "odot" && sign !== "otimes" && sign !== "circ") continue;
    const position = [first, second].find(isPositionVector);
    const content = [first, second].find((factor) => factor !== position);
    const isContent = content?.kind === "symbol" && /^(?:x|X|e|h|E|w|z)$/.test(content.name);
    if (position === undefined || !isContent || content.kind !== "symbol") continue;
    const isSameToken =
      content.sub.length === 0 ||
      position.sub.length === 0 ||
      keyOf(content.sub[0] ?? content) === keyOf(position.sub[0] ?? position) ||
      someExpr(content.sub, (part) => keyOf(part) === keyOf(position.sub[0] ?? position));
    if (isSameToken && (position.sub.length > 0 || facts.isAboutPositions))
      return { encoding: "multiplicative", part: "encoding" };
  }
  return null;
}

export const DYNAMICS_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/recurrence", recognise: recogniseRecurrence },
  { id: "formula/flow", recognise: recogniseFlow },
  { id: "formula/product", recognise: recogniseProduct },
];
