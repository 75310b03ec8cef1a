import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Page } from "../state/page.ts";
import { formatTitle, type PanelEncoding } from "../state/panelEncoding.ts";
import { type MenuItem, menuButton } from "../ui/menu.ts";
import "./header.css";

export interface HeaderActions {
  readonly onOpenConfig: () => void;
  readonly copyGroups: () => readonly (readonly MenuItem[])[];
  readonly exportGroups: () => readonly (readonly MenuItem[])[];
  /** Buttons before Copy and Export. */
  readonly buttons: readonly (TemplateResult | typeof nothing)[];
}

function breadcrumb({ config, configProblem }: Page, onOpenConfig: () => void): TemplateResult | typeof nothing {
  if (config === null) return nothing;
  const live = configProblem === null;
  return html`<button class="crumb" type="button" title=${l10n.t("Open {0}", config.title)} @click=${onOpenConfig}>${config.title}</button>
    <span class=${`live ${live ? "" : "stale"}`}>${live ? l10n.t("live") : l10n.t("unreadable")}</span>`;
}

/** Title, link to the config, and the panel's actions. */
export function panelHeader(page: Page, panelEncoding: PanelEncoding, actions: HeaderActions): TemplateResult {
  const copy = {
    label: l10n.t("Copy"),
    title: l10n.t("Copy the image, formula, code or values"),
    groups: actions.copyGroups,
  };
  const save = {
    label: l10n.t("Export"),
    title: l10n.t("Save the image or its values to a file"),
    groups: actions.exportGroups,
  };
  return html`<header>
    <h1>${formatTitle(panelEncoding)}</h1>
    ${page.panel.config === null ? nothing : breadcrumb(page, actions.onOpenConfig)}
    <span class="actions">${actions.buttons} ${menuButton(copy)} ${menuButton(save)}</span>
  </header>`;
}
