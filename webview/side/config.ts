import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ConfigSubject } from "../../src/core/protocol/side.ts";
import { findings } from "./findings.ts";
import { layers } from "./layers.ts";
import { measured } from "./measured.ts";
import { partLabel, partTitle } from "./model.ts";
import { button } from "./parts.ts";
import { picture } from "./picture.ts";
import { plan } from "./plan.ts";
import { runtimes } from "./runtimes.ts";
import type { Sight } from "./sidePage.ts";
import { values } from "./values.ts";

/** Which of the encodings of a model with several. */
function chooser({ specs }: ConfigSubject, { part, update }: Sight): TemplateResult | typeof nothing {
  if (specs.length < 2) return nothing;
  const choose = (event: Event) => {
    const chosen = event.currentTarget instanceof HTMLSelectElement ? event.currentTarget.selectedIndex : 0;
    update((state) => ({ ...state, chosen }));
  };
  return html`<select class="chooser" aria-label=${t("Encoding of this model")} @change=${choose}>
    ${specs.map((spec, n) => html`<option ?selected=${n === part.index} .selected=${n === part.index}>${partLabel(spec)}</option>`)}
  </select>`;
}

/** All about a model's config. */
export function configBody(subject: ConfigSubject, sight: Sight): TemplateResult {
  const { part, send } = sight;
  return html`${chooser(subject, sight)}
    <h1>${partTitle(part)}</h1>
    ${picture(sight)}
    <p class="buttons">
      ${button({ label: t("Open in Panel"), onClick: () => send({ type: "openPanel", index: part.index }) })}
    </p>
    ${layers(subject.specs, sight)} ${findings(subject.findings, send, subject.rules)} ${measured(sight)} ${runtimes(subject, sight)} ${plan(subject, sight)} ${values(sight)}`;
}
