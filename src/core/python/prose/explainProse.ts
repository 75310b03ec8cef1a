import { createPythonDocument, type PythonDocument } from "../document.ts";
import { type CodeExplanation, type ExplainOptions, explainAt, titleOf } from "../explain.ts";
import type { ReadParam } from "../recognise/read.ts";
import { fencedPython } from "./fences.ts";
import { type TexFinding, texAt, texNote } from "./tex.ts";

/** A TeX or Markdown text: its formulas, and in Markdown the Python of its fences. */
export interface ProseDocument {
  readonly text: string;
  readonly python: PythonDocument | null;
}

export function createProseDocument(text: string, kind: "tex" | "markdown"): ProseDocument {
  return { text, python: kind === "markdown" ? createPythonDocument(fencedPython(text)) : null };
}

/** What the formula or the Python at an offset says about a position encoding. */
export function explainProseAt(
  document: ProseDocument,
  offset: number,
  options: ExplainOptions = {},
): CodeExplanation | null {
  const code = document.python === null ? null : explainAt(document.python, offset, options);
  if (code !== null) return code;
  const found = texAt(document.text, offset);
  return found === null ? null : ofFormula(document, found);
}

function ofFormula(document: ProseDocument, found: TexFinding): CodeExplanation {
  const values = found.base === null ? [] : [baseValue(found, found.base)];
  const params = Object.fromEntries(values.map((value) => [value.param, value.value]));
  const range = rangeIn(document.text, found);
  return {
    spec: {
      encoding: found.encoding,
      where: "text",
      layers: "all",
      params: found.ropeType === null ? params : { ...params, rope_type: found.ropeType },
      sources: Object.fromEntries(values.map((value) => [value.param, value.source])),
      evidence: values.map((value) => ({ param: value.param, path: [], range, note: value.note })),
      confidence: "guess",
    },
    title: titleOf(found.encoding, found.subject),
    subject: found.subject,
    ropeType: found.ropeType,
    layout: null,
    layoutEvidence: null,
    range,
    values,
    recogniser: found.recogniser,
  };
}

function baseValue(found: TexFinding, base: number): ReadParam {
  const param = found.encoding === "rope" ? "rope_theta" : "base";
  return { param, value: base, source: "code", note: texNote(), span: found, symbol: String(base) };
}

function rangeIn(text: string, span: { from: number; to: number }): CodeExplanation["range"] {
  const place = (offset: number) => {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    return { line, column: offset - before.lastIndexOf("\n") };
  };
  return { start: place(span.from), end: place(span.to) };
}
