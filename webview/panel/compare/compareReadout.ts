import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { attentionWeight, type CellReading, factorRows, readCell } from "../../../src/core/terms/engine.ts";
import type { NormaliserProgress } from "../../engine/rowNormaliser.ts";
import type { MatrixCell } from "../../matrix/viewport.ts";
import type { ComparedSides } from "../../state/comparison.ts";
import type { PanelEncoding } from "../../state/panelEncoding.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { crosshairSection } from "../readout/readout.ts";
import type { ComparedMatrices } from "./comparedMatrices.ts";
import { differencesSection } from "./parameterDifferences.ts";
import "./numbers.css";

/** Three numbers side by side have room for few digits; the tooltip has the exact value. */
function formatShort(value: number): string {
  const size = Math.abs(value);
  const tiny = size > 0 && size < 1e-3;
  return tiny ? value.toExponential(2).replaceAll("-", "\u2212") : formatSignificant(value, 4);
}

/** A number, or why there is none. */
type ReadoutValue = number | string;

interface ReadoutRow {
  readonly name: string;
  readonly a: ReadoutValue;
  readonly b: ReadoutValue;
  readonly strong?: boolean;
}

function valueCell(value: ReadoutValue): TemplateResult {
  const exact = typeof value === "number" ? String(value) : "";
  return html`<td title=${exact}>${typeof value === "number" ? formatShort(value) : value}</td>`;
}

function rowDifference({ a, b }: ReadoutRow): ReadoutValue {
  if (typeof a !== "number" || typeof b !== "number") return "–";
  return a === b ? 0 : a - b;
}

function readoutTable(rows: readonly ReadoutRow[]): TemplateResult {
  return html`<table class="numbers">
    <thead>
      <tr><td></td><th scope="col">A</th><th scope="col">B</th><th scope="col">A − B</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr class=${row.strong === true ? "strong" : ""}><th scope="row">${row.name}</th>${valueCell(row.a)}${valueCell(row.b)}${valueCell(rowDifference(row))}</tr>`,
      )}
    </tbody>
  </table>`;
}

/** Scaled terms by name; a dash if only the other side has the term. */
function termRows(a: CellReading, b: CellReading): ReadoutRow[] {
  const named = (reading: CellReading) =>
    new Map(
      reading.terms.map(({ term, value, scaled }) => [localize(term.name), value === null ? l10n.t("none") : scaled]),
    );
  const [termsA, termsB] = [named(a), named(b)];
  return [...new Set([...termsA.keys(), ...termsB.keys()])].map((name) => ({
    name,
    a: termsA.get(name) ?? "–",
    b: termsB.get(name) ?? "–",
  }));
}

function rowWeight({ visible, logit }: CellReading, row: NormaliserProgress): ReadoutValue {
  if (!visible) return l10n.t("masked");
  return row.done
    ? attentionWeight(logit, row.statistics)
    : l10n.t("computing row, {0} %", Math.floor(row.fraction * 100));
}

function attentionSection(
  { a, b }: ComparedSides,
  at: MatrixCell,
  rows: { readonly a: NormaliserProgress; readonly b: NormaliserProgress },
): TemplateResult {
  const readingA = readCell(a.attention, at.row, at.column);
  const readingB = readCell(b.attention, at.row, at.column);
  return html`${crosshairSection(readingA, a)}
    <h2>${l10n.t("Logit")}</h2>
    ${readoutTable([
      ...termRows(readingA, readingB),
      { name: l10n.t("logit"), a: readingA.logit, b: readingB.logit, strong: true },
      {
        name: l10n.t("attention weight"),
        a: rowWeight(readingA, rows.a),
        b: rowWeight(readingB, rows.b),
        strong: true,
      },
    ])}`;
}

function positionTableSection(
  { a, b }: ComparedMatrices,
  { a: { table: names, scene } }: ComparedSides,
  at: MatrixCell,
): TemplateResult {
  const value = ({ source }: ComparedMatrices["a"]) =>
    source.kind === "table" ? (factorRows(source.rows, [at.row])[at.column] ?? Number.NaN) : Number.NaN;
  return html`<h2>${l10n.t("At the crosshair")}</h2>
    <dl>
      <div class="entry"><dt>${l10n.t("position p")}</dt><dd>${groupDigits(at.row + scene.shift)}</dd></div>
      <div class="entry"><dt>${l10n.t("dimension")}</dt><dd>${at.column}</dd></div>
      <div class="entry"><dt>${l10n.t("component")}</dt><dd>${names?.column(at.column) ?? ""}</dd></div>
    </dl>
    ${readoutTable([{ name: l10n.t("value"), a: value(a), b: value(b), strong: true }])}`;
}

/** The right column while two sides are compared. */
export function compareReadout(
  comparison: ComparedSides,
  encodingA: PanelEncoding,
  matrices: ComparedMatrices,
  at: MatrixCell,
  rows: { readonly a: NormaliserProgress; readonly b: NormaliserProgress } | null,
): TemplateResult {
  return html`<div class="status" role="status" aria-label=${l10n.t("Readout")}>
      ${rows === null ? positionTableSection(matrices, comparison, at) : attentionSection(comparison, at, rows)}
    </div>
    ${differencesSection(encodingA, comparison.encodingB)} ${formulasSection(encodingA, comparison.encodingB)}`;
}

function formulasSection(a: PanelEncoding, b: PanelEncoding): TemplateResult {
  const [formulaA, formulaB] = [a.encoding.formula(a.params), b.encoding.formula(b.params)];
  const box = ({ id, text }: typeof formulaA, side: string) => html`<div class="formula-box">
    ${side === "" ? "" : html`<h3>${side}</h3>`}
    <posenc-formula .formula=${id}></posenc-formula>
    <p class="plain" lang="en">${text}</p>
  </div>`;
  const same = formulaA.id === formulaB.id;
  return html`<section class="formula" aria-label=${l10n.t("Formula")}>
    <h2>${l10n.t("Formula")}</h2>
    ${box(formulaA, same ? "" : "A")} ${same ? "" : box(formulaB, "B")}
  </section>`;
}
