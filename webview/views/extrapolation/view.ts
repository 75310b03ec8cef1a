import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { countPairsWithUnseenAngles, rotationsWithin } from "../../../src/core/measure/pairs.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { renderChartsSvg } from "../../ui/chart/exportSvg.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartLegend, type LegendEntry } from "../chartParts.ts";
import { dependsOnlyOnDistance, distanceLogit } from "../distanceLogit.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import { decayChart, reachesUnseenAngles, rotationsChart, seenTriangle } from "./charts.ts";
import {
  computeExtrapolation,
  computeOutcomes,
  type ExtrapolationData,
  resolveLengths,
} from "./computeExtrapolation.ts";
import { lengthTools } from "./lengths.ts";
import { methodsSection } from "./methods.ts";
import { reasonsSection } from "./reasons.ts";
import "./extrapolation.css";

function currentData({ resolved, page }: ViewContext): ExtrapolationData {
  const { trainingContext, source, currentLength } = resolveLengths(resolved, page.panel);
  return computeExtrapolation(resolved, trainingContext, source, currentLength);
}

function isAbsolute({ encoding }: ResolvedEncoding): boolean {
  return encoding.classification.kind === "absolute";
}

function shareText(resolved: ResolvedEncoding, { seen, currentLength }: ExtrapolationData): string {
  const share = isAbsolute(resolved) ? seen.positions : (seen.rows ?? seen.distances);
  const percent = `${formatSignificant(100 * share, 4)} %`;
  if (isAbsolute(resolved))
    return l10n.t(
      "At {1} tokens, {0} of the cells are at positions seen in training.",
      percent,
      groupDigits(currentLength),
    );
  return seen.rows === null
    ? l10n.t("At {1} tokens, {0} of the cells have a distance seen in training.", percent, groupDigits(currentLength))
    : l10n.t("At {1} tokens, {0} of the cells use a trained table row.", percent, groupDigits(currentLength));
}

/** The effect of the current length on this encoding, in numbers. */
function outcomeText(resolved: ResolvedEncoding, data: ExtrapolationData): string {
  const { size, currentLength, trainingContext, buckets, pairs } = data;
  const { attention, scene } = resolved;
  if (size !== null && currentLength > size) {
    return l10n.t(
      "Position {0} does not exist: only {1} positions are defined, so {2} of the {3} tokens have none.",
      groupDigits(size),
      groupDigits(size),
      groupDigits(currentLength - size),
      groupDigits(currentLength),
    );
  }
  if (buckets !== null) {
    return l10n.t(
      "All distances ≥ {0} share row {1}, so the bias no longer distinguishes them.",
      groupDigits(buckets.lastDistance),
      groupDigits(buckets.row(buckets.lastDistance)),
    );
  }
  if (pairs !== null) {
    const unseen = countPairsWithUnseenAngles(pairs, currentLength);
    return unseen === 0
      ? l10n.t("Every pair stays within the angles seen in training.")
      : l10n.t("{0} of {1} pairs reach unseen angles.", unseen, pairs.pairs.length);
  }
  if (attention.terms.some(({ kind }) => kind === "bias") && dependsOnlyOnDistance(attention)) {
    const at = (delta: number) => formatSignificant(distanceLogit(attention, delta), 5);
    return l10n.t(
      "Head {0}: the logit falls from {1} at the end of the training context to {2} at distance {3}.",
      scene.head,
      at(trainingContext - 1),
      at(currentLength - 1),
      groupDigits(currentLength - 1),
    );
  }
  return "";
}

function trianglePart(resolved: ResolvedEncoding, data: ExtrapolationData): TemplateResult {
  const text = shareText(resolved, data);
  return html`<div class="seen-part" role="img" aria-label=${text}>
    ${seenTriangle(data, isAbsolute(resolved))}
    <ul class="seen-key">
      <li class="known">${l10n.t("seen in training")}</li>
      <li class="unseen">${l10n.t("unseen")}</li>
    </ul>
  </div>`;
}

function pairsNote({ pairs, trainingContext }: ExtrapolationData): string {
  if (pairs === null) return "";
  const full = pairs.pairs.filter(({ unscaledOmega }) => rotationsWithin(unscaledOmega, trainingContext) >= 1).length;
  return l10n.t(
    "{0} of {1} pairs complete a full rotation within {2} tokens, so all their angles were seen in training.",
    full,
    pairs.pairs.length,
    groupDigits(trainingContext),
  );
}

function extrapolationStatus(resolved: ResolvedEncoding, data: ExtrapolationData): string {
  return [shareText(resolved, data), outcomeText(resolved, data)].join(" ");
}

function decayLegend({ decay }: ExtrapolationData): TemplateResult {
  const entries: LegendEntry[] = [{ label: l10n.t("these parameters"), tone: "accent" }];
  if (decay.unscaled !== null) entries.push({ label: l10n.t("unscaled"), tone: "muted", dashed: true });
  return chartLegend(entries);
}

function decayNote({ decay }: ExtrapolationData): string {
  return decay.isBound
    ? l10n.t(
        "Mean of the partial sums |Σ e^(iδω)| (RoFormer, section 3.4.3). The product of rotated vectors is bounded by a multiple of it. It decreases with distance, but not monotonically.",
      )
    : l10n.t("The logit of the last query, for the head selected on the left.");
}

function rotationsSection(context: ViewContext, data: ExtrapolationData): TemplateResult | typeof nothing {
  const chart = rotationsChart(context, data);
  if (chart === null) return nothing;
  return html`<h3>${l10n.t("Full rotations per pair")}</h3>
    <posenc-chart .chart=${chart}></posenc-chart>
    ${chartLegend([
      { label: l10n.t("in training"), tone: "accent" },
      { label: l10n.t("at the current length, with these parameters"), tone: "muted", dashed: true },
      { label: l10n.t("● full rotation in training, ○ less than one"), tone: null },
    ])}
    <p class="chart-note">${pairsNote(data)}</p>`;
}

function renderBody(context: ViewContext): TemplateResult {
  const { resolved } = context;
  const data = currentData(context);
  return html`<div class="chart-view extrapolation">
    ${lengthTools(context, data)}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${extrapolationStatus(resolved, data)}</p>
    <h3>${data.decay.isBound ? l10n.t("Long-range decay (upper bound)") : l10n.t("Long-range decay")}</h3>
    <div class="decay">
      <div class="decay-chart"><posenc-chart .chart=${decayChart(context, data)}></posenc-chart>${decayLegend(data)}</div>
      ${trianglePart(resolved, data)}
    </div>
    <p class="chart-note">${decayNote(data)}</p>
    ${rotationsSection(context, data)}
    ${methodsSection(context, computeOutcomes(resolved, data.trainingContext, data.currentLength))}
    ${reasonsSection(resolved, data)}
  </div>`;
}

function buildExport(context: ViewContext): ViewExport {
  const data = currentData(context);
  const rotations = rotationsChart(context, data);
  const { trainingContext, currentLength, pairs, decay } = data;
  return {
    svg: renderChartsSvg([decayChart(context, data), ...(rotations === null ? [] : [rotations])]),
    table:
      pairs === null
        ? { columns: ["delta", "logit"], rows: decay.deltas.map((delta, n) => [delta, decay.values[n] ?? Number.NaN]) }
        : {
            columns: [
              "k",
              "omega",
              "omega_unscaled",
              "full_rotations_in_training_context",
              "full_rotations_at_current_length",
              "unseen_angles",
            ],
            rows: pairs.pairs.map((pair) => [
              pair.k,
              pair.omega,
              pair.unscaledOmega,
              rotationsWithin(pair.unscaledOmega, trainingContext),
              rotationsWithin(pair.omega, currentLength),
              reachesUnseenAngles(pair, trainingContext, currentLength) ? 1 : 0,
            ]),
          },
  };
}

/** Shows training context and current length: what is unseen in training, and the effect of each scaling. */
export const extrapolationView: View = {
  id: "extrapolation",
  title: () => l10n.t("Extrapolation"),
  whyUnavailable: ({ encoding, params }) =>
    encoding.patchGrid?.(params) === undefined
      ? null
      : l10n.t(
          "{0} encodes the patches of one image: its length is fixed by the image, so it does not extrapolate.",
          localize(encoding.name),
        ),
  renderBody,
  buildExport,
};
