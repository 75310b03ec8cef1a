import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import { grouped, significant } from "../../state/format.ts";
import { toggleTerm } from "../../state/reducers.ts";
import { memo } from "../../state/store.ts";
import { viewportOf } from "../../state/viewport.ts";
import { mapFor } from "../../ui/figure/palette.ts";
import type { Raster } from "../../ui/raster.ts";
import { checkbox } from "../../ui/toolkit.ts";
import { attentionSubject } from "../attentionSubject.ts";
import type { View, ViewContext } from "../view.ts";
import { termRaster } from "./model.ts";
import { rowParts } from "./rowParts.ts";

/** A raster for each term of the attention, kept while neither it nor the place changes. */
const rastersOf = memo(
  (attention: ViewContext["drawable"]["attention"], place: string): ReadonlyMap<string, Raster> => {
    const [row = 0, column = 0, rows = 1, columns = 1] = place.split(" ").map(Number);
    return new Map(
      attention.terms.map((term) => [term.id, termRaster(attention, term, { row, column, rows, columns })]),
    );
  },
);

function scaleText({ scale }: Term): string {
  return scale === 1 ? "" : ` × ${significant(scale, 4)}`;
}

function multiple(context: ViewContext, term: Term, raster: Raster): TemplateResult {
  const { page, model, drawable, dispatch } = context;
  const shown = !page.panel.hiddenTerms.includes(term.id);
  const name = `${localize(term.name)}${scaleText(term)}`;
  const { queryLength, keyLength } = drawable.scene;
  const label = `${localize(model.encoding.title)}, ${name}, ${grouped(queryLength)} × ${grouped(keyLength)}`;
  const [low, high] = raster.domain;
  return html`<div class=${`multiple ${shown ? "" : "off"}`} role="figure" aria-label=${label}>
    <posenc-raster .raster=${raster} .map=${mapFor(page.theme)}></posenc-raster>
    ${checkbox({ label: name, checked: shown, onChange: () => dispatch(toggleTerm(term.id)) })}
    <p class="range">${significant(low, 4)} … ${significant(high, 4)}</p>
  </div>`;
}

function body(context: ViewContext): TemplateResult {
  const { attention, scene } = context.drawable;
  const viewport = viewportOf(context.page.panel.viewport, { rows: scene.queryLength, columns: scene.keyLength });
  const { row, column, rows, columns } = viewport;
  const rasters = rastersOf(attention, [row, column, rows, columns].join(" "));
  return html`<section class="multiples" aria-label=${t("Terms of the logit")}>
    ${attention.terms.map((term, n) => {
      const raster = rasters.get(term.id);
      if (raster === undefined) return "";
      return html`<div class="summand"><span class="plus" aria-hidden="true">${n === 0 ? "=" : "+"}</span>${multiple(context, term, raster)}</div>`;
    })}
    </section>
    ${rowParts(context)}`;
}

/** Each scaled term beside the others, with a switch; the large matrix is the sum of those that are on. */
export const termsView: View = {
  id: "terms",
  title: () => t("Terms"),
  unavailable: () => null,
  subject: (drawable, panel) =>
    attentionSubject(drawable, t("sum of the selected terms"), { of: "logits", hidden: panel.hiddenTerms }),
  body,
};
