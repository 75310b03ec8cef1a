import type { Expr } from "../parse/tree.ts";
import { BIAS_RECOGNISERS } from "./biases.ts";
import { DYNAMICS_RECOGNISERS } from "./dynamics.ts";
import type { FormulaFacts, FormulaMatch, FormulaRecogniser } from "./match.ts";
import { ROTATION_RECOGNISERS } from "./rotation.ts";
import { SCALING_RECOGNISERS } from "./scaling.ts";
import { SCORE_RECOGNISERS } from "./scores.ts";
import { WAVE_RECOGNISERS } from "./waves.ts";

/** The table of recognisers: the first that answers wins, so what is specific comes first. */
export const FORMULA_RECOGNISERS: readonly FormulaRecogniser[] = [
  ...SCALING_RECOGNISERS,
  ...BIAS_RECOGNISERS,
  ...ROTATION_RECOGNISERS,
  ...WAVE_RECOGNISERS,
  ...DYNAMICS_RECOGNISERS,
  ...SCORE_RECOGNISERS,
];

/** What is known of the text around a formula. */
export interface FormulaContext {
  readonly isAboutPositions: boolean;
  readonly prefersRotary: boolean;
}

const NO_CONTEXT: FormulaContext = { isAboutPositions: false, prefersRotary: false };

/** The position encoding that a formula describes; null for all others. */
export function recogniseFormula(
  statements: readonly Expr[],
  context: FormulaContext = NO_CONTEXT,
): FormulaMatch | null {
  const facts = readFacts(statements, context);
  for (const recogniser of FORMULA_RECOGNISERS) {
    const found = recogniser.recognise(facts);
    if (found !== null)
      return { ropeType: null, values: [], terms: [], effect: {}, ...found, recogniser: recogniser.id };
  }
  return null;
}

function readFacts(statements: readonly Expr[], context: FormulaContext): FormulaFacts {
  const relations: { left: Expr; right: Expr }[] = [];
  const sides: Expr[] = [];
  for (const statement of statements) collect(statement, relations, sides);
  return { statements, sides, relations, ...context };
}

/** Relations may be inside of groups: aligned lines, f(x) = {…}. */
function collect(statement: Expr, relations: { left: Expr; right: Expr }[], sides: Expr[]): void {
  if (isLines(statement)) {
    for (const item of statement.items) collect(item, relations, sides);
    return;
  }
  if (statement.kind === "matrix" && isSystem(statement)) {
    for (const row of statement.rows) for (const entry of row) collect(entry, relations, sides);
    return;
  }
  if (statement.kind !== "relation") {
    sides.push(statement);
    return;
  }
  const [first] = statement.sides;
  for (const [index, side] of statement.sides.entries()) {
    if (isLines(side)) for (const item of side.items) collect(item, relations, sides);
    else sides.push(side);
    if (index > 0 && first !== undefined && statement.signs[index - 1] !== "<" && statement.signs[index - 1] !== ">")
      relations.push({ left: first, right: side });
  }
}

/** A brace before several equations; not the cases of one value. */
function isSystem(matrix: Extract<Expr, { kind: "matrix" }>): boolean {
  return matrix.isCases && matrix.rows.every((row) => row[0]?.kind === "relation" && row[0].signs.includes("="));
}

function isLines(expr: Expr): expr is Extract<Expr, { kind: "group" }> {
  return expr.kind === "group" && expr.items.some((item) => item.kind === "relation" || isLines(item));
}

const SUBJECT =
  /position(?:al)?[ _-](?:en|em|bias|in)|attention|transformer|\brope\b|rotary|relative position|alibi|位置编码|相对位置|注意力|位置嵌入/i;
const ROTARY = /\brope\b|rotary|rotat|旋转/gi;
const SINUSOID = /sinusoid|正弦/gi;

/** Characters of a document that are read for its subject. */
const MAX_SUBJECT_LENGTH = 200_000;

/** What a document is about. Only short, ambiguous formulas need it. */
export function readContext(text: string): FormulaContext {
  const start = text.slice(0, MAX_SUBJECT_LENGTH);
  const rotary = start.match(ROTARY)?.length ?? 0;
  const sinusoids = start.match(SINUSOID)?.length ?? 0;
  return { isAboutPositions: SUBJECT.test(start), prefersRotary: rotary > sinusoids };
}
