import * as l10n from "@vscode/l10n";
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { html, nothing, type TemplateResult } from "lit-html";
import { ifDefined } from "lit-html/directives/if-defined.js";
import { defineTextInput } from "./textInput.ts";
import "./toolkit.css";

/** Templates for the toolkit's elements; only this file depends on their names and quirks. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeTextField(),
  );
  defineTextInput();
}

export interface ButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly look?: "primary" | "secondary" | "icon";
  /** Shown instead of the label, which stays the accessible name. */
  readonly glyph?: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

export function button({
  label,
  onClick,
  look = "secondary",
  glyph,
  title,
  disabled = false,
}: ButtonProps): TemplateResult {
  return html`<vscode-button
    appearance=${look}
    aria-label=${label}
    title=${ifDefined(title ?? (glyph === undefined ? undefined : label))}
    ?disabled=${disabled}
    @click=${onClick}
    >${glyph ?? label}</vscode-button
  >`;
}

export interface DropdownChoice {
  readonly value: string;
  readonly label: string;
}

export interface DropdownProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly DropdownChoice[];
  readonly onChange: (value: string) => void;
}

function fieldValue(target: EventTarget | null): string {
  return target !== null && "value" in target ? String(target.value) : "";
}

export function dropdown({ label, value, choices, onChange }: DropdownProps): TemplateResult {
  const change = (event: Event) => {
    event.stopPropagation();
    const chosen = fieldValue(event.currentTarget);
    if (chosen !== value) onChange(chosen);
  };
  return html`<vscode-dropdown aria-label=${label} @change=${change} .value=${value}>
    ${choices.map((choice) => html`<vscode-option value=${choice.value} ?selected=${choice.value === value}>${choice.label}</vscode-option>`)}
  </vscode-dropdown>`;
}

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** The label is already visible beside it, so it is used as accessible name only. */
  readonly bare?: boolean;
}

export function checkbox({ label, checked, onChange, bare = false }: CheckboxProps): TemplateResult {
  // The toolkit fires `change` for its own updates as well, so only a difference counts.
  const change = (event: Event) => {
    event.stopPropagation();
    const now =
      event.currentTarget !== null && "checked" in event.currentTarget && event.currentTarget.checked === true;
    if (now !== checked) onChange(now);
  };
  return html`<vscode-checkbox class=${bare ? "bare" : ""} aria-label=${label} .checked=${checked} @change=${change}
    >${label}</vscode-checkbox
  >`;
}

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** The first tab of a group, separated from the previous tab. */
  readonly startsGroup: boolean;
  /** The view is unavailable; its page explains why. */
  readonly unavailable: boolean;
}

/**
 * Tabs over one shared workspace element, which moves to the panel of the active tab. So every tab controls a real
 * panel and nothing is built twice.
 */
export function viewTabs(
  list: readonly Tab[],
  active: string,
  workspace: HTMLElement,
  onChange: (id: string) => void,
): TemplateResult {
  const change = (event: Event) => {
    if (event.target !== event.currentTarget) return;
    const id =
      event.currentTarget !== null && "activeid" in event.currentTarget ? String(event.currentTarget.activeid) : "";
    const chosen = id.replace(/^tab-/, "");
    if (chosen !== active && list.some((tab) => tab.id === chosen)) onChange(chosen);
  };
  const choices = list.map(({ id, label }) => ({ value: id, label }));
  return html`<div class="view-choice">${dropdown({ label: l10n.t("View"), value: active, choices, onChange })}</div>
    <vscode-panels class="views" activeid=${`tab-${active}`} @change=${change}>
    ${list.map(
      (tab) =>
        html`<vscode-panel-tab id=${`tab-${tab.id}`} class=${`${tab.startsGroup ? "starts" : ""} ${tab.unavailable ? "dim" : ""}`}>${tab.label}</vscode-panel-tab>`,
    )}
    ${list.map((tab) => html`<vscode-panel-view id=${`panel-${tab.id}`}>${tab.id === active ? workspace : nothing}</vscode-panel-view>`)}
  </vscode-panels>`;
}
