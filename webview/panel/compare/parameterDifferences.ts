import * as l10n from "@vscode/l10n";
import { group as groupBy } from "d3-array";
import { html, nothing, type TemplateResult } from "lit-html";
import {
  type Difference,
  findDifferences,
  IMPACTS,
  type Impact,
} from "../../../src/core/config/compare/differences.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingSpec, ParamValue } from "../../../src/core/spec.ts";
import type { PanelEncoding } from "../../state/panelEncoding.ts";
import { fieldText, groupDigits } from "../../ui/format.ts";
import { breakableName } from "../controls/parameterControls.ts";
import { divergenceNote } from "./divergence.ts";
import "./numbers.css";

/** A side as a spec for the comparison: the controls' values, with layers and windows from its config. */
export function comparableSpec({ encoding, spec, controls }: PanelEncoding): EncodingSpec {
  const values = controls.map(({ parameter, value }) => [parameter.name, value] as const);
  const sources = controls.map(({ parameter, source }) => [parameter.name, source] as const);
  return {
    encoding: encoding.id,
    where: spec?.where ?? "text",
    layers: spec?.layers ?? "all",
    params: { ...spec?.params, ...Object.fromEntries(values) },
    sources: { ...spec?.sources, ...Object.fromEntries(sources) },
    evidence: [],
    confidence: spec?.confidence ?? "checked",
  };
}

/** Lists can have head_dim / 2 numbers. */
const MAX_VALUE_CHARACTERS = 24;

function shortValue(value: ParamValue): string {
  if (value === null) return "–";
  const text = typeof value === "number" ? groupDigits(value) : fieldText(value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS - 1)}…` : text;
}

function parameterCell(value: ParamValue): TemplateResult {
  return html`<td class=${typeof value === "string" ? "words" : ""} title=${fieldText(value)}>${shortValue(value)}</td>`;
}

function differenceRow({ param, a, b }: Difference): TemplateResult {
  return html`<tr><th scope="row" lang="en">${breakableName(param)}</th>${parameterCell(a)}${parameterCell(b)}</tr>`;
}

function impactGroup(title: string, list: readonly Difference[]): TemplateResult {
  return html`<tbody>
    <tr class="matter"><th scope="rowgroup" colspan="3">${title}</th></tr>
    ${list.map(differenceRow)}
  </tbody>`;
}

function encodingRow(a: PanelEncoding, b: PanelEncoding): TemplateResult | typeof nothing {
  if (a.encoding.id === b.encoding.id) return nothing;
  return html`<tbody>
    <tr><th scope="row">${l10n.t("encoding")}</th><td class="words">${localize(a.encoding.name)}</td><td class="words">${localize(b.encoding.name)}</td></tr>
  </tbody>`;
}

/** The differing parameters, grouped by their impact, with the divergence of the scores. */
export function differencesSection(a: PanelEncoding, b: PanelEncoding): TemplateResult {
  const [specA, specB] = [comparableSpec(a), comparableSpec(b)];
  const byImpact = groupBy(findDifferences(specA, specB), ({ impact }) => impact);
  const impacts = Object.keys(IMPACTS).filter((name): name is Impact => byImpact.has(name as Impact));
  const identical = impacts.length === 0 && a.encoding.id === b.encoding.id;
  return html`<section class="differences" aria-label=${l10n.t("Parameter differences")}>
    <h2>${l10n.t("Parameter differences")}</h2>
    ${
      identical
        ? html`<p class="aside-note">${l10n.t("No differences.")}</p>`
        : html`<table class="numbers">
            <thead><tr><th scope="col">${l10n.t("parameter")}</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
            ${encodingRow(a, b)} ${impacts.map((matter) => impactGroup(localize(IMPACTS[matter]), byImpact.get(matter) ?? []))}
          </table>`
    }
    ${identical ? nothing : divergenceNote(specA, specB)}
  </section>`;
}
