import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { errorMessage } from "../../src/core/util/errors.ts";
import type { Dispatch } from "../state/reducers.ts";
import { resetView } from "../state/reducers.ts";
import { button } from "../ui/toolkit.ts";

/** Instead of what could not be drawn: why, and the way back to values that can. */
export function failureMessage(error: unknown, dispatch: Dispatch): TemplateResult {
  return html`<div class="empty failure" role="alert">
    <p>${l10n.t("This view cannot be drawn with these values: {0}", errorMessage(error))}</p>
    ${button({ label: l10n.t("Reset"), onClick: () => dispatch(resetView) })}
  </div>`;
}
