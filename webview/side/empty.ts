import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { button } from "./parts.ts";
import type { Send } from "./sidePage.ts";

/** Before anything was shown: what to do. */
export function empty(send: Send): TemplateResult {
  return html`<div class="empty">
    <p>${t("Open a model config, or Python code that defines position encodings, to see the details here.")}</p>
    <p class="buttons">
      ${button({ label: t("Choose a config…"), look: "primary", onClick: () => send({ type: "run", command: "previewConfig" }) })}
      ${button({ label: t("Choose an encoding…"), onClick: () => send({ type: "run", command: "previewEncoding" }) })}
    </p>
  </div>`;
}
