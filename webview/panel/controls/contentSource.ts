import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { hasLearnedArrays } from "../../../src/core/checkpoint/learnedArrays.ts";
import type { Page } from "../../state/page.ts";
import { hasWeights, wantedWeights } from "../../state/weights.ts";
import { PICK_CONTENT, PICK_WEIGHTS } from "../../state/weightsLoader.ts";
import { button } from "../../ui/toolkit.ts";
import type { Dispatch } from "../dispatch.ts";

function ask(event: Event): void {
  event.currentTarget?.dispatchEvent(new Event(PICK_WEIGHTS, { bubbles: true }));
}

/** The dropdown of contents has no checkpoint of its own: one must be chosen first. */
export function askForContent(): void {
  document.getElementById("posenc")?.dispatchEvent(new Event(PICK_CONTENT));
}

/** Where the numbers of a learned table come from: examples of ours, or a checkpoint of the workspace. */
export function weightsLine({ panel, weightsOf }: Page, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (!hasLearnedArrays(panel.encoding)) return nothing;
  const weights = wantedWeights(panel);
  const drop = () => dispatch((state) => ({ ...state, weights: null }));
  return html`<div class="learned" role="group" aria-label=${t("Learned values")}>
    <p class="learned-name">${t("learned values")}</p>
    ${
      weights === null
        ? html`<p class="learned-of">${t("example values")}</p>`
        : html`<p class="learned-of" title=${weights.tensor}>${hasWeights(weights) ? (weightsOf ?? weights.tensor) : t("reading…")}
            ${button({ label: t("Reset to example values"), glyph: "↺", look: "icon", onClick: drop })}</p>`
    }
    <button type="button" class="menu-button" @click=${ask}>${t("Load from checkpoint…")}</button>
  </div>`;
}
