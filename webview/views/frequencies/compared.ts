import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { PairSet } from "../../../src/core/measure/pairs.ts";
import { formatTitle, type PanelEncoding } from "../../state/panelEncoding.ts";
import { changePicked } from "../../state/reducers.ts";
import type { Chart, ChartPoint } from "../../ui/chart/chart.ts";
import { formatBrief } from "../../ui/format.ts";
import { chartLegend, chartName } from "../chartParts.ts";
import type { DataTable, ViewContext } from "../view.ts";
import { wavelengthBounds } from "./scalingRuns.ts";

/** The pairs of both sides of a comparison. */
export interface ComparedPairs {
  readonly a: PairSet;
  readonly b: PairSet;
  /** Side B's encoding, for its title. */
  readonly encodingB: PanelEncoding;
}

function wavelength(omega: number): number {
  return omega > 0 ? (2 * Math.PI) / omega : Number.NaN;
}

function wavelengthPoints({ pairs }: PairSet): ChartPoint[] {
  return pairs.map(({ k, omega }) => [k, wavelength(omega)] as const);
}

function wavelengthAt({ pairs }: PairSet, k: number): number {
  return wavelength(pairs[k]?.omega ?? Number.NaN);
}

export function comparedPairsChart(context: ViewContext, { a, b, encodingB }: ComparedPairs, chosen: number): Chart {
  const [low, high] = wavelengthBounds(a);
  const [otherLow, otherHigh] = wavelengthBounds(b);
  const count = Math.max(a.pairs.length, b.pairs.length);
  return {
    name: chartName(
      context.resolved,
      l10n.t("Frequencies"),
      l10n.t("wavelength of {1} pairs, compared with {0}", formatTitle(encodingB), count),
    ),
    x: { label: l10n.t("pair k"), scale: "linear", from: -0.5, to: count - 0.5 },
    y: {
      label: l10n.t("wavelength (tokens)"),
      scale: "log",
      from: Math.min(low, otherLow),
      to: Math.max(high, otherHigh),
    },
    lines: [
      { label: "A", points: wavelengthPoints(a), tone: "accent" },
      { label: "B", points: wavelengthPoints(b), tone: "second", dashed: true },
    ],
    crosshair: chosen,
    describe: (k) => `k ${k} · ${formatBrief(wavelengthAt(a, k))} | ${formatBrief(wavelengthAt(b, k))}`,
    onPoint: (pair) => context.dispatch(changePicked({ pair })),
    height: 420,
  };
}

function rotationText(set: PairSet, k: number): string {
  const pair = set.pairs[k];
  if (pair === undefined) return l10n.t("pair does not exist");
  return pair.omega > 0
    ? l10n.t("full rotation in {0} tokens", formatBrief(wavelength(pair.omega)))
    : l10n.t("not rotated");
}

function ratioText({ a, b }: ComparedPairs, k: number): string[] {
  const [own, other] = [wavelengthAt(a, k), wavelengthAt(b, k)];
  return Number.isFinite(own) && Number.isFinite(other) ? [`A ÷ B ${formatBrief(own / other)}`] : [];
}

export function comparedPairsBody(context: ViewContext, compared: ComparedPairs, chosen: number): TemplateResult {
  const { a, b, encodingB } = compared;
  const parts = [
    `k = ${chosen}`,
    `A: ${rotationText(a, chosen)}`,
    `B: ${rotationText(b, chosen)}`,
    ...ratioText(compared, chosen),
  ];
  return html`<div class="chart-view">
    <posenc-chart .chart=${comparedPairsChart(context, compared, chosen)}></posenc-chart>
    ${chartLegend([
      { label: l10n.t("A: {0}", formatTitle(context.panelEncoding)), tone: "accent" },
      { label: l10n.t("B: {0}", formatTitle(encodingB)), tone: "second", dashed: true },
    ])}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${parts.join(" · ")}</p>
  </div>`;
}

/** The side with more pairs. */
export function largerSet({ a, b }: ComparedPairs): PairSet {
  return b.pairs.length > a.pairs.length ? b : a;
}

export function comparedPairsTable(compared: ComparedPairs): DataTable {
  const { a, b } = compared;
  return {
    columns: ["k", "wavelength A", "wavelength B"],
    rows: largerSet(compared).pairs.map((_, k) => [k, wavelengthAt(a, k), wavelengthAt(b, k)]),
  };
}
