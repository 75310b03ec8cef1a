import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { PairSet } from "../../../src/core/measure/pairs.ts";
import { brief } from "../../state/format.ts";
import { type Model, titleOf } from "../../state/panelEncoding.ts";
import { pick } from "../../state/picked.ts";
import type { Chart, Point } from "../../ui/chart/chart.ts";
import { chartKey, chartName } from "../../ui/chart/parts.ts";
import type { DataTable, ViewContext } from "../view.ts";
import { wavelengthBounds } from "./model.ts";

/** The pairs of both sides of a comparison. */
export interface ComparedPairs {
  readonly a: PairSet;
  readonly b: PairSet;
  /** Side B as its title says it. */
  readonly other: Model;
}

function wavelength(omega: number): number {
  return omega > 0 ? (2 * Math.PI) / omega : Number.NaN;
}

function points({ pairs }: PairSet): Point[] {
  return pairs.map(({ k, omega }) => [k, wavelength(omega)] as const);
}

function lengthAt({ pairs }: PairSet, k: number): number {
  return wavelength(pairs[k]?.omega ?? Number.NaN);
}

export function comparedChart(context: ViewContext, { a, b, other }: ComparedPairs, chosen: number): Chart {
  const [low, high] = wavelengthBounds(a);
  const [otherLow, otherHigh] = wavelengthBounds(b);
  const count = Math.max(a.pairs.length, b.pairs.length);
  return {
    name: chartName(
      context.drawable,
      t("Frequencies"),
      t("wavelength of {1} pairs, compared with {0}", titleOf(other), count),
    ),
    x: { label: t("pair k"), scale: "linear", from: -0.5, to: count - 0.5 },
    y: { label: t("wavelength (tokens)"), scale: "log", from: Math.min(low, otherLow), to: Math.max(high, otherHigh) },
    lines: [
      { label: "A", points: points(a), tone: "accent" },
      { label: "B", points: points(b), tone: "second", dashed: true },
    ],
    at: chosen,
    describe: (k) => `k ${k} · ${brief(lengthAt(a, k))} | ${brief(lengthAt(b, k))}`,
    onPoint: (pair) => context.dispatch(pick({ pair })),
    height: 420,
  };
}

function turn(set: PairSet, k: number): string {
  const pair = set.pairs[k];
  if (pair === undefined) return t("pair does not exist");
  return pair.omega > 0 ? t("full rotation in {0} tokens", brief(wavelength(pair.omega))) : t("not rotated");
}

function ratio({ a, b }: ComparedPairs, k: number): string[] {
  const [own, other] = [lengthAt(a, k), lengthAt(b, k)];
  return Number.isFinite(own) && Number.isFinite(other) ? [`A ÷ B ${brief(own / other)}`] : [];
}

export function comparedBody(context: ViewContext, compared: ComparedPairs, chosen: number): TemplateResult {
  const { a, b, other } = compared;
  const parts = [`k = ${chosen}`, `A: ${turn(a, chosen)}`, `B: ${turn(b, chosen)}`, ...ratio(compared, chosen)];
  return html`<div class="chart-view">
    <posenc-chart .chart=${comparedChart(context, compared, chosen)}></posenc-chart>
    ${chartKey([
      { label: t("A: {0}", titleOf(context.model)), tone: "accent" },
      { label: t("B: {0}", titleOf(other)), tone: "second", dashed: true },
    ])}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${parts.join(" · ")}</p>
  </div>`;
}

/** The side with more pairs. */
export function longer({ a, b }: ComparedPairs): PairSet {
  return b.pairs.length > a.pairs.length ? b : a;
}

export function comparedTable(compared: ComparedPairs): DataTable {
  const { a, b } = compared;
  return {
    columns: ["k", "wavelength A", "wavelength B"],
    rows: longer(compared).pairs.map((_, k) => [k, lengthAt(a, k), lengthAt(b, k)]),
  };
}
