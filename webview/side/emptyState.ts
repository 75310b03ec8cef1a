import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { Send } from "./section.ts";
import { nativeButton } from "./widgets.ts";

/** The page before anything was opened: what to do. */
export function emptyState(send: Send): TemplateResult {
  return html`<div class="empty">
    <p>${l10n.t("Open a model config, or Python code that defines position encodings, to see the details here.")}</p>
    <p class="buttons">
      ${nativeButton({ label: l10n.t("Choose a config…"), look: "primary", onClick: () => send({ type: "run", command: "previewConfig" }) })}
      ${nativeButton({ label: l10n.t("Choose an encoding…"), onClick: () => send({ type: "run", command: "previewEncoding" }) })}
    </p>
  </div>`;
}
