import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { type CellReading, factorRows, readCell, weightOf } from "../../../src/core/terms/engine.ts";
import { positionId } from "../../../src/core/terms/numbering.ts";
import { scaleParts } from "../../../src/core/terms/softmaxScale.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import { grouped, significant } from "../../state/format.ts";
import type { RowProgress } from "../../state/normaliser.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Cell } from "../../state/viewport.ts";
import { about } from "../about/about.ts";
import { sumMath, sumText } from "./logitExpansion.ts";

const DIGITS = 8;

type Part = TemplateResult | typeof nothing;

/** What the page adds to the numbers: buttons under them, and what the rules say. */
export interface AsideParts {
  readonly tools: Part;
  readonly findings: Part;
}

/** A name and a number; the exact number comes with the pointer. */
function entry(name: string, value: number | string, kind = ""): TemplateResult {
  const exact = typeof value === "number" ? String(value) : "";
  const text = typeof value === "number" ? significant(value, DIGITS) : value;
  return html`<div class=${`entry ${kind}`}><dt>${name}</dt><dd title=${exact}>${text}</dd></div>`;
}

/** Query, key and distance. */
export function place({ i, j, delta }: CellReading, { scene }: Drawable): TemplateResult {
  const queryAt = i + scene.shift + scene.keyLength - scene.queryLength;
  return html`<h2>${t("At the crosshair")}</h2>
    <dl>
      ${entry(t("query i"), grouped(queryAt))} ${entry(t("key j"), grouped(j + scene.shift))}
      ${entry(t("distance i − j"), grouped(delta))} ${idEntry(i, j, scene)}
    </dl>`;
}

/** Position ids, where they are not the positions above: "32 − 24 = 8". */
function idEntry(i: number, j: number, { numbering, shift, keyLength, queryLength }: Drawable["scene"]): Part {
  if (numbering === undefined) return nothing;
  const query = positionId(numbering, i + keyLength - queryLength) + shift;
  const key = positionId(numbering, j) + shift;
  return entry(t("position id difference"), `${grouped(query)} − ${grouped(key)} = ${grouped(query - key)}`);
}

function termEntries({ terms }: CellReading): TemplateResult[] {
  return terms.map(({ term, value, scaled }) => {
    const name = localize(term.name);
    if (value === null) return entry(name, t("none"));
    return html`${entry(name, value)} ${scaledEntries(term, value, scaled)}`;
  });
}

/** Factor by factor with what has come of it; the last product is the engine's own. */
function scaledEntries(term: Term, value: number, scaled: number): TemplateResult[] {
  const parts = scaleParts(term);
  let product = value;
  return parts.map((part, n) => {
    product = n === parts.length - 1 ? scaled : product * part.value;
    return entry(`× ${part.text}`, product, "scaled");
  });
}

function weightEntry(reading: CellReading, row: RowProgress): TemplateResult {
  const name = t("attention weight");
  if (!reading.visible) return entry(name, t("masked"), "strong");
  if (row.done) {
    return entry(
      row.estimated ? t("attention weight (estimated)") : name,
      weightOf(reading.logit, row.statistics),
      "strong",
    );
  }
  return entry(name, t("computing row, {0} %", Math.floor(row.fraction * 100)), "strong");
}

function formulaPart({ encoding, params }: Drawable, reading: CellReading | null): TemplateResult {
  const formula = encoding.formula(params);
  return html`<section class="formula" aria-label=${t("Formula")}>
    <h2>${t("Formula")}</h2>
    <div class="formula-box">
      <posenc-formula .formula=${formula.id}></posenc-formula>
      <p class="plain" lang="en">${formula.text}</p>
      ${reading === null ? nothing : html`<div class="substituted">${sumMath(reading)}<p class="plain">${sumText(reading)}</p></div>`}
    </div>
  </section>`;
}

function explanationPart(drawable: Drawable, findings: Part): TemplateResult {
  return html`<posenc-measurements .drawable=${drawable}></posenc-measurements> ${findings} ${about(drawable)}`;
}

/** The right column of views over queries and keys. */
export function attentionReadout(drawable: Drawable, cell: Cell, row: RowProgress, parts: AsideParts): TemplateResult {
  const reading = readCell(drawable.attention, cell.row, cell.column);
  return html`<div class="status" role="status" aria-label=${t("Readout")}>
      ${place(reading, drawable)}
      <h2>${t("Logit")}</h2>
      <dl>${termEntries(reading)} ${entry(t("logit"), reading.logit, "strong")} ${weightEntry(reading, row)}</dl>
    </div>
    ${parts.tools} ${formulaPart(drawable, reading)} ${explanationPart(drawable, parts.findings)}`;
}

/** The right column of the Table view. */
export function tableReadout(drawable: Drawable, cell: Cell, parts: AsideParts): TemplateResult {
  const { table, scene } = drawable;
  if (table === null) return plainAside(drawable, parts);
  const value = factorRows(table.rows, [cell.row])[cell.column] ?? Number.NaN;
  return html`<div class="status" role="status" aria-label=${t("Readout")}>
      <h2>${t("At the crosshair")}</h2>
      <dl>
        ${entry(t("position p"), grouped(cell.row + scene.shift))} ${entry(t("dimension"), String(cell.column))}
        ${entry(t("component"), table.column(cell.column))} ${entry(t("value"), value, "strong")}
      </dl>
    </div>
    ${parts.tools} ${formulaPart(drawable, null)} ${explanationPart(drawable, parts.findings)}`;
}

/** The right column where there is nothing to read out. */
export function plainAside(drawable: Drawable, parts: Pick<AsideParts, "findings">): TemplateResult {
  return html`${formulaPart(drawable, null)} ${explanationPart(drawable, parts.findings)}`;
}
