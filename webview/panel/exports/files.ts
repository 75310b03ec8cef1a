import * as l10n from "@vscode/l10n";
import { numbersToCsv, tableToCsv } from "../../../src/core/export/csv.ts";
import { writeNpy } from "../../../src/core/export/npy.ts";
import type { SliceCallbacks } from "../../engine/timeSlicing.ts";
import { effectiveViewport } from "../../matrix/viewport.ts";
import type { DataTable } from "../../views/view.ts";
import { type ExportContext, findResolved } from "./exportContext.ts";
import { renderPng, renderSvg } from "./pictures.ts";
import { type CellValues, matrixFileStem, toPositions, visibleCells } from "./visibleCells.ts";

export const FILE_KINDS = ["png", "svg", "csv", "npy", "json"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export interface ExportFile {
  readonly name: string;
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** "rope_curves", with the positions of the cells for a matrix. */
export function exportFileStem(context: ExportContext): string {
  const { page, matrix } = context;
  const { encoding, view, viewport } = page.panel;
  if (matrix === null) return `${encoding}_${view}`;
  const encodingId = findResolved(context, matrix)?.encoding.id ?? encoding;
  const subtracted = matrix.minus === undefined ? null : findResolved(context, matrix.minus);
  const name = subtracted === null ? encodingId : `${encodingId}-minus-${subtracted.encoding.id}`;
  return matrixFileStem(name, view, matrix, effectiveViewport(viewport, matrix.extent));
}

/** Builds the file of one kind; null if it was cancelled. */
export async function buildExportFile(
  context: ExportContext,
  kind: FileKind,
  slices: SliceCallbacks,
): Promise<ExportFile | null> {
  const data = await buildData(context, kind, slices);
  return data === null ? null : { name: `${exportFileStem(context)}.${kind}`, data };
}

async function buildData(
  context: ExportContext,
  kind: FileKind,
  slices: SliceCallbacks,
): Promise<ExportFile["data"] | null> {
  if (kind === "png") return new Uint8Array(await (await renderPng(context)).arrayBuffer());
  if (kind === "svg") return renderSvg(context);
  const { matrix, viewExport, page } = context;
  if (matrix === null) return viewExport === null ? null : tableData(context, viewExport.table, kind);
  const cells = await visibleCells(matrix, effectiveViewport(page.panel.viewport, matrix.extent), slices);
  return cells === null ? null : cellData(context, cells, kind);
}

function cellData(context: ExportContext, cells: CellValues, kind: "csv" | "npy" | "json"): ExportFile["data"] {
  const { values, columns } = cells;
  if (kind === "csv") return numbersToCsv(values, columns);
  if (kind === "npy") return new Uint8Array(writeNpy(values, values.length / columns, columns));
  const rows: number[][] = [];
  for (let at = 0; at < values.length; at += columns) rows.push(Array.from(values.subarray(at, at + columns)));
  const { rows: queries, columns: keys } =
    context.matrix === null ? cells.range : toPositions(cells.range, context.matrix);
  const ranges = { rows: [queries.from, queries.to], columns: [keys.from, keys.to] };
  return jsonText(context, { ...ranges, values: rows });
}

function tableData(
  context: ExportContext,
  { columns, rows }: DataTable,
  kind: "csv" | "npy" | "json",
): ExportFile["data"] {
  if (kind === "csv") return tableToCsv(columns, rows);
  if (kind === "json") return jsonText(context, { columns, values: rows });
  const numbers = rows.flat().map((value) => {
    if (typeof value === "string")
      throw new Error(l10n.t("NPY supports only numbers, and this table contains text. Use CSV instead."));
    return value;
  });
  return new Uint8Array(writeNpy(Float64Array.from(numbers), rows.length, columns.length));
}

/** Includes the settings that the numbers were computed with. JSON has no infinities or NaN: they become null. */
function jsonText(context: ExportContext, values: Readonly<Record<string, unknown>>): string {
  const { page, matrix } = context;
  const resolved = (matrix === null ? null : findResolved(context, matrix)) ?? context.resolved;
  const subtracted = matrix?.minus === undefined ? null : findResolved(context, matrix.minus);
  const minus = subtracted === null ? {} : { minus: { encoding: subtracted.encoding.id, params: subtracted.params } };
  const { encoding, params, scene, attentionSource } = resolved;
  const { queryLength, keyLength, shift, head } = scene;
  const settings = { encoding: encoding.id, params, view: page.panel.view, queryLength, keyLength, shift, head };
  const softmax = {
    mask: attentionSource.mask,
    extraLogit: attentionSource.extraLogit ?? null,
    content: page.panel.content,
  };
  return `${JSON.stringify({ ...settings, ...minus, ...softmax, ...values })}\n`;
}
