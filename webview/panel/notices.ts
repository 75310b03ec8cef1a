import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../src/core/l10n/l10n.ts";
import { grouped } from "../state/format.ts";
import type { Page } from "../state/page.ts";
import type { Model } from "../state/panelEncoding.ts";
import { button } from "../ui/toolkit.ts";

interface Notice {
  readonly kind: "warning" | "error" | "info";
  readonly text: string;
}

function drawingNotice({ drawing }: Page): Notice | null {
  if (drawing.error !== null) return { kind: "error", text: t("Drawing failed: {0}", drawing.error) };
  if (drawing.mode === null || drawing.mode.by === "webgl") return null;
  switch (drawing.mode.reason) {
    case "context-lost":
      return { kind: "warning", text: t("The WebGL context was lost; rendering on the CPU until it is restored.") };
    case "no-webgl2":
      return { kind: "info", text: t("WebGL is not available; rendering on the CPU (slower, same result).") };
    case "busy":
      return { kind: "info", text: t("The GPU is in use by another plot; rendering on the CPU.") };
    case "asked":
      return null;
  }
}

function endNotice(model: Model): Notice | null {
  const ends = model.drawable?.ends ?? null;
  if (ends === null) return null;
  const last = grouped(ends.size - 1);
  const text = ends.costly ? t("Drawn up to position {0}.", last) : t("Ends at position {0}.", last);
  return { kind: "info", text: `${text} ${localize(ends.reason)}` };
}

/** Messages for the user, most urgent first. */
export function noticesOf(page: Page, model: Model): readonly Notice[] {
  const config: Notice | null =
    page.configProblem === null
      ? null
      : {
          kind: "warning",
          text: t("The config cannot be read; showing its last readable version. {0}", page.configProblem),
        };
  const failure: Notice | null = model.failure === null ? null : { kind: "error", text: model.failure };
  const message: Notice | null = page.message === null ? null : { kind: "error", text: page.message };
  return [message, failure, config, drawingNotice(page), endNotice(model)].filter((notice) => notice !== null);
}

function working({ task }: Page): TemplateResult | typeof nothing {
  if (task === undefined || task === null) return nothing;
  const { label, fraction, cancel } = task;
  return html`<p class="notice info task">
    <span>${label}: ${Math.floor(fraction * 100)} %</span> ${button({ label: t("Cancel"), onClick: cancel })}
  </p>`;
}

export function notices(page: Page, model: Model): TemplateResult {
  const list = noticesOf(page, model);
  return html`<div class="notices">
    ${list.map(({ kind, text }) => html`<p class=${`notice ${kind}`} role="alert">${text}</p>`)} ${working(page)}
    <div role="status" aria-label=${t("Done")}>${page.done ? html`<p class="notice info">${page.done}</p>` : nothing}</div>
  </div>`;
}
