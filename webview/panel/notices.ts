import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { Page } from "../state/page.ts";
import type { PanelEncoding } from "../state/panelEncoding.ts";
import { groupDigits } from "../ui/format.ts";
import { button } from "../ui/toolkit.ts";
import "./notices.css";

interface Notice {
  readonly kind: "warning" | "error" | "info";
  readonly text: string;
}

function drawingNotice({ drawing }: Page): Notice | null {
  if (drawing.error !== null) return { kind: "error", text: l10n.t("Drawing failed: {0}", drawing.error) };
  if (drawing.mode === null || drawing.mode.by === "webgl") return null;
  switch (drawing.mode.reason) {
    case "context-lost":
      return {
        kind: "warning",
        text: l10n.t("The WebGL context was lost; rendering on the CPU until it is restored."),
      };
    case "no-webgl2":
      return { kind: "info", text: l10n.t("WebGL is not available; rendering on the CPU (slower, same result).") };
    case "busy":
      return { kind: "info", text: l10n.t("The GPU is in use by another plot; rendering on the CPU.") };
    case "asked":
      return null;
  }
}

function limitNotice(panelEncoding: PanelEncoding): Notice | null {
  const limit = panelEncoding.resolved?.limit ?? null;
  if (limit === null) return null;
  const last = groupDigits(limit.size - 1);
  const text = limit.costly ? l10n.t("Drawn up to position {0}.", last) : l10n.t("Ends at position {0}.", last);
  return { kind: "info", text: `${text} ${localize(limit.reason)}` };
}

/** Messages for the user, most urgent first. */
export function buildNotices(page: Page, panelEncoding: PanelEncoding): readonly Notice[] {
  const config: Notice | null =
    page.configProblem === null
      ? null
      : {
          kind: "warning",
          text: l10n.t("The config cannot be read; showing its last readable version. {0}", page.configProblem),
        };
  const failure: Notice | null = panelEncoding.failure === null ? null : { kind: "error", text: panelEncoding.failure };
  const message: Notice | null = page.errorMessage === null ? null : { kind: "error", text: page.errorMessage };
  return [message, failure, config, drawingNotice(page), limitNotice(panelEncoding)].filter(
    (notice) => notice !== null,
  );
}

function taskNotice({ task }: Page): TemplateResult | typeof nothing {
  if (task === undefined || task === null) return nothing;
  const { label, fraction, cancel } = task;
  return html`<p class="notice info task">
    <span>${label}: ${Math.floor(fraction * 100)} %</span> ${button({ label: l10n.t("Cancel"), onClick: cancel })}
  </p>`;
}

export function notices(page: Page, panelEncoding: PanelEncoding): TemplateResult {
  const list = buildNotices(page, panelEncoding);
  return html`<div class="notices">
    ${list.map(({ kind, text }) => html`<p class=${`notice ${kind}`} role="alert">${text}</p>`)} ${taskNotice(page)}
    <div role="status" aria-label=${l10n.t("Done")}>${page.doneMessage ? html`<p class="notice info">${page.doneMessage}</p>` : nothing}</div>
  </div>`;
}
