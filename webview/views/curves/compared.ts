import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ComparedSides } from "../../state/comparison.ts";
import { formatTitle, type PanelEncoding } from "../../state/panelEncoding.ts";
import { changePicked } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import {
  type Chart,
  type ChartArea,
  type ChartLine,
  type ChartPoint,
  roomyBounds,
  type Tone,
} from "../../ui/chart/chart.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartLegend, chartName } from "../chartParts.ts";
import type { DataTable, ViewContext } from "../view.ts";
import type { CurveSet, HeadCurve } from "./computeCurves.ts";

/** One curve of each side over the same distances: A solid, B dashed. */
export interface ComparedCurves {
  readonly a: CurveSet;
  readonly b: CurveSet;
  readonly comparison: ComparedSides;
  /** Side A's encoding, for its title; side B's is in `comparison`. */
  readonly panelEncoding: PanelEncoding;
}

interface ComparedCurve {
  readonly set: CurveSet;
  readonly curve: HeadCurve;
  readonly label: string;
  readonly tone: Tone;
  readonly dashed: boolean;
}

function findHeadCurve(set: CurveSet, head: number): HeadCurve | undefined {
  return set.curves.find(({ heads }) => heads.includes(head)) ?? set.curves[0];
}

function comparedSides({ a, b, comparison, panelEncoding }: ComparedCurves): ComparedCurve[] {
  const curveA = findHeadCurve(a, comparison.a.scene.head);
  const curveB = findHeadCurve(b, comparison.b.scene.head);
  const named = (mark: string, side: PanelEncoding, { scene }: ResolvedEncoding) =>
    l10n.t("{0}: {1}, head {2}", mark, formatTitle(side), scene.head);
  return [
    ...(curveA === undefined
      ? []
      : [
          {
            set: a,
            curve: curveA,
            label: named("A", panelEncoding, comparison.a),
            tone: "accent" as const,
            dashed: false,
          },
        ]),
    ...(curveB === undefined
      ? []
      : [
          {
            set: b,
            curve: curveB,
            label: named("B", comparison.encodingB, comparison.b),
            tone: "second" as const,
            dashed: true,
          },
        ]),
  ];
}

function toPoints({ deltas }: CurveSet, values: Float64Array): ChartPoint[] {
  return Array.from(values, (value, n) => [deltas[n] ?? 0, value]);
}

function middleLines(drawn: readonly ComparedCurve[]): ChartLine[] {
  return drawn.map(({ set, curve, label, tone, dashed }) => {
    const middle = curve.high.map((high, n) => (high + (curve.low[n] ?? high)) / 2);
    return { label, tone, dashed, points: toPoints(set, middle) };
  });
}

function rangeAreas(drawn: readonly ComparedCurve[]): ChartArea[] {
  return drawn
    .filter(({ set }) => set.condensed)
    .map(({ set, curve, tone }) => ({ tone, low: toPoints(set, curve.low), high: toPoints(set, curve.high) }));
}

export function comparedDistances({ a, b }: ComparedCurves): { readonly from: number; readonly to: number } {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to, a.from + 1) };
}

export function comparedCurvesChart(context: ViewContext, compared: ComparedCurves, crosshair: number): Chart {
  const drawn = comparedSides(compared);
  const { from, to } = comparedDistances(compared);
  const [low, high] = roomyBounds(drawn.flatMap(({ curve }) => [...curve.low, ...curve.high]));
  const titleB = formatTitle(compared.comparison.encodingB);
  return {
    name: chartName(
      context.resolved,
      l10n.t("Curves"),
      l10n.t("compared with {0}, distances {1} … {2}", titleB, from, to),
    ),
    x: { label: l10n.t("distance δ = i − j"), scale: "linear", from, to },
    y: { label: l10n.t("logit"), scale: "linear", from: low, to: high },
    areas: rangeAreas(drawn),
    lines: middleLines(drawn),
    crosshair,
    describe: (delta) =>
      `δ ${groupDigits(delta)} · ${drawn.map(({ curve }) => formatSignificant(curve.at(delta), 5)).join(" | ")}`,
    onPoint: (distance) => context.dispatch(changePicked({ distance })),
    height: 420,
  };
}

function comparedStatus(compared: ComparedCurves, delta: number): string {
  const [a = Number.NaN, b = Number.NaN] = comparedSides(compared).map(({ curve }) => curve.at(delta));
  const parts = [`δ = ${groupDigits(delta)}`, `A ${formatSignificant(a, 6)}`, `B ${formatSignificant(b, 6)}`];
  return [...parts, `A − B ${formatSignificant(a === b ? 0 : a - b, 6)}`].join(" · ");
}

export function comparedCurvesBody(context: ViewContext, compared: ComparedCurves, at: number): TemplateResult {
  return html`<div class="chart-view">
    <posenc-chart .chart=${comparedCurvesChart(context, compared, at)}></posenc-chart>
    ${chartLegend(comparedSides(compared).map(({ label, tone, dashed }) => ({ label, tone, dashed })))}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${comparedStatus(compared, at)}</p>
  </div>`;
}

/** Both sides at each distance of side A. */
export function comparedCurvesTable(compared: ComparedCurves): DataTable {
  const [a, b] = comparedSides(compared);
  const deltas = compared.a.deltas;
  return {
    columns: ["delta", "A", "B", "A - B"],
    rows: Array.from(deltas, (middle) => {
      const delta = Math.round(middle);
      const [own, other] = [a?.curve.at(delta) ?? Number.NaN, b?.curve.at(delta) ?? Number.NaN];
      return [delta, own, other, own - other];
    }),
  };
}
