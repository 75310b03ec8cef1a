import { t } from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { changeTrained } from "../../state/changes.ts";
import { grouped } from "../../state/format.ts";
import { changeKeyLength, LONGEST } from "../../state/reducers.ts";
import { numberField, slider } from "../../ui/fields.ts";
import { badge, button } from "../../ui/toolkit.ts";
import type { ViewContext } from "../view.ts";
import { alongTrack, type Lengths, TRACK_START, trackEnd } from "./model.ts";

function sourceText(source: Lengths["source"]): string {
  switch (source) {
    case "parameter":
      return t("parameters");
    case "table":
      return t("table rows");
    case "usual":
      return t("typical length");
    case "you":
      return t("you");
  }
}

/** The track under the handles: what training saw, and what is used beyond it. */
function track({ trained, used }: Lengths, end: number): TemplateResult {
  const at = (length: number) => 1000 * alongTrack(length, end);
  const [known, all] = [at(Math.min(trained, used)), at(used)];
  return html`<svg class="length-track" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="whole" width="1000" y="4" height="2" />
      <rect class="spare" width=${at(trained)} y="3.5" height="3" />
      <rect class="known" width=${known} y="2" height="6" />
      ${used > trained ? svg`<rect class="unseen" x=${known} width=${all - known} y="0" height="10" />` : nothing}`}
  </svg>`;
}

/** Two handles on one track, each with its exact field. */
export function lengthTools({ dispatch, page }: ViewContext, lengths: Lengths): TemplateResult {
  const { trained, source, used } = lengths;
  const end = trackEnd(trained, used);
  const setTrained = (length: number) => dispatch(changeTrained(length));
  const setUsed = (length: number) => dispatch(changeKeyLength(length));
  const range = { min: TRACK_START, max: end, scale: "log", integer: true } as const;
  const ratio = used / trained;
  return html`<div class="lengths" role="group" aria-label=${t("Training context and current length")}>
    <div class="length-fields chart-tools">
      <span class="tool"><span class="name">${t("training context")}</span>
        ${numberField({
          label: t("training context"),
          value: trained,
          min: 1,
          max: LONGEST,
          onNumber: setTrained,
          onEmpty: () => dispatch(changeTrained(null)),
        })}
        ${badge(sourceText(source), source === "you" ? "you" : "default")}
        ${page.panel.trained === null ? nothing : button({ label: t("Reset training context"), glyph: "↺", look: "icon", onClick: () => dispatch(changeTrained(null)) })}
      </span>
      <span class="tool"><span class="name">${t("current length")}</span>
        ${numberField({ label: t("current length"), value: used, min: 1, max: LONGEST, onNumber: setUsed })}
      </span>
      ${
        used > trained
          ? nothing
          : button({
              label: t("Set the current length to 4 × the training context"),
              glyph: t("4 × training"),
              onClick: () => setUsed(Math.min(LONGEST, 4 * trained)),
            })
      }
      <span class="ratio">${ratio > 1 ? t("current / training = {0}", grouped(Number(ratio.toPrecision(4)))) : t("within the training context")}</span>
    </div>
    <div class="two-handles">
      ${track(lengths, end)}
      ${slider({ ...range, label: t("training context"), value: trained, onValue: setTrained })}
      ${slider({ ...range, label: t("current length"), value: used, onValue: setUsed })}
    </div>
  </div>`;
}
