import { t } from "@vscode/l10n";
import { group as groupBy } from "d3-array";
import { html, nothing, type TemplateResult } from "lit-html";
import { type Difference, differences, MATTERS, type Matter } from "../../../src/core/config/compare/differences.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingSpec, ParamValue } from "../../../src/core/spec.ts";
import { fieldText, grouped } from "../../state/format.ts";
import type { Model } from "../../state/panelEncoding.ts";
import { breakable } from "../controls/parameterControls.ts";
import { partingPart } from "./divergence.ts";

/** A side as core compares it: the values of its controls, over what its config says of layers and windows. */
export function comparableSpec({ encoding, spec, controls }: Model): EncodingSpec {
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

/** Lists can be as long as half a head. */
const LONGEST = 24;

function valueText(value: ParamValue): string {
  if (value === null) return "–";
  const text = typeof value === "number" ? grouped(value) : fieldText(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function cell(value: ParamValue): TemplateResult {
  return html`<td class=${typeof value === "string" ? "words" : ""} title=${fieldText(value)}>${valueText(value)}</td>`;
}

function row({ param, a, b }: Difference): TemplateResult {
  return html`<tr><th scope="row" lang="en">${breakable(param)}</th>${cell(a)}${cell(b)}</tr>`;
}

function group(matter: string, list: readonly Difference[]): TemplateResult {
  return html`<tbody>
    <tr class="matter"><th scope="rowgroup" colspan="3">${matter}</th></tr>
    ${list.map(row)}
  </tbody>`;
}

/** "RoPE — rotary position embedding" before its dash. */
function shortTitle({ encoding }: Model): string {
  return localize(encoding.title).split(/\s*—+\s*/)[0] ?? encoding.id;
}

function encodings(a: Model, b: Model): TemplateResult | typeof nothing {
  if (a.encoding.id === b.encoding.id) return nothing;
  return html`<tbody>
    <tr><th scope="row">${t("encoding")}</th><td class="words">${shortTitle(a)}</td><td class="words">${shortTitle(b)}</td></tr>
  </tbody>`;
}

/** What makes the two sides differ, by what it changes, and where their scores part. */
export function differencesPart(a: Model, b: Model): TemplateResult {
  const [own, other] = [comparableSpec(a), comparableSpec(b)];
  const byMatter = groupBy(differences(own, other), ({ matter }) => matter);
  const matters = Object.keys(MATTERS).filter((name): name is Matter => byMatter.has(name as Matter));
  const none = matters.length === 0 && a.encoding.id === b.encoding.id;
  return html`<section class="differences" aria-label=${t("Parameter differences")}>
    <h2>${t("Parameter differences")}</h2>
    ${
      none
        ? html`<p class="aside-note">${t("No differences.")}</p>`
        : html`<table class="numbers">
            <thead><tr><th scope="col">${t("parameter")}</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
            ${encodings(a, b)} ${matters.map((matter) => group(localize(MATTERS[matter]), byMatter.get(matter) ?? []))}
          </table>`
    }
    ${none ? nothing : partingPart(own, other)}
  </section>`;
}
