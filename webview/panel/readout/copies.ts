import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { csvNumber, tableToCsv } from "../../../src/core/export/csv.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  deltaAt,
  factorRows,
  indexRange,
  logitMatrix,
  maskMatrix,
  type RowStatistics,
  readCell,
  weightOf,
} from "../../../src/core/terms/engine.ts";
import type { Slices } from "../../engine/timeSlicing.ts";
import { rowsStatistics } from "../../state/normaliser.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Cell } from "../../state/viewport.ts";
import { button } from "../../ui/toolkit.ts";

/** Texts of the readout for the clipboard. Numbers are whole: they read back as the same float64. */
export type MakeText = (slices: Slices) => Promise<string>;

export interface Copies {
  readonly cell: MakeText;
  readonly row: MakeText;
}

/** More is a file, for which there is the Export menu. */
const MOST_CELLS = 100_000;

function lines(pairs: readonly (readonly [string, number | string])[]): string {
  return pairs.map(([name, value]) => `${name}\t${typeof value === "number" ? csvNumber(value) : value}\n`).join("");
}

async function statisticsOf(drawable: Drawable, row: number, slices: Slices): Promise<RowStatistics | null> {
  const [statistics = null] = await rowsStatistics(drawable, row, 1, slices);
  return statistics;
}

function queryPosition({ scene }: Drawable, row: number): number {
  return row + scene.shift + scene.keyLength - scene.queryLength;
}

async function cellText(drawable: Drawable, { row, column }: Cell, slices: Slices): Promise<string> {
  const reading = readCell(drawable.attention, row, column);
  const statistics = reading.visible ? await statisticsOf(drawable, row, slices) : null;
  const terms = reading.terms.flatMap(({ term, value, scaled }): [string, number][] =>
    value === null ? [] : [[localize(term.name), scaled]],
  );
  return lines([
    [t("query i"), queryPosition(drawable, row)],
    [t("key j"), column + drawable.scene.shift],
    [t("distance i − j"), reading.delta],
    ...terms,
    [t("logit"), reading.logit],
    [t("attention weight"), statistics === null ? t("masked") : weightOf(reading.logit, statistics)],
  ]);
}

async function rowCsv(drawable: Drawable, row: number, keys: readonly number[], slices: Slices): Promise<string> {
  const { attention, scene } = drawable;
  const logits = logitMatrix(attention, [row], keys);
  const visible = maskMatrix(attention, [row], keys);
  const statistics = await statisticsOf(drawable, row, slices);
  const rows = keys.map((key, n) => {
    const logit = visible[n] === 0 ? Number.NEGATIVE_INFINITY : (logits[n] ?? Number.NaN);
    const weight = visible[n] === 0 || statistics === null ? 0 : weightOf(logit, statistics);
    return [queryPosition(drawable, row), key + scene.shift, deltaAt(attention, row, key), logit, weight];
  });
  return tableToCsv(["i", "j", "delta", "logit", "weight"], rows);
}

function visibleKeys(keys: { readonly from: number; readonly to: number }): number[] {
  if (keys.to - keys.from > MOST_CELLS)
    throw new Error(
      t("Too many cells for the clipboard ({0}): zoom in to at most {1}.", keys.to - keys.from, MOST_CELLS),
    );
  return indexRange(keys.from, keys.to);
}

/** @param keys columns that are seen, half-open */
export function attentionCopies(
  drawable: Drawable,
  cell: Cell,
  keys: { readonly from: number; readonly to: number },
): Copies {
  return {
    cell: (slices) => cellText(drawable, cell, slices),
    row: async (slices) => rowCsv(drawable, cell.row, visibleKeys(keys), slices),
  };
}

/** @param columns dimensions that are seen, half-open */
export function tableCopies(
  { table, scene }: Drawable,
  { row, column }: Cell,
  columns: { readonly from: number; readonly to: number },
): Copies {
  const position = row + scene.shift;
  const values = () => (table === null ? new Float64Array() : factorRows(table.rows, [row]));
  return {
    cell: async () =>
      lines([
        [t("position p"), position],
        [t("dimension"), column],
        [t("component"), table?.column(column) ?? ""],
        [t("value"), values()[column] ?? Number.NaN],
      ]),
    row: async () => {
      const all = values();
      const rows = visibleKeys(columns).map((n) => [position, n, table?.column(n) ?? "", all[n] ?? Number.NaN]);
      return tableToCsv(["position", "dimension", "is", "value"], rows);
    },
  };
}

/** @param copy takes what a text is of, and how it is made */
export function copyTools(copies: Copies, copy: (what: string, make: MakeText) => void): TemplateResult {
  const item = (label: string, title: string, what: string, make: MakeText) =>
    button({ label, title, onClick: () => copy(what, make) });
  return html`<div class="copy-tools" role="group" aria-label=${t("Copy from readout")}>
    ${item(t("Copy cell"), t("Copy the values of this cell"), t("cell"), copies.cell)}
    ${item(t("Copy row as CSV"), t("Copy the visible part of this row at full precision"), t("row as CSV"), copies.row)}
  </div>`;
}
