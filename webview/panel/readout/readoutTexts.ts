import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { csvNumber, tableToCsv } from "../../../src/core/export/csv.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  attentionWeight,
  deltaAt,
  factorRows,
  indexRange,
  logitMatrix,
  maskMatrix,
  type RowStatistics,
  readCell,
} from "../../../src/core/terms/engine.ts";
import { computeRowStatistics } from "../../engine/rowNormaliser.ts";
import type { SliceCallbacks } from "../../engine/timeSlicing.ts";
import type { MatrixCell } from "../../matrix/viewport.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { button } from "../../ui/toolkit.ts";

/** Builds a text of the readout for the clipboard. Numbers have all digits, so they parse back to the same float64. */
export type BuildText = (slices: SliceCallbacks) => Promise<string>;

export interface ReadoutTexts {
  readonly cell: BuildText;
  readonly row: BuildText;
}

/** Larger ranges should be exported as a file. */
const MAX_CLIPBOARD_CELLS = 100_000;

function formatLines(pairs: readonly (readonly [string, number | string])[]): string {
  return pairs.map(([name, value]) => `${name}\t${typeof value === "number" ? csvNumber(value) : value}\n`).join("");
}

async function statisticsForRow(
  resolved: ResolvedEncoding,
  row: number,
  slices: SliceCallbacks,
): Promise<RowStatistics | null> {
  const [statistics = null] = await computeRowStatistics(resolved, row, 1, slices);
  return statistics;
}

function queryPosition({ scene }: ResolvedEncoding, row: number): number {
  return row + scene.shift + scene.keyLength - scene.queryLength;
}

async function cellReadout(
  resolved: ResolvedEncoding,
  { row, column }: MatrixCell,
  slices: SliceCallbacks,
): Promise<string> {
  const reading = readCell(resolved.attention, row, column);
  const statistics = reading.visible ? await statisticsForRow(resolved, row, slices) : null;
  const terms = reading.terms.flatMap(({ term, value, scaled }): [string, number][] =>
    value === null ? [] : [[localize(term.name), scaled]],
  );
  return formatLines([
    [l10n.t("query i"), queryPosition(resolved, row)],
    [l10n.t("key j"), column + resolved.scene.shift],
    [l10n.t("distance i − j"), reading.delta],
    ...terms,
    [l10n.t("logit"), reading.logit],
    [l10n.t("attention weight"), statistics === null ? l10n.t("masked") : attentionWeight(reading.logit, statistics)],
  ]);
}

async function rowCsv(
  resolved: ResolvedEncoding,
  row: number,
  keys: readonly number[],
  slices: SliceCallbacks,
): Promise<string> {
  const { attention, scene } = resolved;
  const logits = logitMatrix(attention, [row], keys);
  const visible = maskMatrix(attention, [row], keys);
  const statistics = await statisticsForRow(resolved, row, slices);
  const rows = keys.map((key, n) => {
    const logit = visible[n] === 0 ? Number.NEGATIVE_INFINITY : (logits[n] ?? Number.NaN);
    const weight = visible[n] === 0 || statistics === null ? 0 : attentionWeight(logit, statistics);
    return [queryPosition(resolved, row), key + scene.shift, deltaAt(attention, row, key), logit, weight];
  });
  return tableToCsv(["i", "j", "delta", "logit", "weight"], rows);
}

function listIndices(keys: { readonly from: number; readonly to: number }): number[] {
  if (keys.to - keys.from > MAX_CLIPBOARD_CELLS)
    throw new Error(
      l10n.t(
        "Too many cells for the clipboard ({0}): zoom in to at most {1}.",
        keys.to - keys.from,
        MAX_CLIPBOARD_CELLS,
      ),
    );
  return indexRange(keys.from, keys.to);
}

/** @param keys visible columns, half-open */
export function attentionTexts(
  resolved: ResolvedEncoding,
  cell: MatrixCell,
  keys: { readonly from: number; readonly to: number },
): ReadoutTexts {
  return {
    cell: (slices) => cellReadout(resolved, cell, slices),
    row: async (slices) => rowCsv(resolved, cell.row, listIndices(keys), slices),
  };
}

/** @param columns visible dimensions, half-open */
export function tableTexts(
  { table, scene }: ResolvedEncoding,
  { row, column }: MatrixCell,
  columns: { readonly from: number; readonly to: number },
): ReadoutTexts {
  const position = row + scene.shift;
  const values = () => (table === null ? new Float64Array() : factorRows(table.rows, [row]));
  return {
    cell: async () =>
      formatLines([
        [l10n.t("position p"), position],
        [l10n.t("dimension"), column],
        [l10n.t("component"), table?.column(column) ?? ""],
        [l10n.t("value"), values()[column] ?? Number.NaN],
      ]),
    row: async () => {
      const all = values();
      const rows = listIndices(columns).map((n) => [position, n, table?.column(n) ?? "", all[n] ?? Number.NaN]);
      return tableToCsv(["position", "dimension", "is", "value"], rows);
    },
  };
}

/** @param copy receives the name of the text and its builder */
export function copyButtons(copies: ReadoutTexts, copy: (what: string, make: BuildText) => void): TemplateResult {
  const item = (label: string, title: string, what: string, make: BuildText) =>
    button({ label, title, onClick: () => copy(what, make) });
  return html`<div class="copy-tools" role="group" aria-label=${l10n.t("Copy from readout")}>
    ${item(l10n.t("Copy cell"), l10n.t("Copy the values of this cell"), l10n.t("cell"), copies.cell)}
    ${item(l10n.t("Copy row as CSV"), l10n.t("Copy the visible part of this row at full precision"), l10n.t("row as CSV"), copies.row)}
  </div>`;
}
