import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { CodeSubject } from "../../src/core/protocol/side.ts";
import { findings } from "./findings.ts";
import { measured } from "./measured.ts";
import { button, type Place, placeInWords, revealing, section } from "./parts.ts";
import { picture } from "./picture.ts";
import type { Send, Sight } from "./sidePage.ts";

type Site = CodeSubject["sites"][number];

function formula({ formula: shown }: CodeSubject): TemplateResult | typeof nothing {
  if (shown === null) return nothing;
  return html`<div class="formula-box">
    <posenc-formula .formula=${shown.id} aria-hidden="true"></posenc-formula>
    <p class="aloud" lang="en">${shown.text}</p>
  </div>`;
}

function facts({ facts: list }: CodeSubject): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const entry = ({ label, value, note }: (typeof list)[number]) => html`<div class="entry">
    <dt>${label}${note === undefined ? nothing : html`<span class="note">${note}</span>`}</dt>
    <dd>${value}</dd>
  </div>`;
  return section(t("Values"), html`<dl>${list.map(entry)}</dl>`);
}

/** "31", or "3:31" where the file is a notebook. */
function lineOf({ range, cell }: Place): string {
  return [...(cell === undefined ? [] : [cell.number]), range.start.line].join(":");
}

function isNotAfter(one: Place, other: Place): boolean {
  const between = (one.cell?.number ?? 0) - (other.cell?.number ?? 0);
  return between < 0 || (between === 0 && one.range.start.line <= other.range.start.line);
}

function site(one: Site, here: boolean, send: Send): TemplateResult {
  const { name, title } = one;
  return html`<li>
    <button type="button" class="site" aria-current=${here ? "true" : nothing} title=${placeInWords(one)}
      @click=${() => send(revealing(one))}>
      <span class="name" lang="en">${name}</span> <span class="what">${title}</span>
      <span class="line">${lineOf(one)}</span>
    </button>
  </li>`;
}

function sites(shown: CodeSubject, send: Send): TemplateResult | typeof nothing {
  const { sites: list } = shown;
  if (list.length < 2) return nothing;
  const here = list.findLast((one) => isNotAfter(one, shown));
  return section(t("In this file"), html`<ul class="sites">${list.map((one) => site(one, one === here, send))}</ul>`);
}

/** What code at the cursor makes. */
export function codeBody(subject: CodeSubject, sight: Sight): TemplateResult {
  const { part, send } = sight;
  const go = () => send(revealing(subject));
  return html`<h1>${subject.heading}</h1>
    <p class="place">
      ${subject.at === "cursor" ? t("at the cursor") : t("nearest to the cursor")} ·
      ${button({ label: placeInWords(subject), look: "link", onClick: go })}
    </p>
    ${picture(sight)}
    <p class="buttons">
      ${button({ label: t("Open in Panel"), onClick: () => send({ type: "openPanel", index: part.index }) })}
    </p>
    ${formula(subject)} ${facts(subject)} ${findings(subject.findings, send)} ${measured(sight)} ${sites(subject, send)}
    <p class="summary">${subject.summary}</p>`;
}
