import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { type Model, titleOf } from "../state/model.ts";
import type { Page } from "../state/page.ts";
import { button } from "./toolkit.ts";

export interface HeaderActions {
  readonly onOpenConfig: () => void;
  readonly onPng: () => void;
  readonly onCsv: () => void;
}

function breadcrumb({ config, configProblem }: Page, onOpenConfig: () => void): TemplateResult | typeof nothing {
  if (config === null) return nothing;
  const live = configProblem === null;
  return html`<button class="crumb" type="button" title=${t("Open {0}", config.title)} @click=${onOpenConfig}>${config.title}</button>
    <span class=${`live ${live ? "" : "stale"}`}>${live ? t("live") : t("not readable")}</span>`;
}

/** Title, the config behind it, and what can be done with the picture. */
export function header(page: Page, model: Model, exportable: boolean, actions: HeaderActions): TemplateResult {
  const disabled = !exportable;
  return html`<header>
    <h1>${titleOf(model)}</h1>
    ${page.panel.config === null ? nothing : breadcrumb(page, actions.onOpenConfig)}
    <span class="actions">
      ${button({ label: t("Export PNG"), title: t("Save the picture with its axes, twice as large"), disabled, onClick: actions.onPng })}
      ${button({ label: t("Export CSV"), title: t("Save the visible cells as float64 numbers"), disabled, onClick: actions.onCsv })}
    </span>
  </header>`;
}
