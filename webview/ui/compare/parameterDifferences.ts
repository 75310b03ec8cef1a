import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../../../src/core/l10n.ts";
import type { ParamValue } from "../../../src/core/spec.ts";
import { fieldText, grouped } from "../../state/format.ts";
import type { Model } from "../../state/model.ts";
import { breakable } from "../parameterControls.ts";

export interface ParameterDifference {
  readonly name: string;
  /** undefined: this side has no such parameter. */
  readonly a: ParamValue | undefined;
  readonly b: ParamValue | undefined;
}

function valuesOf({ controls }: Model): ReadonlyMap<string, ParamValue> {
  return new Map(controls.map(({ parameter, value }) => [parameter.name, value]));
}

function isUnset(value: ParamValue | undefined): boolean {
  return value === undefined || value === null;
}

/** Parameters that differ, side A's first, in the order of their controls; those that neither side sets are left out. */
export function parameterDifferences(a: Model, b: Model): readonly ParameterDifference[] {
  const [own, other] = [valuesOf(a), valuesOf(b)];
  const names = [...new Set([...own.keys(), ...other.keys()])];
  return names
    .map((name) => ({ name, a: own.get(name), b: other.get(name) }))
    .filter((row) => !(isUnset(row.a) && isUnset(row.b)))
    .filter((row) => JSON.stringify(row.a ?? null) !== JSON.stringify(row.b ?? null));
}

/** Lists can be as long as half a head. */
const LONGEST = 24;

function valueText(value: ParamValue | undefined): string {
  if (value === undefined) return "–";
  if (value === null) return t("not set");
  const text = typeof value === "number" ? grouped(value) : fieldText(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function cell(value: ParamValue | undefined): TemplateResult {
  const kind = typeof value === "string" ? "words" : "";
  return html`<td class=${kind} title=${fieldText(value)}>${valueText(value)}</td>`;
}

/** "RoPE — rotary position embedding" before its dash. */
function shortTitle({ encoding }: Model): string {
  return say(encoding.title).split(/\s*—+\s*/)[0] ?? encoding.id;
}

/** What makes the two sides differ. */
export function differencesPart(a: Model, b: Model): TemplateResult {
  const rows = parameterDifferences(a, b);
  const encodings = a.encoding.id !== b.encoding.id;
  return html`<section class="differences" aria-label=${t("Differing parameters")}>
    <h2>${t("Differing parameters")}</h2>
    ${
      rows.length === 0 && !encodings
        ? html`<p class="aside-note">${t("None: both sides have the same values.")}</p>`
        : html`<table class="numbers">
            <thead><tr><th scope="col">${t("parameter")}</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
            <tbody>
              ${encodings ? html`<tr><th scope="row">${t("encoding")}</th><td class="words">${shortTitle(a)}</td><td class="words">${shortTitle(b)}</td></tr>` : nothing}
              ${rows.map((row) => html`<tr><th scope="row" lang="en">${breakable(row.name)}</th>${cell(row.a)}${cell(row.b)}</tr>`)}
            </tbody>
          </table>`
    }
  </section>`;
}
