import { t } from "@vscode/l10n";
import { numbersToCsv, tableToCsv } from "../../../src/core/export/csv.ts";
import { writeNpy } from "../../../src/core/export/npy.ts";
import type { Slices } from "../../engine/timeSlicing.ts";
import { viewportOf } from "../../state/viewport.ts";
import type { DataTable } from "../../views/view.ts";
import { drawableOf, type Shown } from "./exportContext.ts";
import { pngOf, svgOf } from "./pictures.ts";
import { type CellValues, fileStem, positionsOfRange, visibleCells } from "./visibleCells.ts";

export const FILE_KINDS = ["png", "svg", "csv", "npy", "json"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export interface MadeFile {
  readonly name: string;
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** "rope_curves", with the positions of the cells for a matrix. */
export function stemOf(shown: Shown): string {
  const { page, subject } = shown;
  const { encoding, view, viewport } = page.panel;
  if (subject === null) return `${encoding}_${view}`;
  const own = drawableOf(shown, subject)?.encoding.id ?? encoding;
  const other = subject.minus === undefined ? null : drawableOf(shown, subject.minus);
  const name = other === null ? own : `${own}-minus-${other.encoding.id}`;
  return fileStem(name, view, subject, viewportOf(viewport, subject.extent));
}

/** The file of one kind; null when it was stopped. */
export async function makeFile(shown: Shown, kind: FileKind, slices: Slices): Promise<MadeFile | null> {
  const data = await dataOf(shown, kind, slices);
  return data === null ? null : { name: `${stemOf(shown)}.${kind}`, data };
}

async function dataOf(shown: Shown, kind: FileKind, slices: Slices): Promise<MadeFile["data"] | null> {
  if (kind === "png") return new Uint8Array(await (await pngOf(shown)).arrayBuffer());
  if (kind === "svg") return svgOf(shown);
  const { subject, exportable, page } = shown;
  if (subject === null) return exportable === null ? null : tableData(shown, exportable.table, kind);
  const cells = await visibleCells(subject, viewportOf(page.panel.viewport, subject.extent), slices);
  return cells === null ? null : cellData(shown, cells, kind);
}

function cellData(shown: Shown, cells: CellValues, kind: "csv" | "npy" | "json"): MadeFile["data"] {
  const { values, columns } = cells;
  if (kind === "csv") return numbersToCsv(values, columns);
  if (kind === "npy") return new Uint8Array(writeNpy(values, values.length / columns, columns));
  const rows: number[][] = [];
  for (let at = 0; at < values.length; at += columns) rows.push(Array.from(values.subarray(at, at + columns)));
  const { rows: queries, columns: keys } =
    shown.subject === null ? cells.range : positionsOfRange(cells.range, shown.subject);
  const ranges = { rows: [queries.from, queries.to], columns: [keys.from, keys.to] };
  return jsonText(shown, { ...ranges, values: rows });
}

function tableData(shown: Shown, { columns, rows }: DataTable, kind: "csv" | "npy" | "json"): MadeFile["data"] {
  if (kind === "csv") return tableToCsv(columns, rows);
  if (kind === "json") return jsonText(shown, { columns, values: rows });
  const numbers = rows.flat().map((value) => {
    if (typeof value === "string")
      throw new Error(t("NPY supports only numbers, and this table contains text. Use CSV instead."));
    return value;
  });
  return new Uint8Array(writeNpy(Float64Array.from(numbers), rows.length, columns.length));
}

/** What made the numbers goes along with them. Numbers that JSON does not know are null. */
function jsonText(shown: Shown, values: Readonly<Record<string, unknown>>): string {
  const { page, subject } = shown;
  const drawable = (subject === null ? null : drawableOf(shown, subject)) ?? shown.drawable;
  const other = subject?.minus === undefined ? null : drawableOf(shown, subject.minus);
  const minus = other === null ? {} : { minus: { encoding: other.encoding.id, params: other.params } };
  const { encoding, params, scene, recipe } = drawable;
  const { queryLength, keyLength, shift, head } = scene;
  const made = { encoding: encoding.id, params, view: page.panel.view, queryLength, keyLength, shift, head };
  const softmax = { mask: recipe.mask, extraLogit: recipe.extraLogit ?? null, content: page.panel.content };
  return `${JSON.stringify({ ...made, ...minus, ...softmax, ...values })}\n`;
}
