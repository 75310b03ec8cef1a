import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { expansionSteps, FOUR_TERMS, resolveExpansion } from "../../../src/core/encodings/support/expansion.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import { effectiveViewport } from "../../matrix/viewport.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { toggleTerm } from "../../state/reducers.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { themeColourMap } from "../../ui/palette.ts";
import type { Raster } from "../../ui/rasterImage.ts";
import { checkbox } from "../../ui/toolkit.ts";
import { attentionMatrix } from "../attentionMatrix.ts";
import type { View, ViewContext } from "../view.ts";
import { rowSections } from "./rowSections.ts";
import { computeTermRaster } from "./termRaster.ts";
import "./terms.css";

/** Thumbnails of all terms, cached while attention and viewport stay the same. */
const cachedRasters = memoizeLast(
  (attention: ViewContext["resolved"]["attention"], place: string): ReadonlyMap<string, Raster> => {
    const [row = 0, column = 0, rows = 1, columns = 1] = place.split(" ").map(Number);
    return new Map(
      attention.terms.map((term) => [term.id, computeTermRaster(attention, term, { row, column, rows, columns })]),
    );
  },
);

function scaleText({ scale }: Term): string {
  return scale === 1 ? "" : ` × ${formatSignificant(scale, 4)}`;
}

/** The equation of a role beside the first term that has it. */
function termEquation({ attention, encoding }: ViewContext["resolved"], term: Term): TemplateResult | typeof nothing {
  if (attention.terms.find(({ role }) => role === term.role) !== term) return nothing;
  const roles = new Set(attention.terms.map(({ role }) => role));
  const formula = resolveExpansion(encoding, roles).find(({ role }) => role === term.role)?.formula;
  if (formula === undefined) return nothing;
  return html`<posenc-formula class="term-equation" .formula=${formula.id}></posenc-formula>`;
}

/** Where all terms come from, and the steps from there to this encoding. */
function equationSection({ encoding }: ViewContext["resolved"]): TemplateResult {
  return html`<section class="equations" aria-label=${l10n.t("Equation of the four terms")}>
    <posenc-formula class="term-equation" .formula=${FOUR_TERMS.id}></posenc-formula>
    <p class="chart-note">${localize(expansionSteps(encoding))}</p>
  </section>`;
}

function termThumbnail(context: ViewContext, term: Term, raster: Raster): TemplateResult {
  const { page, panelEncoding, resolved, dispatch } = context;
  const shown = !page.panel.hiddenTerms.includes(term.id);
  const name = `${localize(term.name)}${scaleText(term)}`;
  const { queryLength, keyLength } = resolved.scene;
  const label = `${localize(fullTitle(panelEncoding.encoding))}, ${name}, ${groupDigits(queryLength)} × ${groupDigits(keyLength)}`;
  const [low, high] = raster.domain;
  return html`<div class=${`multiple ${shown ? "" : "off"}`} role="figure" aria-label=${label}>
    <posenc-raster .raster=${raster} .map=${themeColourMap(page.theme)}></posenc-raster>
    ${checkbox({ label: name, checked: shown, onChange: () => dispatch(toggleTerm(term.id)) })}
    ${termEquation(resolved, term)}
    <p class="range">${formatSignificant(low, 4)} … ${formatSignificant(high, 4)}</p>
  </div>`;
}

function renderBody(context: ViewContext): TemplateResult {
  const { attention, scene } = context.resolved;
  const viewport = effectiveViewport(context.page.panel.viewport, {
    rows: scene.queryLength,
    columns: scene.keyLength,
  });
  const { row, column, rows, columns } = viewport;
  const rasters = cachedRasters(attention, [row, column, rows, columns].join(" "));
  return html`${equationSection(context.resolved)}
    <section class="multiples" aria-label=${l10n.t("Terms of the logit")}>
    ${attention.terms.map((term, n) => {
      const raster = rasters.get(term.id);
      if (raster === undefined) return "";
      return html`<div class="summand"><span class="plus" aria-hidden="true">${n === 0 ? "=" : "+"}</span>${termThumbnail(context, term, raster)}</div>`;
    })}
    </section>
    ${rowSections(context)}`;
}

/** Shows each scaled term with a switch; the matrix is the sum of the enabled terms. */
export const termsView: View = {
  id: "terms",
  title: () => l10n.t("Terms"),
  whyUnavailable: () => null,
  resolveMatrix: (resolved, hidden) =>
    attentionMatrix(resolved, l10n.t("sum of the selected terms"), { of: "logits", hidden }),
  renderBody,
};
