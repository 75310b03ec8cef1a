import { buildAttention } from "../../../../../src/core/encodings/buildAttention.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { exportPythonCode } from "../../../../../src/core/export/code/program.ts";
import type { Library } from "../../../../../src/core/export/code/python.ts";
import type { CodeExportRequest } from "../../../../../src/core/export/code/request.ts";
import { createContent, onesContent } from "../../../../../src/core/terms/content.ts";
import {
  factorRows,
  indexRange,
  logitMatrix,
  maskMatrix,
  termMatrix,
  weightMatrix,
} from "../../../../../src/core/terms/engine.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { knownEncoding } from "../../../support/knownEncoding.ts";
import type { PythonCase } from "../../../support/python.ts";
import { type Case, LENGTH } from "./cases/case.ts";

const SCORES: CodeExportRequest["show"] = { of: "logits", hidden: [] };

function cachedTokens({ keyLength = LENGTH, queryLength = LENGTH }: Partial<Scene> = {}): number {
  return keyLength - queryLength;
}

/** The request of a case, at a length of 40 with a causal mask and ones as content unless the case says otherwise. */
export function createRequest({
  encoding: id,
  params: given = {},
  content = "ones",
  ...more
}: Case): CodeExportRequest {
  const encoding = knownEncoding(id);
  const params = requireParams(encoding, given);
  const scene: Scene = {
    queryLength: LENGTH,
    keyLength: LENGTH,
    shift: 0,
    head: 0,
    centre: 0,
    inputs: {},
    content: onesContent,
    ...more.scene,
    ...(content === "given" ? {} : { content: createContent(content, cachedTokens(more.scene)) }),
  };
  const attention = buildAttention(encoding, params, scene, more.mask ?? { causal: true }, more.sink);
  const [rowFrom, rowTo] = more.rows ?? [0, scene.queryLength];
  const [columnFrom, columnTo] = more.columns ?? [0, scene.keyLength];
  return {
    encoding: more.isWritten === true ? { ...encoding, id: "another" } : encoding,
    params,
    scene,
    attention,
    content,
    show: more.show ?? SCORES,
    rows: { from: rowFrom, to: rowTo },
    columns: { from: columnFrom, to: columnTo },
  };
}

/** The matrix of the float64 engine, row by row. */
function engineValues({ attention, show, encoding, params, scene, ...spans }: CodeExportRequest): number[] {
  const rows = indexRange(spans.rows.from, spans.rows.to);
  const columns = indexRange(spans.columns.from, spans.columns.to);
  if (show.of === "weights") return [...weightMatrix(attention, rows, columns)];
  if (show.of === "table") {
    const table = encoding.positionTable?.(params, scene).rows;
    if (table === undefined) throw new Error("no table");
    const all = factorRows(table, rows);
    return rows.flatMap((_, r) => columns.map((c) => all[r * table.dim + c] ?? Number.NaN));
  }
  const values = cellValues(attention, show, rows, columns);
  const visible = maskMatrix(attention, rows, columns);
  return Array.from(values, (value, n) => (visible[n] === 1 ? value : Number.NEGATIVE_INFINITY));
}

function cellValues(
  attention: CodeExportRequest["attention"],
  show: CodeExportRequest["show"],
  rows: number[],
  columns: number[],
) {
  if (show.of === "logits") return logitMatrix(attention, rows, columns, show.hidden);
  const term = attention.terms.find((candidate) => show.of === "term" && candidate.id === show.id);
  if (term === undefined) throw new Error("no such term");
  return termMatrix(attention, term, rows, columns).map((value) => value * term.scale);
}

/** A case as a program with its expected matrix. Throws if the case has no code. */
export function createPythonCase(given: Case, library: Library): PythonCase {
  const request = createRequest(given);
  const made = exportPythonCode(request, library);
  if ("reason" in made) throw new Error(`${given.name}: ${made.reason}`);
  return {
    name: given.name,
    code: made.code,
    rows: request.rows.to - request.rows.from,
    columns: request.columns.to - request.columns.from,
    values: engineValues(request),
  };
}
