import * as l10n from "@vscode/l10n";
import { generalFormById } from "../encodings/generalForms.ts";
import type { CodeExplanation } from "../python/explain.ts";
import { explanationTitle } from "../python/explain.ts";
import type { CodeParam } from "../python/recognise/readCodeParams.ts";
import type { Params, TextRange, ValueSource } from "../spec.ts";
import type { FormulaSpan } from "./documents/formulaSpan.ts";
import { parseTex } from "./parse/parseTex.ts";
import { type Macros, readMacros } from "./parse/tokens.ts";
import type { Expr, Span } from "./parse/tree.ts";
import type { FormulaMatch, ReadValue, TermRole } from "./recognise/match.ts";
import { type FormulaContext, readContext, recogniseFormula } from "./recognise/recogniseFormula.ts";

/** What formulas of a document share: its macros, and what it is about. */
export interface FormulaSurroundings {
  readonly macros: Macros;
  readonly context: FormulaContext;
}

export function readSurroundings(text: string): FormulaSurroundings {
  return { macros: readMacros(text), context: readContext(text) };
}

/** What a formula says of the four-term expansion. */
export interface FormulaTerms {
  /** The terms that are written, in order. */
  readonly roles: readonly TermRole[];
  /** The term under the cursor. */
  readonly current: TermRole | null;
}

/** The position encoding that a formula describes; null for all others. */
export function explainFormula(
  text: string,
  formula: FormulaSpan,
  offset: number,
  { macros, context }: FormulaSurroundings,
): CodeExplanation | null {
  const statements = parseTex(formula.tex, macros);
  const found = recogniseAround(statements, offset - formula.from, context);
  return found === null ? null : buildExplanation(text, formula, offset, found);
}

interface Recognised {
  readonly match: FormulaMatch;
  /** The statement that was recognised, if it is not the whole formula. */
  readonly span: Span | null;
}

/** The line under the cursor if it is an encoding by itself, else the formula as a whole. */
function recogniseAround(statements: readonly Expr[], at: number, context: FormulaContext): Recognised | null {
  const whole = recogniseFormula(statements, context);
  if (whole === null) return null;
  const lines = statements.flatMap(linesOf);
  const line = lines.find((statement) => statement.from <= at && at <= statement.to);
  if (line === undefined || lines.length < 2) return { match: whole, span: null };
  const own = recogniseFormula([line], context);
  if (own === null || isRefined(own, whole)) return { match: whole, span: null };
  return { match: own, span: line };
}

/** The whole says more than its line: a general form, plain frequencies of a scaled RoPE, one axis of two. */
function isRefined(own: FormulaMatch, whole: FormulaMatch): boolean {
  if (generalFormById(own.encoding) !== undefined) return generalFormById(whole.encoding) === undefined;
  if (own.encoding === whole.encoding) return own.ropeType === null && whole.ropeType !== null;
  if (own.encoding === "sinusoidal") return whole.encoding === "sincos_2d";
  if (own.encoding !== "rope" || own.ropeType !== null) return false;
  const isFrequency = own.part === "inverse frequencies" && whole.encoding === "sinusoidal";
  return isFrequency || whole.encoding === "xpos" || whole.encoding === "axial_rope" || whole.encoding === "mrope";
}

/** Lines of `aligned` and the like; other statements are their own line. */
function linesOf(statement: Expr): readonly Expr[] {
  const isLines = statement.kind === "group" && statement.items.some((item) => item.kind === "relation");
  return isLines ? statement.items.flatMap(linesOf) : [statement];
}

function buildExplanation(
  text: string,
  formula: FormulaSpan,
  offset: number,
  { match, span }: Recognised,
): CodeExplanation {
  const positionAt = createLocator(text);
  const toRange = (part: Span): TextRange => ({
    start: positionAt(formula.from + part.from),
    end: positionAt(formula.from + part.to),
  });
  const values = match.values.map((value) => toParam(value, formula));
  const params: Params = Object.fromEntries(values.map((value) => [value.param, value.value]));
  const sources = Object.fromEntries(values.map((value): [string, ValueSource] => [value.param, "code"]));
  const range = toRange(span ?? { from: 0, to: formula.tex.length });
  return {
    spec: {
      encoding: match.encoding,
      where: "text",
      layers: "all",
      params: match.ropeType === null ? params : { ...params, rope_type: match.ropeType },
      sources,
      evidence: match.values.map((value) => ({
        param: value.param,
        path: [],
        range: toRange(value),
        note: formulaNote(),
      })),
      confidence: "guess",
    },
    title: explanationTitle(match.encoding, match.part),
    part: match.part,
    ropeType: match.ropeType,
    layout: null,
    layoutEvidence: null,
    range,
    values,
    recogniser: match.recogniser,
    ...termsOf(match, offset - formula.from),
  };
}

function termsOf({ terms }: FormulaMatch, at: number): { terms: FormulaTerms } | Record<string, never> {
  if (terms.length === 0) return {};
  const current = [...terms]
    .filter((term) => term.from <= at && at <= term.to)
    .sort((a, b) => a.to - a.from - (b.to - b.from))[0];
  // Terms of a product of sums all have the place of the product.
  const isOnly =
    current !== undefined && terms.filter((term) => term.from === current.from && term.to === current.to).length === 1;
  return { terms: { roles: terms.map((term) => term.role), current: isOnly ? current.role : null } };
}

function toParam({ param, value, from, to }: ReadValue, formula: FormulaSpan): CodeParam {
  const span = { from: formula.from + from, to: formula.from + to };
  return { param, value, source: "code", note: formulaNote(), span, symbol: formula.tex.slice(from, to) };
}

/** Note for a value that was read from a formula. */
function formulaNote(): string {
  return l10n.t("in the formula");
}

function createLocator(text: string): (offset: number) => TextRange["start"] {
  return (offset) => {
    let line = 1;
    let start = 0;
    for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
      line++;
      start = at + 1;
    }
    return { line, column: offset - start + 1 };
  };
}
