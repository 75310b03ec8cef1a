import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ConfigSubject } from "../../src/core/protocol/side.ts";
import { findingsList } from "./findings.ts";
import { layersSection } from "./layers.ts";
import { measurementsSection } from "./measurements.ts";
import { miniatureSection } from "./miniature.ts";
import { encodingLabel, encodingTitle } from "./pageState.ts";
import { planSection } from "./plan.ts";
import { runtimesSection } from "./runtimes.ts";
import { type SectionContext, sectionOrMessage } from "./section.ts";
import { valuesSection } from "./values.ts";
import { nativeButton } from "./widgets.ts";

/** Chooses among the encodings of a model. */
function encodingChooser(
  { specs }: ConfigSubject,
  { selected, update }: SectionContext,
): TemplateResult | typeof nothing {
  if (specs.length < 2) return nothing;
  const choose = (event: Event) => {
    const chosen = event.currentTarget instanceof HTMLSelectElement ? event.currentTarget.selectedIndex : 0;
    update((state) => ({ ...state, chosen }));
  };
  return html`<select class="chooser" aria-label=${l10n.t("Encoding of this model")} @change=${choose}>
    ${specs.map((spec, n) => html`<option ?selected=${n === selected.index} .selected=${n === selected.index}>${encodingLabel(spec)}</option>`)}
  </select>`;
}

/** The page for a model's config. */
export function configBody(subject: ConfigSubject, context: SectionContext): TemplateResult {
  const { selected, send } = context;
  return html`${encodingChooser(subject, context)}
    <h1 class=${selected.spec.confidence === "guess" ? "guess" : ""}>${encodingTitle(selected)}</h1>
    ${sectionOrMessage(() => miniatureSection(context))}
    <p class="buttons">
      ${nativeButton({ label: l10n.t("Open in Panel"), onClick: () => send({ type: "openPanel", index: selected.index }) })}
    </p>
    ${[
      () => layersSection(subject.specs, context),
      () => findingsList(subject.findings, send, subject.rules),
      () => measurementsSection(context),
      () => runtimesSection(subject, context),
      () => planSection(subject, context),
      () => valuesSection(context),
    ].map((build) => sectionOrMessage(build))}`;
}
