import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { SideFinding } from "../../src/core/protocol/side.ts";
import { placeInWords, revealing, section } from "./parts.ts";
import type { Send } from "./sidePage.ts";

const GLYPHS = { error: "✕", warning: "▲", info: "ℹ" } as const;

function severityName(severity: SideFinding["severity"]): string {
  switch (severity) {
    case "error":
      return t("Error");
    case "warning":
      return t("Warning");
    case "info":
      return t("Note");
  }
}

function item(finding: SideFinding, send: Send): TemplateResult {
  const { rule, severity, message, explained } = finding;
  const place = placeInWords(finding);
  return html`<li class=${`finding ${severity}`}>
    <button type="button" aria-label=${`${severityName(severity)}: ${message} — ${place}`}
      @click=${() => send(revealing(finding))}>
      <span class="glyph" aria-hidden="true">${GLYPHS[severity]}</span>
      <span class="message">${message}</span>
    </button>
    <span class="where">
      ${place}
      ${explained ? html`· <button type="button" class="button link" title=${t("Explain this rule")} @click=${() => send({ type: "openRule", rule })}>${rule}</button>` : nothing}
    </span>
  </li>`;
}

/** What the rules report; @param rules how many were asked, undefined where that is not counted */
export function findings(list: readonly SideFinding[], send: Send, rules?: number): TemplateResult {
  const none = rules === undefined ? t("none") : t("none ({0} rules checked)", rules);
  return section(
    t("Findings"),
    list.length === 0
      ? html`<p class="fine"><span class="glyph" aria-hidden="true">✓</span> ${none}</p>`
      : html`<ul class="findings">${list.map((finding) => item(finding, send))}</ul>`,
  );
}
