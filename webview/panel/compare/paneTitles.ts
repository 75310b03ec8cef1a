import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { describeLayers } from "../../../src/core/config/report/describeLayers.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { findConfigB } from "../../state/comparison.ts";
import { compareWithSpec, swapSides } from "../../state/comparisonChanges.ts";
import type { Page } from "../../state/page.ts";
import { formatTitle, type PanelEncoding } from "../../state/panelEncoding.ts";
import type { Dispatch } from "../../state/reducers.ts";
import { setField } from "../../state/reducers.ts";
import { button, dropdown } from "../../ui/toolkit.ts";
import "./paneTitles.css";

/** Where a side's values come from: "config.json", "Llama 3.1 8B", "changed". */
function valueOrigin(config: BoundConfig | null, name: string | null, changed: boolean): string {
  const from = config?.title ?? name ?? "";
  if (!changed) return from;
  return from === "" ? l10n.t("changed") : l10n.t("{0}, changed", from);
}

function paneTitle(mark: string, text: string, from: string, tools: unknown): TemplateResult {
  return html`<h3><span class="side-mark" aria-hidden="true">${mark}</span> ${text}</h3>
    ${from === "" ? nothing : html`<span class="side-origin">${from}</span>`}
    <span class="side-tools">${tools}</span>`;
}

export function titleOfA({ panel, config }: Page, panelEncoding: PanelEncoding): TemplateResult {
  const bound = panel.config === null ? null : config;
  const from = valueOrigin(bound, panel.given?.name ?? null, Object.keys(panel.changes).length > 0);
  return paneTitle("A", formatTitle(panelEncoding), from, nothing);
}

export function titleOfB(page: Page, panelEncoding: PanelEncoding, dispatch: Dispatch): TemplateResult {
  const side = page.panel.compare;
  const config = findConfigB(page);
  const changed = Object.keys(side?.changes ?? {}).length > 0;
  const from = valueOrigin(config, side?.given?.name ?? null, changed);
  const tools = html`${button({ label: l10n.t("Swap A and B"), glyph: "⇄", look: "icon", onClick: () => dispatch(swapSides) })}
    ${button({ label: l10n.t("Stop comparing"), glyph: "✕", look: "icon", onClick: () => dispatch(setField("compare", null)) })}`;
  return html`${paneTitle("B", formatTitle(panelEncoding), from, tools)} ${specDropdownB(page, config, dispatch)}`;
}

function specLabelB(spec: EncodingSpec): string {
  const encoding = encodingById(spec.encoding);
  const layers = describeLayers(spec.layers);
  return `${spec.where} · ${encoding === undefined ? spec.encoding : localize(encoding.name)} · ${layers}`;
}

function specDropdownB(
  { panel }: Page,
  config: BoundConfig | null,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  if (config === null || config.specs.length < 2) return nothing;
  return dropdown({
    label: l10n.t("Config section for side B"),
    value: String(panel.compare?.config?.index ?? 0),
    choices: config.specs.map((spec, n) => ({ value: String(n), label: specLabelB(spec) })),
    onChange: (index) => dispatch(compareWithSpec(config, Number(index))),
  });
}
