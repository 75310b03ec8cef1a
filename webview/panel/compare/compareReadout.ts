import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { type CellReading, factorRows, readCell, weightOf } from "../../../src/core/terms/engine.ts";
import type { Comparison } from "../../state/comparison.ts";
import { grouped, significant } from "../../state/format.ts";
import type { RowProgress } from "../../state/normaliser.ts";
import type { Model } from "../../state/panelEncoding.ts";
import type { Cell } from "../../state/viewport.ts";
import { place } from "../readout/readout.ts";
import type { ComparedSubjects } from "./comparedSubjects.ts";
import { differencesPart } from "./parameterDifferences.ts";

/** Three numbers side by side have room for few digits; the exact ones come with the pointer. */
function short(value: number): string {
  const size = Math.abs(value);
  const tiny = size > 0 && size < 1e-3;
  return tiny ? value.toExponential(2).replaceAll("-", "\u2212") : significant(value, 4);
}

/** Of one quantity: a number, or why there is none. */
type Value = number | string;

interface Row {
  readonly name: string;
  readonly a: Value;
  readonly b: Value;
  readonly strong?: boolean;
}

function cell(value: Value): TemplateResult {
  const exact = typeof value === "number" ? String(value) : "";
  return html`<td title=${exact}>${typeof value === "number" ? short(value) : value}</td>`;
}

function difference({ a, b }: Row): Value {
  if (typeof a !== "number" || typeof b !== "number") return "–";
  return a === b ? 0 : a - b;
}

function table(rows: readonly Row[]): TemplateResult {
  return html`<table class="numbers">
    <thead>
      <tr><td></td><th scope="col">A</th><th scope="col">B</th><th scope="col">A − B</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr class=${row.strong === true ? "strong" : ""}><th scope="row">${row.name}</th>${cell(row.a)}${cell(row.b)}${cell(difference(row))}</tr>`,
      )}
    </tbody>
  </table>`;
}

/** Scaled terms by their names; what only one side has stands beside a dash. */
function termRows(a: CellReading, b: CellReading): Row[] {
  const named = (reading: CellReading) =>
    new Map(reading.terms.map(({ term, value, scaled }) => [localize(term.name), value === null ? t("none") : scaled]));
  const [own, other] = [named(a), named(b)];
  return [...new Set([...own.keys(), ...other.keys()])].map((name) => ({
    name,
    a: own.get(name) ?? "–",
    b: other.get(name) ?? "–",
  }));
}

function weight({ visible, logit }: CellReading, row: RowProgress): Value {
  if (!visible) return t("masked");
  return row.done ? weightOf(logit, row.statistics) : t("computing row, {0} %", Math.floor(row.fraction * 100));
}

function attentionPart(
  { a, b }: Comparison,
  at: Cell,
  rows: { readonly a: RowProgress; readonly b: RowProgress },
): TemplateResult {
  const own = readCell(a.attention, at.row, at.column);
  const other = readCell(b.attention, at.row, at.column);
  return html`${place(own, a)}
    <h2>${t("Logit")}</h2>
    ${table([
      ...termRows(own, other),
      { name: t("logit"), a: own.logit, b: other.logit, strong: true },
      { name: t("attention weight"), a: weight(own, rows.a), b: weight(other, rows.b), strong: true },
    ])}`;
}

function tablePart({ a, b }: ComparedSubjects, { a: { table: names, scene } }: Comparison, at: Cell): TemplateResult {
  const value = ({ source }: ComparedSubjects["a"]) =>
    source.kind === "table" ? (factorRows(source.rows, [at.row])[at.column] ?? Number.NaN) : Number.NaN;
  return html`<h2>${t("At the crosshair")}</h2>
    <dl>
      <div class="entry"><dt>${t("position p")}</dt><dd>${grouped(at.row + scene.shift)}</dd></div>
      <div class="entry"><dt>${t("dimension")}</dt><dd>${at.column}</dd></div>
      <div class="entry"><dt>${t("component")}</dt><dd>${names?.column(at.column) ?? ""}</dd></div>
    </dl>
    ${table([{ name: t("value"), a: value(a), b: value(b), strong: true }])}`;
}

/** The right column while two sides are compared. */
export function compareReadout(
  comparison: Comparison,
  own: Model,
  subjects: ComparedSubjects,
  at: Cell,
  rows: { readonly a: RowProgress; readonly b: RowProgress } | null,
): TemplateResult {
  return html`<div class="status" role="status" aria-label=${t("Readout")}>
      ${rows === null ? tablePart(subjects, comparison, at) : attentionPart(comparison, at, rows)}
    </div>
    ${differencesPart(own, comparison.model)} ${formulas(own, comparison.model)}`;
}

function formulas(a: Model, b: Model): TemplateResult {
  const [own, other] = [a.encoding.formula(a.params), b.encoding.formula(b.params)];
  const box = ({ id, text }: typeof own, side: string) => html`<div class="formula-box">
    ${side === "" ? "" : html`<h3>${side}</h3>`}
    <posenc-formula .formula=${id}></posenc-formula>
    <p class="plain" lang="en">${text}</p>
  </div>`;
  const same = own.id === other.id;
  return html`<section class="formula" aria-label=${t("Formula")}>
    <h2>${t("Formula")}</h2>
    ${box(own, same ? "" : "A")} ${same ? "" : box(other, "B")}
  </section>`;
}
