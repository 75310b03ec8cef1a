import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { formatCompact, type Measurement } from "../../src/core/measure/measurements.ts";
import { configuredTrainingContext } from "../../src/core/measure/trainingContext.ts";
import { groupDigits } from "../ui/format.ts";
import { failedSection, type SectionContext } from "./section.ts";
import { titledSection } from "./widgets.ts";

/** Relates a measurement to the training context. */
function contextNote({ id, value }: Measurement, trained: number | null): string | null {
  if (id !== "longest_wavelength" || trained === null || !Number.isFinite(value)) return null;
  return l10n.t("{0} × the training context", formatCompact(value / trained));
}

function measurementEntry(measurement: Measurement, trained: number | null): TemplateResult {
  const note = contextNote(measurement, trained);
  return html`<div class="entry">
    <dt>${measurement.label}${note === null ? nothing : html`<span class="note">${note}</span>`}</dt>
    <dd title=${String(measurement.value)}>${measurement.text}</dd>
  </div>`;
}

const isOfTraining = ({ id }: Measurement): boolean => id === "pairs_past_one_turn";

/** Measurements of the encoding. */
export function measurementsSection({ numbers, stale, selected }: SectionContext): TemplateResult | typeof nothing {
  if (numbers?.failure !== undefined) return failedSection(numbers.failure);
  if (numbers === null || numbers.measurements.length === 0) return nothing;
  const trained = configuredTrainingContext(selected.params);
  const assumed =
    trained !== null &&
    configuredTrainingContext(selected.spec.params) === null &&
    numbers.measurements.some(isOfTraining);
  return titledSection(
    l10n.t("Measurements"),
    html`${assumed ? html`<p class="caption">${l10n.t("assuming a training context of {0} tokens, which is not set in the file", groupDigits(trained))}</p>` : nothing}
      <dl class=${stale ? "stale" : ""} aria-busy=${stale}>${numbers.measurements.map((one) => measurementEntry(one, trained))}</dl>`,
  );
}
