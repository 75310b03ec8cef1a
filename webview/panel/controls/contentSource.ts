import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { hasLearnedArrays } from "../../../src/core/checkpoint/learnedArrays.ts";
import { activeWeights, findWeights } from "../../state/checkpointData.ts";
import { PICK_CONTENT_EVENT, PICK_WEIGHTS_EVENT } from "../../state/checkpointLoader.ts";
import type { Page } from "../../state/page.ts";
import type { Dispatch } from "../../state/reducers.ts";
import { button } from "../../ui/toolkit.ts";

function requestWeights(event: Event): void {
  event.currentTarget?.dispatchEvent(new Event(PICK_WEIGHTS_EVENT, { bubbles: true }));
}

/** A separate button, because the dropdown can list a checkpoint only after one was chosen. */
export function requestContent(): void {
  document.getElementById("posenc")?.dispatchEvent(new Event(PICK_CONTENT_EVENT));
}

/** Where learned values come from: built-in examples, or a checkpoint of the workspace. */
export function learnedValuesGroup({ panel, checkpoint }: Page, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (!hasLearnedArrays(panel.encoding)) return nothing;
  const weights = activeWeights(panel);
  const drop = () => dispatch((state) => ({ ...state, weights: null }));
  return html`<div class="learned" role="group" aria-label=${l10n.t("Learned values")}>
    <p class="learned-name">${l10n.t("learned values")}</p>
    ${
      weights === null
        ? html`<p class="learned-of">${l10n.t("example values")}</p>`
        : html`<p class="learned-of" title=${weights.tensor}>${findWeights(checkpoint, panel)?.title ?? l10n.t("reading…")}
            ${button({ label: l10n.t("Reset to example values"), glyph: "↺", look: "icon", onClick: drop })}</p>`
    }
    <button type="button" class="menu-button" @click=${requestWeights}>${l10n.t("Load from checkpoint…")}</button>
  </div>`;
}
