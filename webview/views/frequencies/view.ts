import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  countPairsWithUnseenAngles,
  type FrequencyPair,
  type PairScaling,
  type PairSet,
  rotationsWithin,
} from "../../../src/core/measure/pairs.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { changePicked } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import type { Chart, ChartBand, ChartDot, ChartRule, Tone } from "../../ui/chart/chart.ts";
import { renderChartsSvg } from "../../ui/chart/exportSvg.ts";
import { formatBrief, formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartLegend, chartName, type LegendEntry } from "../chartParts.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import {
  type ComparedPairs,
  comparedPairsBody,
  comparedPairsChart,
  comparedPairsTable,
  largerSet,
} from "./compared.ts";
import { computePairs, scalingRuns, wavelengthBounds } from "./scalingRuns.ts";

const cachedPairs = memoizeLast((resolved: ResolvedEncoding) => computePairs(resolved));

function scalingText(scaling: PairScaling, factor: number): string {
  switch (scaling) {
    case "kept":
      return l10n.t("unchanged");
    case "blended":
      return l10n.t("changed");
    case "divided":
      return l10n.t("divided by {0}", formatSignificant(factor, 4));
    case "still":
      return l10n.t("not rotated");
  }
}

const SCALING_TONES: Readonly<Record<PairScaling, Tone>> = {
  kept: "third",
  blended: "second",
  divided: "accent",
  still: "muted",
};

function wavelength(omega: number): number {
  return omega > 0 ? (2 * Math.PI) / omega : Number.NaN;
}

function hasScaledPairs(set: PairSet): boolean {
  return set.pairs.some(({ scaling }) => scaling === "blended" || scaling === "divided");
}

function scalingBands(set: PairSet): ChartBand[] {
  const runs = scalingRuns(set);
  if (runs.every(({ scaling }) => scaling === "kept")) return [];
  return runs.map(({ scaling, from, to }) => ({
    from: from - 0.5,
    to: to + 0.5,
    label: scalingText(scaling, set.factor),
    tone: SCALING_TONES[scaling],
  }));
}

/** Whether positions are rows and columns of an image, not tokens. */
function isOnImage({ encoding, params }: ResolvedEncoding): boolean {
  return encoding.patchGrid?.(params) !== undefined;
}

function contextRules({ trainingContext, extendedContext }: PairSet): ChartRule[] {
  const rules: ChartRule[] = [];
  if (trainingContext !== null)
    rules.push({
      axis: "y",
      at: trainingContext,
      label: l10n.t("training context, {0}", groupDigits(trainingContext)),
    });
  if (extendedContext !== null)
    rules.push({
      axis: "y",
      at: extendedContext,
      label: l10n.t("extended context, {0}", groupDigits(extendedContext)),
    });
  return rules;
}

function pairDots({ pairs, trainingContext }: PairSet): ChartDot[] {
  return pairs.map(({ k, omega, unscaledOmega }) => ({
    at: [k, wavelength(omega)],
    filled: trainingContext !== null && rotationsWithin(unscaledOmega, trainingContext) >= 1,
    tone: "accent",
  }));
}

function wavelengthChart(context: ViewContext, set: PairSet, chosen: number): Chart {
  const { resolved, dispatch } = context;
  const [low, high] = wavelengthBounds(set);
  const scaled = hasScaledPairs(set);
  const last = set.pairs.length - 1;
  return {
    name: chartName(resolved, l10n.t("Frequencies"), l10n.t("wavelength of {0} pairs", set.pairs.length)),
    x: { label: l10n.t("pair k"), scale: "linear", from: -0.5, to: last + 0.5 },
    y: {
      label: isOnImage(resolved) ? l10n.t("wavelength (patches)") : l10n.t("wavelength (tokens)"),
      scale: "log",
      from: low,
      to: high,
    },
    lines: [
      ...(scaled
        ? [
            {
              label: l10n.t("unscaled"),
              points: set.pairs.map(({ k, unscaledOmega }) => [k, wavelength(unscaledOmega)] as const),
              tone: "muted" as const,
              dashed: true,
            },
          ]
        : []),
      {
        label: l10n.t("wavelength"),
        points: set.pairs.map(({ k, omega }) => [k, wavelength(omega)] as const),
        tone: "accent",
      },
    ],
    bands: scalingBands(set),
    rules: contextRules(set),
    dots: pairDots(set),
    crosshair: chosen,
    describe: (k) => {
      const length = formatBrief(wavelength(set.pairs[k]?.omega ?? 0));
      return isOnImage(resolved) ? l10n.t("k {0} · {1} patches", k, length) : l10n.t("k {0} · {1} tokens", k, length);
    },
    onPoint: (pair) => dispatch(changePicked({ pair })),
    height: 380,
  };
}

function divisorChart(context: ViewContext, set: PairSet, chosen: number): Chart {
  const largest = Math.max(...set.pairs.map(({ divisor }) => divisor));
  return {
    name: chartName(context.resolved, l10n.t("Frequencies"), l10n.t("divisor of {0} pairs", set.pairs.length)),
    x: { label: l10n.t("pair k"), scale: "linear", from: -0.5, to: set.pairs.length - 0.5 },
    y: { label: l10n.t("frequency divisor"), scale: "linear", from: 0.8, to: largest * 1.25 },
    lines: [
      { label: l10n.t("divisor"), points: set.pairs.map(({ k, divisor }) => [k, divisor] as const), tone: "second" },
    ],
    bands: scalingBands(set),
    crosshair: chosen,
    describe: (k) => `k ${k} · ÷ ${formatSignificant(set.pairs[k]?.divisor ?? 1, 5)}`,
    onPoint: (pair) => context.dispatch(changePicked({ pair })),
    height: 190,
  };
}

/** How fast a pair rotates. */
function rotationTexts(omega: number, grid: boolean): string[] {
  const rate = formatSignificant(omega, 6);
  const wavelengthText = formatBrief(wavelength(omega));
  const texts = grid
    ? [l10n.t("ω = {0} rad per row or column", rate), l10n.t("full rotation in {0} patches", wavelengthText)]
    : [l10n.t("ω = {0} rad per token", rate), l10n.t("full rotation in {0} tokens", wavelengthText)];
  return omega > 0 ? texts : texts.slice(0, 1);
}

function pairStatus(set: PairSet, { k, omega, unscaledOmega, divisor, scaling }: FrequencyPair, grid: boolean): string {
  const parts = [`k = ${k}`, ...rotationTexts(omega, grid)];
  if (set.trainingContext !== null) {
    parts.push(
      l10n.t("{0} full rotations in training", formatBrief(rotationsWithin(unscaledOmega, set.trainingContext))),
    );
  }
  if (set.extendedContext !== null) {
    parts.push(
      l10n.t(
        "{0} full rotations in {1} tokens",
        formatBrief(rotationsWithin(omega, set.extendedContext)),
        groupDigits(set.extendedContext),
      ),
    );
  }
  if (hasScaledPairs(set))
    parts.push(
      `${scalingText(scaling, set.factor)}${scaling === "blended" ? ` (÷ ${formatSignificant(divisor, 5)})` : ""}`,
    );
  return parts.join(" · ");
}

function trainingNote(set: PairSet): TemplateResult | typeof nothing {
  const { trainingContext, extendedContext, pairs } = set;
  if (trainingContext === null) return nothing;
  const full = pairs.filter(({ unscaledOmega }) => rotationsWithin(unscaledOmega, trainingContext) >= 1).length;
  const first = l10n.t(
    "{0} of {1} pairs complete a full rotation within the training context of {2} tokens, so all their angles were seen in training; the others cover only part of the circle.",
    full,
    pairs.length,
    groupDigits(trainingContext),
  );
  const length = extendedContext ?? trainingContext;
  const unseen = countPairsWithUnseenAngles(set, length);
  const second =
    extendedContext === null
      ? ""
      : l10n.t("At {0} tokens, {1} of {2} pairs reach unseen angles.", groupDigits(length), unseen, pairs.length);
  return html`<p class="chart-note">${first} ${second}</p>`;
}

function pairsLegend(set: PairSet): LegendEntry[] {
  const entries: LegendEntry[] = [{ label: l10n.t("these parameters"), tone: "accent" }];
  if (hasScaledPairs(set)) entries.push({ label: l10n.t("unscaled"), tone: "muted", dashed: true });
  if (set.trainingContext !== null)
    entries.push({ label: l10n.t("● full rotation in training, ○ less than one"), tone: null });
  return entries;
}

function chosenPair({ page }: ViewContext, { pairs }: PairSet): number {
  return Math.min(page.panel.picked.pair ?? 0, pairs.length - 1);
}

const cachedPairsB = memoizeLast((resolved: ResolvedEncoding) => computePairs(resolved));

function resolveComparedPairs({ comparison = null }: ViewContext): ComparedPairs | null {
  if (comparison === null) return null;
  const [a, b] = [cachedPairs(comparison.a), cachedPairsB(comparison.b)];
  return a === null || b === null ? null : { a, b, encodingB: comparison.encodingB };
}

function buildExport(context: ViewContext): ViewExport | null {
  const compared = resolveComparedPairs(context);
  if (compared !== null) {
    const chart = comparedPairsChart(context, compared, chosenPair(context, largerSet(compared)));
    return { svg: renderChartsSvg([chart]), table: comparedPairsTable(compared) };
  }
  const set = cachedPairs(context.resolved);
  if (set === null) return null;
  const chosen = chosenPair(context, set);
  const charts = [wavelengthChart(context, set, chosen)];
  if (hasScaledPairs(set)) charts.push(divisorChart(context, set, chosen));
  return {
    svg: renderChartsSvg(charts),
    table: {
      columns: ["k", "omega", "wavelength", "omega_unscaled", "divided_by", "full_rotations_in_training_context"],
      rows: set.pairs.map(({ k, omega, unscaledOmega, divisor }) => [
        k,
        omega,
        wavelength(omega),
        unscaledOmega,
        divisor,
        set.trainingContext === null ? Number.NaN : rotationsWithin(unscaledOmega, set.trainingContext),
      ]),
    },
  };
}

function renderBody(context: ViewContext): TemplateResult {
  const compared = resolveComparedPairs(context);
  if (compared !== null) return comparedPairsBody(context, compared, chosenPair(context, largerSet(compared)));
  const set = cachedPairs(context.resolved);
  if (set === null) return html``;
  const chosen = chosenPair(context, set);
  const pair = set.pairs[chosen];
  return html`<div class="chart-view">
    <posenc-chart .chart=${wavelengthChart(context, set, chosen)}></posenc-chart>
    ${chartLegend(pairsLegend(set))}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${pair === undefined ? nothing : pairStatus(set, pair, isOnImage(context.resolved))}</p>
    ${trainingNote(set)}
    ${hasScaledPairs(set) ? html`<posenc-chart .chart=${divisorChart(context, set, chosen)}></posenc-chart>` : nothing}
  </div>`;
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  if (cachedPairs(resolved) !== null) return null;
  const title = localize(resolved.encoding.name);
  return resolved.encoding.patchGrid?.(resolved.params) === undefined
    ? l10n.t("{0} has no fixed frequencies. See the Curves view for its logits by distance.", title)
    : l10n.t("{0} has no fixed frequencies. See the Grid view for its effect on rows and columns.", title);
}

/** Shows each pair's wavelength against the context, with and without scaling. */
export const frequenciesView: View = {
  id: "frequencies",
  title: () => l10n.t("Frequencies"),
  whyUnavailable: whyUnavailable,
  renderBody,
  buildExport,
  drawsBothSides: true,
};
