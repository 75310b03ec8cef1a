import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { compactNumber, type Measurement } from "../../src/core/measure/measurements.ts";
import { trainedLength } from "../../src/core/measure/pairs.ts";
import { grouped } from "../state/format.ts";
import { section } from "./parts.ts";
import type { Sight } from "./sidePage.ts";

/** What sets a number in relation to the context. */
function noteOf({ id, value }: Measurement, trained: number | null): string | null {
  if (id !== "longest_wavelength" || trained === null || !Number.isFinite(value)) return null;
  return t("{0} × the training context", compactNumber(value / trained));
}

function entry(measurement: Measurement, trained: number | null): TemplateResult {
  const note = noteOf(measurement, trained);
  return html`<div class="entry">
    <dt>${measurement.label}${note === null ? nothing : html`<span class="note">${note}</span>`}</dt>
    <dd title=${String(measurement.value)}>${measurement.text}</dd>
  </div>`;
}

const isOfTraining = ({ id }: Measurement): boolean => id === "pairs_past_one_turn";

/** Numbers about the encoding, neither good nor bad. */
export function measured({ numbers, stale, part }: Sight): TemplateResult | typeof nothing {
  if (numbers === null || numbers.measured.length === 0) return nothing;
  const trained = trainedLength(part.params);
  const assumed = trained !== null && trainedLength(part.spec.params) === null && numbers.measured.some(isOfTraining);
  return section(
    t("Measurements"),
    html`${assumed ? html`<p class="caption">${t("assuming a training context of {0} tokens, which is not set in the file", grouped(trained))}</p>` : nothing}
      <dl class=${stale ? "stale" : ""} aria-busy=${stale}>${numbers.measured.map((one) => entry(one, trained))}</dl>`,
  );
}
