import * as l10n from "@vscode/l10n";
import { fullTitle } from "../../encodings/support/title.ts";
import { isRenumbered } from "../../terms/numbering.ts";
import { resolveScaleParts } from "../../terms/softmaxScale.ts";
import type { Term, TermRegion } from "../../terms/term.ts";
import { contentLines, GENERATOR_LINES, needsGenerator } from "./content.ts";
import { CODE_BY_ENCODING } from "./families.ts";
import { indexFunctionLines, positionIdExpression } from "./numbering.ts";
import { type Library, pythonFloat, pythonValue, translateToLibrary } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode, type IndexSpan } from "./request.ts";
import { maskLines, softmaxLines } from "./softmax.ts";
import { writtenCode } from "./written.ts";

export type CodeExport = { readonly code: string } | { readonly reason: string };

/**
 * Writes a self-contained program that computes the matrix of a view as `matrix` [rows][columns] in float64, with the
 * parameters, lengths, mask and content of the current state. Masked cells are −inf for scores and 0 for weights.
 * @returns the code, or the reason why it cannot be exported
 */
export function exportPythonCode(request: CodeExportRequest, library: Library): CodeExport {
  try {
    return { code: translateToLibrary(`${programLines(request).join("\n")}\n`, library) };
  } catch (error) {
    if (error instanceof CodeExportError) return { reason: error.message };
    throw error;
  }
}

function programLines(request: CodeExportRequest): string[] {
  const body = (CODE_BY_ENCODING[request.encoding.id] ?? writtenCode)(request);
  return [
    programDocstring(request),
    "import math",
    "",
    "import numpy as np",
    "",
    ...(needsGenerator(request, body) ? [...GENERATOR_LINES, ""] : []),
    ...indexFunctionLines(request),
    ...parameterLines(request, body),
    ...(request.show.of === "table" ? tableLines(request, body) : matrixLinesOfProgram(request, body)),
  ];
}

function programDocstring({ encoding, show, rows, columns }: CodeExportRequest): string {
  const what = {
    logits: "scores",
    weights: "attention weights",
    term: "one scaled term",
    table: "the table of positions",
  };
  const span = ({ from, to }: IndexSpan) => `${from}:${to}`;
  return `"""${fullTitle(encoding).en}: ${what[show.of]}, rows ${span(rows)}, columns ${span(columns)}. Made by Posenc."""`;
}

function parameterLines({ params }: CodeExportRequest, { parameters }: EncodingCode): string[] {
  const lines = parameters.flatMap((name) => {
    const value = params[name];
    return value === undefined || value === null ? [] : [`${name} = ${pythonValue(value)}`];
  });
  return lines.length === 0 ? [] : ["# Parameters", ...lines, ""];
}

/** Rotary tables use the position ids of the call, all others their own rows. */
function tablePositionLines(request: CodeExportRequest): string[] {
  const { rows, scene, encoding } = request;
  if (encoding.classification.actsOn !== "query_key" || !isRenumbered(scene.numbering))
    return [`position = np.arange(${rows.from + scene.shift}, ${rows.to + scene.shift}, dtype=np.int64)`];
  const index = `np.arange(${rows.from}, ${rows.to}, dtype=np.int64)`;
  return [`position = ${positionIdExpression(request, index)} + ${scene.shift}`];
}

function tableLines(request: CodeExportRequest, { setup, table }: EncodingCode): string[] {
  const { columns } = request;
  if (table === undefined) throw new CodeExportError(l10n.t("Code export does not support this table yet."));
  return [
    "# Positions of the rows",
    ...tablePositionLines(request),
    "",
    ...setup,
    "",
    `matrix = ${table}[:, ${columns.from}:${columns.to}]`,
  ];
}

function shownTerms({ attention, show }: CodeExportRequest): readonly Term[] {
  if (show.of === "term") return attention.terms.filter(({ id }) => id === show.id);
  const hidden = show.of === "logits" ? show.hidden : [];
  return attention.terms.filter(({ id }) => !hidden.includes(id));
}

function cellLines(request: CodeExportRequest, keys: IndexSpan): string[] {
  const { rows, show, scene } = request;
  const all = show.of === "weights" ? "  # all of them: the softmax needs its whole row" : "";
  return [
    "# Queries i and keys j by index; the queries come last among the keys",
    `query_length, key_length, shift, head = ${scene.queryLength}, ${scene.keyLength}, ${scene.shift}, ${scene.head}`,
    `i = np.arange(${rows.from}, ${rows.to}, dtype=np.int64)`,
    `j = np.arange(${keys.from}, ${keys.to}, dtype=np.int64)${all}`,
    "own = i + (key_length - query_length)  # the query's index among the keys",
    `query_position = ${positionIdExpression(request, "own")} + shift`,
    `key_position = ${positionIdExpression(request, "j")} + shift`,
    "delta = (own[:, None] - j[None, :]).astype(np.float64)",
  ];
}

function vectorLines(request: CodeExportRequest, { content }: EncodingCode, keys: IndexSpan): string[] {
  const { rows, scene } = request;
  if (content.of === "setup") return [];
  if (content.of === "qk") {
    return [
      "# Content",
      ...contentLines(request, "q", content.dim, "i", rows),
      ...contentLines(request, "k", content.dim, "j", keys),
      "",
    ];
  }
  const past = scene.keyLength - scene.queryLength;
  const queries = { from: rows.from + past, to: rows.to + past };
  return [
    "# Content",
    ...contentLines(request, "x", content.dim, "own", queries),
    "x_query = x",
    ...contentLines(request, "x", content.dim, "j", keys),
    "x_key = x",
    "",
  ];
}

function matrixLinesOfProgram(request: CodeExportRequest, body: EncodingCode): string[] {
  const { columns, show, scene, attention } = request;
  const keys = show.of === "weights" ? { from: 0, to: scene.keyLength } : columns;
  const terms = shownTerms(request);
  const last =
    show.of === "weights"
      ? [...softmaxLines(request), `matrix = weights[:, ${columns.from}:${columns.to}]`]
      : ["matrix = scores"];
  return [
    ...cellLines(request, keys),
    "",
    ...vectorLines(request, body, keys),
    ...body.setup,
    "",
    "# Scores",
    ...terms.flatMap((term) => termLines(term, body)),
    ...sumLines(terms),
    ...maskLines(attention.mask),
    ...last,
  ];
}

function termVariable({ id }: Term): string {
  return id.replace(/\W/g, "_");
}

function termLines(term: Term, { terms }: EncodingCode): string[] {
  const value = terms[term.id];
  if (value === undefined) throw new CodeExportError(l10n.t("Code export does not support the term {0} yet.", term.id));
  const where = regionExpression(term.region);
  const name = termVariable(term);
  return [`${name} = ${where === null ? value : `np.where(${where}, ${value}, 0.0)`}`];
}

function regionExpression(region: TermRegion | undefined): string | null {
  if (region === undefined) return null;
  const { deltaFrom, deltaTo, query, key } = region;
  const sides = { first: "== 0", rest: "> 0" } as const;
  const parts = [
    ...(deltaFrom === undefined ? [] : [`(delta >= ${deltaFrom})`]),
    ...(deltaTo === undefined ? [] : [`(delta < ${deltaTo})`]),
    ...(query === undefined ? [] : [`(i ${sides[query]})[:, None]`]),
    ...(key === undefined ? [] : [`(j ${sides[key]})[None, :]`]),
  ];
  return parts.length === 0 ? null : parts.join(" & ");
}

function sumLines(terms: readonly Term[]): string[] {
  if (terms.length === 0) return ["scores = np.zeros((len(i), len(j)), dtype=np.float64)"];
  return terms.map((term, n) => {
    const name = termVariable(term);
    const note = resolveScaleParts(term).map(({ text }) => text);
    const scaled = term.scale === 1 ? name : `${pythonFloat(term.scale)} * ${name}`;
    const comment = term.scale === 1 || note.length === 0 ? "" : `  # ${note.join(" · ")}`;
    return `scores = ${n === 0 ? "" : "scores + "}${scaled}${comment}`;
  });
}
