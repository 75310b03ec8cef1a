import { createPythonDocument, type PythonDocument } from "../document.ts";
import { type CodeExplanation, type ExplainOptions, explainAt, explanationTitle } from "../explain.ts";
import type { CodeParam } from "../recognise/readCodeParams.ts";
import { extractFencedPython } from "./markdownFences.ts";
import { formulaNote, type RecognisedFormula, recogniseFormulaAt } from "./texFormulas.ts";

/** A TeX or Markdown text, with the Python of its fences if it is Markdown. */
export interface ProseDocument {
  readonly text: string;
  readonly python: PythonDocument | null;
}

export function createProseDocument(text: string, kind: "tex" | "markdown"): ProseDocument {
  return { text, python: kind === "markdown" ? createPythonDocument(extractFencedPython(text)) : null };
}

/** The position encoding that the Python or the formula at an offset denotes. */
export function explainProseAt(
  document: ProseDocument,
  offset: number,
  options: ExplainOptions = {},
): CodeExplanation | null {
  const code = document.python === null ? null : explainAt(document.python, offset, options);
  if (code !== null) return code;
  const formula = recogniseFormulaAt(document.text, offset);
  return formula === null ? null : explainFormula(document, formula);
}

function explainFormula(document: ProseDocument, formula: RecognisedFormula): CodeExplanation {
  const values = formula.base === null ? [] : [baseParam(formula, formula.base)];
  const params = Object.fromEntries(values.map((value) => [value.param, value.value]));
  const range = toRange(document.text, formula);
  return {
    spec: {
      encoding: formula.encoding,
      where: "text",
      layers: "all",
      params: formula.ropeType === null ? params : { ...params, rope_type: formula.ropeType },
      sources: Object.fromEntries(values.map((value) => [value.param, value.source])),
      evidence: values.map((value) => ({ param: value.param, path: [], range, note: value.note })),
      confidence: "guess",
    },
    title: explanationTitle(formula.encoding, formula.part),
    part: formula.part,
    ropeType: formula.ropeType,
    layout: null,
    layoutEvidence: null,
    range,
    values,
    recogniser: formula.recogniser,
  };
}

function baseParam(formula: RecognisedFormula, base: number): CodeParam {
  const param = formula.encoding === "rope" ? "rope_theta" : "base";
  return { param, value: base, source: "code", note: formulaNote(), span: formula, symbol: String(base) };
}

function toRange(text: string, span: { from: number; to: number }): CodeExplanation["range"] {
  const positionAt = (offset: number) => {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    return { line, column: offset - before.lastIndexOf("\n") };
  };
  return { start: positionAt(span.from), end: positionAt(span.to) };
}
