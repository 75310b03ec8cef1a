import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { pairsWithUnseenAngles, turnsWithin } from "../../../src/core/measure/pairs.ts";
import { grouped, significant } from "../../state/format.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { chartKey, type KeyEntry } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import { closedLogit, isClosed } from "../distanceLogit.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { decayChart, isUnseen, seenTriangle, turnsChart } from "./charts.ts";
import { lengthTools } from "./lengths.ts";
import { methodsPart } from "./methods.ts";
import { type ExtrapolationModel, extrapolationModel, lengthsOf, outcomesOf } from "./model.ts";
import { reasonsPart } from "./reasons.ts";

function modelOf({ drawable, page }: ViewContext): ExtrapolationModel {
  const { trained, source, used } = lengthsOf(drawable, page.panel);
  return extrapolationModel(drawable, trained, source, used);
}

function byPosition({ encoding }: Drawable): boolean {
  return encoding.classification.kind === "absolute";
}

function shareText(drawable: Drawable, { seen, used }: ExtrapolationModel): string {
  const share = byPosition(drawable) ? seen.positions : (seen.rows ?? seen.distances);
  const percent = `${significant(100 * share, 4)} %`;
  if (byPosition(drawable))
    return t("At {1} tokens, {0} of the cells are at positions seen in training.", percent, grouped(used));
  return seen.rows === null
    ? t("At {1} tokens, {0} of the cells have a distance seen in training.", percent, grouped(used))
    : t("At {1} tokens, {0} of the cells use a trained table row.", percent, grouped(used));
}

/** What becomes of this encoding at the used length, in its own numbers. */
function outcome(drawable: Drawable, model: ExtrapolationModel): string {
  const { size, used, trained, buckets, pairs } = model;
  const { attention, scene } = drawable;
  if (size !== null && used > size) {
    return t(
      "Position {0} does not exist: only {1} positions are defined, so {2} of the {3} tokens have none.",
      grouped(size),
      grouped(size),
      grouped(used - size),
      grouped(used),
    );
  }
  if (buckets !== null) {
    return t(
      "All distances ≥ {0} share row {1}, so the bias no longer distinguishes them.",
      grouped(buckets.last),
      grouped(buckets.at(buckets.last)),
    );
  }
  if (pairs !== null) {
    const unseen = pairsWithUnseenAngles(pairs, used);
    return unseen === 0
      ? t("Every pair stays within the angles seen in training.")
      : t("{0} of {1} pairs reach unseen angles.", unseen, pairs.pairs.length);
  }
  if (attention.terms.some(({ kind }) => kind === "bias") && isClosed(attention)) {
    const at = (delta: number) => significant(closedLogit(attention, delta), 5);
    return t(
      "Head {0}: the logit falls from {1} at the end of the training context to {2} at distance {3}.",
      scene.head,
      at(trained - 1),
      at(used - 1),
      grouped(used - 1),
    );
  }
  return "";
}

function triangle(drawable: Drawable, model: ExtrapolationModel): TemplateResult {
  const text = shareText(drawable, model);
  return html`<div class="seen-part" role="img" aria-label=${text}>
    ${seenTriangle(model, byPosition(drawable))}
    <ul class="seen-key">
      <li class="known">${t("seen in training")}</li>
      <li class="unseen">${t("unseen")}</li>
    </ul>
  </div>`;
}

function pairsNote({ pairs, trained }: ExtrapolationModel): string {
  if (pairs === null) return "";
  const full = pairs.pairs.filter(({ plain }) => turnsWithin(plain, trained) >= 1).length;
  return t(
    "{0} of {1} pairs complete a full rotation within {2} tokens, so all their angles were seen in training.",
    full,
    pairs.pairs.length,
    grouped(trained),
  );
}

function statusText(drawable: Drawable, model: ExtrapolationModel): string {
  return [shareText(drawable, model), outcome(drawable, model)].join(" ");
}

function decayKey({ decay }: ExtrapolationModel): TemplateResult {
  const entries: KeyEntry[] = [{ label: t("these parameters"), tone: "accent" }];
  if (decay.plain !== null) entries.push({ label: t("unscaled"), tone: "muted", dashed: true });
  return chartKey(entries);
}

function decayNote({ decay }: ExtrapolationModel): string {
  return decay.bound
    ? t(
        "Mean of the partial sums |Σ e^(iδω)| (RoFormer, section 3.4.3). The product of rotated vectors is bounded by a multiple of it. It decreases with distance, but not monotonically.",
      )
    : t("The logit of the last query, for the head selected on the left.");
}

function turnsPart(context: ViewContext, model: ExtrapolationModel): TemplateResult | typeof nothing {
  const chart = turnsChart(context, model);
  if (chart === null) return nothing;
  return html`<h3>${t("Full rotations per pair")}</h3>
    <posenc-chart .chart=${chart}></posenc-chart>
    ${chartKey([
      { label: t("in training"), tone: "accent" },
      { label: t("at the current length, with these parameters"), tone: "muted", dashed: true },
      { label: t("● full rotation in training, ○ less than one"), tone: null },
    ])}
    <p class="chart-note">${pairsNote(model)}</p>`;
}

function body(context: ViewContext): TemplateResult {
  const { drawable } = context;
  const model = modelOf(context);
  return html`<div class="chart-view extrapolation">
    ${lengthTools(context, model)}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${statusText(drawable, model)}</p>
    <h3>${model.decay.bound ? t("Long-range decay (upper bound)") : t("Long-range decay")}</h3>
    <div class="decay">
      <div class="decay-chart"><posenc-chart .chart=${decayChart(context, model)}></posenc-chart>${decayKey(model)}</div>
      ${triangle(drawable, model)}
    </div>
    <p class="chart-note">${decayNote(model)}</p>
    ${turnsPart(context, model)}
    ${methodsPart(context, outcomesOf(drawable, model.trained, model.used))}
    ${reasonsPart(drawable, model)}
  </div>`;
}

function exportable(context: ViewContext): Exportable {
  const model = modelOf(context);
  const turns = turnsChart(context, model);
  const { trained, used, pairs, decay } = model;
  return {
    svg: chartsSvg([decayChart(context, model), ...(turns === null ? [] : [turns])]),
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
              pair.plain,
              turnsWithin(pair.plain, trained),
              turnsWithin(pair.omega, used),
              isUnseen(pair, trained, used) ? 1 : 0,
            ]),
          },
  };
}

/** Trained length against used length: what was never seen, and what is done about it. */
export const extrapolationView: View = {
  id: "extrapolation",
  title: () => t("Extrapolation"),
  unavailable: ({ encoding, params }) =>
    encoding.grid?.(params) === undefined
      ? null
      : t(
          "{0} encodes the patches of one image: its length is fixed by the image, so it does not extrapolate.",
          localize(encoding.title),
        ),
  body,
  exportable,
};
