import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Classification, Encoding, Paper, TermEffect } from "../../../src/core/encodings/encoding.ts";
import {
  type ExpansionRole,
  type ExpansionTerm,
  expansionSteps,
  resolveExpansion,
} from "../../../src/core/encodings/support/expansion.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { groupDigits } from "../../ui/format.ts";
import "./about.css";

function kindText(kind: Classification["kind"]): string {
  switch (kind) {
    case "absolute":
      return l10n.t("absolute");
    case "relative":
      return l10n.t("relative");
    case "both":
      return l10n.t("absolute in form, relative in effect");
    case "none":
      return l10n.t("none");
  }
}

function actsOnText(acts: Classification["actsOn"]): string {
  switch (acts) {
    case "input":
      return l10n.t("input of the first layer");
    case "query_key":
      return l10n.t("queries and keys, in every layer");
    case "scores":
      return l10n.t("scores, in every layer");
    case "keys_values":
      return l10n.t("keys and values, in every layer");
    case "nowhere":
      return l10n.t("nothing");
  }
}

function trainedText(trained: Classification["trained"]): string {
  switch (trained) {
    case "fixed":
      return l10n.t("fixed");
    case "trained":
      return l10n.t("trained");
    case "either":
      return l10n.t("fixed or trained");
  }
}

function effectText(effect: TermEffect): string {
  switch (effect) {
    case "kept":
      return l10n.t("kept");
    case "changed":
      return l10n.t("changed");
    case "dropped":
      return l10n.t("dropped");
  }
}

function roleName(role: ExpansionRole): { readonly name: string; readonly short: string } {
  switch (role) {
    case "content_content":
      return { name: l10n.t("content · content"), short: "x · x" };
    case "content_position":
      return { name: l10n.t("content · position"), short: "x · p" };
    case "position_content":
      return { name: l10n.t("position · content"), short: "p · x" };
    case "position_position":
      return { name: l10n.t("position · position"), short: "p · p" };
  }
}

function effectRow({ role, effect, formula }: ExpansionTerm): TemplateResult {
  const { name, short } = roleName(role);
  return html`<li class=${`effect ${effect}`} title=${name} aria-label=${`${name}: ${effectText(effect)}, ${formula.text}`}>
    <span class="short" lang="en">${short}</span><span class="effect-name">${effectText(effect)}</span>
    <posenc-formula .formula=${formula.id}></posenc-formula>
  </li>`;
}

/** The four terms of (x + p)W_Q · (x + p)W_K, with what the encoding makes of each, and the steps from there. */
function expansionSection({ encoding, attention }: ResolvedEncoding): TemplateResult {
  const terms = resolveExpansion(encoding, new Set(attention.terms.map(({ role }) => role)));
  return html`<ul class="effects" aria-label=${l10n.t("Terms of (x + p)W_Q · (x + p)W_K")}>${terms.map(effectRow)}</ul>
    <p class="steps-text">${localize(expansionSteps(encoding))}</p>`;
}

function classificationList({ encoding, params }: ResolvedEncoding): TemplateResult {
  const { kind, actsOn, trained, trainedParameters } = encoding.classification;
  const item = (name: string, text: string) => html`<div class="fact"><dt>${name}</dt><dd>${text}</dd></div>`;
  return html`<dl class="facts">
    ${item(l10n.t("kind"), kindText(kind))} ${item(l10n.t("acts on"), actsOnText(actsOn))} ${item(l10n.t("parameters"), trainedText(trained))}
    ${item(l10n.t("trained parameters"), groupDigits(trainedParameters(params)))}
  </dl>`;
}

/** Closed by default because the column would get long. The native disclosure works with the keyboard. */
function disclosure(title: string, content: unknown, open = false): TemplateResult {
  return html`<details class="part" ?open=${open}><summary>${title}</summary>${content}</details>`;
}

function paperItem({ title, arxiv, url, year }: Paper): TemplateResult {
  const address = arxiv === undefined ? url : `https://arxiv.org/abs/${arxiv}`;
  const label = arxiv === undefined ? title : `${title} (arXiv ${arxiv})`;
  const text = html`<span class="paper-title">${title}</span>${arxiv === undefined ? nothing : html` <span class="arxiv">arXiv ${arxiv}</span>`}`;
  return html`<li lang="en">${address === undefined ? text : html`<a href=${address} aria-label=${label}>${text}</a>`} <span class="year">${year}</span></li>`;
}

function referenceList({ papers, repositories }: Encoding): TemplateResult {
  return html`<ul class="papers">
    ${papers.map(paperItem)}
    ${repositories.map((name) => html`<li lang="en"><a href=${`https://github.com/${name}`}>${name}</a></li>`)}
  </ul>`;
}

/** Explains the encoding in the page's language. */
export function aboutSection(resolved: ResolvedEncoding): TemplateResult {
  const { encoding } = resolved;
  const { summary, extrapolation, strengths, weaknesses, pitfalls, models } = encoding.explanation;
  const text = (value: typeof summary) => html`<p>${localize(value)}</p>`;
  return html`<section class="about" aria-label=${l10n.t("About this encoding")}>
    <h2>${l10n.t("About this encoding")}</h2>
    ${text(summary)} ${expansionSection(resolved)} ${classificationList(resolved)}
    ${disclosure(l10n.t("Beyond the training context"), text(extrapolation), true)} ${disclosure(l10n.t("Strengths"), text(strengths))}
    ${disclosure(l10n.t("Weaknesses"), text(weaknesses))} ${disclosure(l10n.t("Pitfalls"), text(pitfalls))}
    ${models.length === 0 ? nothing : disclosure(l10n.t("Models that use it"), html`<p lang="en">${models.join(", ")}</p>`)}
    ${disclosure(l10n.t("Papers and code"), referenceList(encoding))}
  </section>`;
}
