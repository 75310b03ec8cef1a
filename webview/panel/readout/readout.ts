import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { attentionWeight, type CellReading, factorRows, readCell } from "../../../src/core/terms/engine.ts";
import { positionId } from "../../../src/core/terms/numbering.ts";
import { resolveScaleParts } from "../../../src/core/terms/softmaxScale.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import type { NormaliserProgress } from "../../engine/rowNormaliser.ts";
import type { MatrixCell } from "../../matrix/viewport.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { aboutSection } from "../about/about.ts";
import { expansionMath, expansionText } from "./logitExpansion.ts";
import "./readout.css";

const READOUT_DIGITS = 8;

type OptionalTemplate = TemplateResult | typeof nothing;

/** Parts that the page adds to the numbers: buttons below them, and findings. */
export interface ReadoutParts {
  readonly tools: OptionalTemplate;
  readonly findings: OptionalTemplate;
}

/** A name and a number; the tooltip has the exact number. */
function readoutEntry(name: string, value: number | string, kind = ""): TemplateResult {
  const exact = typeof value === "number" ? String(value) : "";
  const text = typeof value === "number" ? formatSignificant(value, READOUT_DIGITS) : value;
  return html`<div class=${`entry ${kind}`}><dt>${name}</dt><dd title=${exact}>${text}</dd></div>`;
}

/** Query, key and distance. */
export function crosshairSection({ i, j, delta }: CellReading, { scene }: ResolvedEncoding): TemplateResult {
  const queryAt = i + scene.shift + scene.keyLength - scene.queryLength;
  return html`<h2>${l10n.t("At the crosshair")}</h2>
    <dl>
      ${readoutEntry(l10n.t("query i"), groupDigits(queryAt))} ${readoutEntry(l10n.t("key j"), groupDigits(j + scene.shift))}
      ${readoutEntry(l10n.t("distance i − j"), groupDigits(delta))} ${idEntry(i, j, scene)}
    </dl>`;
}

/** Position ids, if they differ from the positions: "32 − 24 = 8". */
function idEntry(
  i: number,
  j: number,
  { numbering, shift, keyLength, queryLength }: ResolvedEncoding["scene"],
): OptionalTemplate {
  if (numbering === undefined) return nothing;
  const query = positionId(numbering, i + keyLength - queryLength) + shift;
  const key = positionId(numbering, j) + shift;
  return readoutEntry(
    l10n.t("position id difference"),
    `${groupDigits(query)} − ${groupDigits(key)} = ${groupDigits(query - key)}`,
  );
}

function termEntries({ terms }: CellReading): TemplateResult[] {
  return terms.map(({ term, value, scaled }) => {
    const name = localize(term.name);
    if (value === null) return readoutEntry(name, l10n.t("none"));
    return html`${readoutEntry(name, value)} ${scaledEntries(term, value, scaled)}`;
  });
}

/** The scale factor by factor, with the running product; the last one is the engine's own value. */
function scaledEntries(term: Term, value: number, scaled: number): TemplateResult[] {
  const parts = resolveScaleParts(term);
  let product = value;
  return parts.map((part, n) => {
    product = n === parts.length - 1 ? scaled : product * part.value;
    return readoutEntry(`× ${part.text}`, product, "scaled");
  });
}

function weightEntry(reading: CellReading, row: NormaliserProgress): TemplateResult {
  const name = l10n.t("attention weight");
  if (!reading.visible) return readoutEntry(name, l10n.t("masked"), "strong");
  if (row.done) {
    return readoutEntry(
      row.estimated ? l10n.t("attention weight (estimated)") : name,
      attentionWeight(reading.logit, row.statistics),
      "strong",
    );
  }
  return readoutEntry(name, l10n.t("computing row, {0} %", Math.floor(row.fraction * 100)), "strong");
}

function formulaSection({ encoding, params }: ResolvedEncoding, reading: CellReading | null): TemplateResult {
  const formula = encoding.formula(params);
  return html`<section class="formula" aria-label=${l10n.t("Formula")}>
    <h2>${l10n.t("Formula")}</h2>
    <div class="formula-box">
      <posenc-formula .formula=${formula.id}></posenc-formula>
      <p class="plain" lang="en">${formula.text}</p>
      ${reading === null ? nothing : html`<div class="substituted">${expansionMath(reading)}<p class="plain">${expansionText(reading)}</p></div>`}
    </div>
  </section>`;
}

function explanationSections(resolved: ResolvedEncoding, findings: OptionalTemplate): TemplateResult {
  return html`<posenc-measurements .drawable=${resolved}></posenc-measurements> ${findings} ${aboutSection(resolved)}`;
}

/** The right column of views over queries and keys. */
export function attentionReadout(
  resolved: ResolvedEncoding,
  cell: MatrixCell,
  row: NormaliserProgress,
  parts: ReadoutParts,
): TemplateResult {
  const reading = readCell(resolved.attention, cell.row, cell.column);
  return html`<div class="status" role="status" aria-label=${l10n.t("Readout")}>
      ${crosshairSection(reading, resolved)}
      <h2>${l10n.t("Logit")}</h2>
      <dl>${termEntries(reading)} ${readoutEntry(l10n.t("logit"), reading.logit, "strong")} ${weightEntry(reading, row)}</dl>
    </div>
    ${parts.tools} ${formulaSection(resolved, reading)} ${explanationSections(resolved, parts.findings)}`;
}

/** The right column of the Table view. */
export function tableReadout(resolved: ResolvedEncoding, cell: MatrixCell, parts: ReadoutParts): TemplateResult {
  const { table, scene } = resolved;
  if (table === null) return plainReadout(resolved, parts);
  const value = factorRows(table.rows, [cell.row])[cell.column] ?? Number.NaN;
  return html`<div class="status" role="status" aria-label=${l10n.t("Readout")}>
      <h2>${l10n.t("At the crosshair")}</h2>
      <dl>
        ${readoutEntry(l10n.t("position p"), groupDigits(cell.row + scene.shift))} ${readoutEntry(l10n.t("dimension"), String(cell.column))}
        ${readoutEntry(l10n.t("component"), table.column(cell.column))} ${readoutEntry(l10n.t("value"), value, "strong")}
      </dl>
    </div>
    ${parts.tools} ${formulaSection(resolved, null)} ${explanationSections(resolved, parts.findings)}`;
}

/** The right column of views without a crosshair. */
export function plainReadout(resolved: ResolvedEncoding, parts: Pick<ReadoutParts, "findings">): TemplateResult {
  return html`${formulaSection(resolved, null)} ${explanationSections(resolved, parts.findings)}`;
}
