import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { CodeSubject } from "../../src/core/protocol/side.ts";
import { findingsList } from "./findings.ts";
import { measurementsSection } from "./measurements.ts";
import { miniatureSection } from "./miniature.ts";
import { type SectionContext, type Send, sectionOrMessage } from "./section.ts";
import { formatPlace, nativeButton, type PlaceInFile, revealMessage, titledSection } from "./widgets.ts";
import "./codePage.css";

type CodeSiteEntry = CodeSubject["sites"][number];

function formulaBox({ formula: shown }: CodeSubject): TemplateResult | typeof nothing {
  if (shown === null) return nothing;
  return html`<div class="formula-box">
    <posenc-formula .formula=${shown.id} aria-hidden="true"></posenc-formula>
    <p class="aloud" lang="en">${shown.text}</p>
  </div>`;
}

function factsSection({ facts: list }: CodeSubject): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const entry = ({ label, value, note }: (typeof list)[number]) => html`<div class="entry">
    <dt>${label}${note === undefined ? nothing : html`<span class="note">${note}</span>`}</dt>
    <dd>${value}</dd>
  </div>`;
  return titledSection(l10n.t("Values"), html`<dl>${list.map(entry)}</dl>`);
}

/** "31", or "3:31" in a notebook. */
function formatLine({ range, cell }: PlaceInFile): string {
  return [...(cell === undefined ? [] : [cell.number]), range.start.line].join(":");
}

function isNotAfter(first: PlaceInFile, second: PlaceInFile): boolean {
  const between = (first.cell?.number ?? 0) - (second.cell?.number ?? 0);
  return between < 0 || (between === 0 && first.range.start.line <= second.range.start.line);
}

function siteItem(entry: CodeSiteEntry, here: boolean, send: Send): TemplateResult {
  const { name, title } = entry;
  return html`<li>
    <button type="button" class="site" aria-current=${here ? "true" : nothing} title=${formatPlace(entry)}
      @click=${() => send(revealMessage(entry))}>
      <span class="name" lang="en">${name}</span> <span class="what">${title}</span>
      <span class="line">${formatLine(entry)}</span>
    </button>
  </li>`;
}

function sitesSection(shown: CodeSubject, send: Send): TemplateResult | typeof nothing {
  const { sites: list } = shown;
  if (list.length < 2) return nothing;
  const here = list.findLast((one) => isNotAfter(one, shown));
  return titledSection(
    l10n.t("In this file"),
    html`<ul class="sites">${list.map((one) => siteItem(one, one === here, send))}</ul>`,
  );
}

/** The page for an encoding in Python code. */
export function codeBody(subject: CodeSubject, context: SectionContext): TemplateResult {
  const { selected, send } = context;
  const go = () => send(revealMessage(subject));
  return html`<h1>${subject.heading}</h1>
    <p class="place">
      ${subject.at === "cursor" ? l10n.t("at the cursor") : l10n.t("nearest to the cursor")} ·
      ${nativeButton({ label: formatPlace(subject), look: "link", onClick: go })}
    </p>
    ${sectionOrMessage(() => miniatureSection(context))}
    <p class="buttons">
      ${nativeButton({ label: l10n.t("Open in Panel"), onClick: () => send({ type: "openPanel", index: selected.index }) })}
    </p>
    ${[
      () => formulaBox(subject),
      () => factsSection(subject),
      () => findingsList(subject.findings, send),
      () => measurementsSection(context),
      () => sitesSection(subject, send),
    ].map((build) => sectionOrMessage(build))}
    <p class="summary">${subject.summary}</p>`;
}
