import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { PanelFinding } from "../../../src/core/protocol/messages.ts";
import type { TextRange } from "../../../src/core/spec.ts";
import type { Page } from "../../state/page.ts";
import "./findings.css";

function severityText(severity: PanelFinding["severity"]): string {
  switch (severity) {
    case "error":
      return l10n.t("error");
    case "warning":
      return l10n.t("warning");
    case "info":
      return l10n.t("note");
  }
}

const SEVERITY_MARKS: Readonly<Record<PanelFinding["severity"], string>> = { error: "✕", warning: "!", info: "i" };

function findingItem(
  { rule, severity, message, range }: PanelFinding,
  onOpen: (range: TextRange) => void,
): TemplateResult {
  return html`<li class=${`finding ${severity}`}>
    <button type="button" title=${l10n.t("Go to line {0} of the config", range.start.line)} @click=${() => onOpen(range)}>
      <span class="finding-mark" role="img" aria-label=${severityText(severity)}>${SEVERITY_MARKS[severity]}</span>
      <span class="finding-text">${message}<span class="finding-rule" lang="en">${rule}</span></span>
    </button>
  </li>`;
}

/** The findings in the bound config; nothing without a config. */
export function findingsSection(
  { panel, config }: Page,
  onOpen: (range: TextRange) => void,
): TemplateResult | typeof nothing {
  if (panel.config === null || config === null) return nothing;
  const { findings, rules } = config;
  if (findings === undefined || rules === undefined) return nothing;
  return html`<section class="findings" aria-label=${l10n.t("Findings")}>
    <h2>${l10n.t("Findings")}</h2>
    ${
      findings.length === 0
        ? html`<p class="finding-none"><span class="finding-mark" aria-hidden="true">✓</span> ${l10n.t("none ({0} rules checked)", rules)}</p>`
        : html`<ul>${findings.map((finding) => findingItem(finding, onOpen))}</ul>`
    }
  </section>`;
}
