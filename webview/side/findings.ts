import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { SideFinding } from "../../src/core/protocol/side.ts";
import type { Send } from "./section.ts";
import { formatPlace, revealMessage, titledSection } from "./widgets.ts";
import "./findings.css";

const SEVERITY_GLYPHS = { error: "✕", warning: "▲", info: "ℹ" } as const;

function severityName(severity: SideFinding["severity"]): string {
  switch (severity) {
    case "error":
      return l10n.t("Error");
    case "warning":
      return l10n.t("Warning");
    case "info":
      return l10n.t("Note");
  }
}

function findingItem(finding: SideFinding, send: Send): TemplateResult {
  const { rule, severity, message, explained } = finding;
  const place = formatPlace(finding);
  return html`<li class=${`finding ${severity}`}>
    <button type="button" aria-label=${`${severityName(severity)}: ${message} — ${place}`}
      @click=${() => send(revealMessage(finding))}>
      <span class="glyph" aria-hidden="true">${SEVERITY_GLYPHS[severity]}</span>
      <span class="message">${message}</span>
    </button>
    <span class="where">
      ${place}
      ${explained ? html`· <button type="button" class="button link" title=${l10n.t("Explain this rule")} @click=${() => send({ type: "openRule", rule })}>${rule}</button>` : nothing}
    </span>
  </li>`;
}

/**
 * The findings section.
 * @param rules number of rules that were checked; undefined if not counted
 */
export function findingsList(list: readonly SideFinding[], send: Send, rules?: number): TemplateResult {
  const noneText = rules === undefined ? l10n.t("none") : l10n.t("none ({0} rules checked)", rules);
  return titledSection(
    l10n.t("Findings"),
    list.length === 0
      ? html`<p class="fine"><span class="glyph" aria-hidden="true">✓</span> ${noneText}</p>`
      : html`<ul class="findings">${list.map((finding) => findingItem(finding, send))}</ul>`,
  );
}
