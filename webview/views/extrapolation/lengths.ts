import * as l10n from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { MAX_SEQUENCE_LENGTH } from "../../../src/core/protocol/state.ts";
import { changeKeyLength, changeTrainingContext } from "../../state/reducers.ts";
import { badge } from "../../ui/badge.ts";
import { numberField, slider } from "../../ui/fields.ts";
import { groupDigits } from "../../ui/format.ts";
import { button } from "../../ui/toolkit.ts";
import type { ViewContext } from "../view.ts";
import { alongTrack, type SequenceLengths, TRACK_START, trackEnd } from "./computeExtrapolation.ts";

function lengthSourceText(source: SequenceLengths["source"]): string {
  switch (source) {
    case "parameter":
      return l10n.t("parameters");
    case "table":
      return l10n.t("table rows");
    case "usual":
      return l10n.t("typical length");
    case "you":
      return l10n.t("you");
  }
}

/** The track under the handles: the training context, and the current length beyond it. */
function lengthTrack({ trainingContext, currentLength }: SequenceLengths, end: number): TemplateResult {
  const at = (length: number) => 1000 * alongTrack(length, end);
  const [trainedEnd, currentEnd] = [at(Math.min(trainingContext, currentLength)), at(currentLength)];
  return html`<svg class="length-track" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="whole" width="1000" y="4" height="2" />
      <rect class="spare" width=${at(trainingContext)} y="3.5" height="3" />
      <rect class="known" width=${trainedEnd} y="2" height="6" />
      ${currentLength > trainingContext ? svg`<rect class="unseen" x=${trainedEnd} width=${currentEnd - trainedEnd} y="0" height="10" />` : nothing}`}
  </svg>`;
}

/** Two sliders on one track, each with a number field. */
export function lengthTools({ dispatch, page }: ViewContext, lengths: SequenceLengths): TemplateResult {
  const { trainingContext, source, currentLength } = lengths;
  const end = trackEnd(trainingContext, currentLength);
  const setTrained = (length: number) => dispatch(changeTrainingContext(length));
  const setUsed = (length: number) => dispatch(changeKeyLength(length));
  const range = { min: TRACK_START, max: end, scale: "log", integer: true } as const;
  const ratio = currentLength / trainingContext;
  return html`<div class="lengths" role="group" aria-label=${l10n.t("Training context and current length")}>
    <div class="length-fields chart-tools">
      <span class="tool"><span class="name">${l10n.t("training context")}</span>
        ${numberField({
          label: l10n.t("training context"),
          value: trainingContext,
          min: 1,
          max: MAX_SEQUENCE_LENGTH,
          onNumber: setTrained,
          onEmpty: () => dispatch(changeTrainingContext(null)),
        })}
        ${badge(lengthSourceText(source), source === "you" ? "you" : "default")}
        ${page.panel.trained === null ? nothing : button({ label: l10n.t("Reset training context"), glyph: "↺", look: "icon", onClick: () => dispatch(changeTrainingContext(null)) })}
      </span>
      <span class="tool"><span class="name">${l10n.t("current length")}</span>
        ${numberField({ label: l10n.t("current length"), value: currentLength, min: 1, max: MAX_SEQUENCE_LENGTH, onNumber: setUsed })}
      </span>
      ${
        currentLength > trainingContext
          ? nothing
          : button({
              label: l10n.t("Set the current length to 4 × the training context"),
              glyph: l10n.t("4 × training"),
              onClick: () => setUsed(Math.min(MAX_SEQUENCE_LENGTH, 4 * trainingContext)),
            })
      }
      <span class="ratio">${ratio > 1 ? l10n.t("current / training = {0}", groupDigits(Number(ratio.toPrecision(4)))) : l10n.t("within the training context")}</span>
    </div>
    <div class="two-handles">
      ${lengthTrack(lengths, end)}
      ${slider({ ...range, label: l10n.t("training context"), value: trainingContext, onValue: setTrained })}
      ${slider({ ...range, label: l10n.t("current length"), value: currentLength, onValue: setUsed })}
    </div>
  </div>`;
}
