import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { Comparison } from "../../state/comparison.ts";
import { grouped, significant } from "../../state/format.ts";
import { type Model, titleOf } from "../../state/panelEncoding.ts";
import { pick } from "../../state/picked.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import {
  type Chart,
  type ChartArea,
  type ChartLine,
  type Point,
  roomyBounds,
  type Tone,
} from "../../ui/chart/chart.ts";
import { chartKey, chartName } from "../../ui/chart/parts.ts";
import type { DataTable, ViewContext } from "../view.ts";
import type { Curve, CurveSet } from "./model.ts";

/** One curve of each side over the same distances: A solid, B dashed. */
export interface ComparedCurves {
  readonly a: CurveSet;
  readonly b: CurveSet;
  readonly comparison: Comparison;
  /** Side A as its title says it; side B has its own model. */
  readonly model: Model;
}

interface Drawn {
  readonly set: CurveSet;
  readonly curve: Curve;
  readonly label: string;
  readonly tone: Tone;
  readonly dashed: boolean;
}

function curveOf(set: CurveSet, head: number): Curve | undefined {
  return set.curves.find(({ heads }) => heads.includes(head)) ?? set.curves[0];
}

function sides({ a, b, comparison, model }: ComparedCurves): Drawn[] {
  const own = curveOf(a, comparison.a.scene.head);
  const other = curveOf(b, comparison.b.scene.head);
  const named = (mark: string, side: Model, { scene }: Drawable) =>
    t("{0}: {1}, head {2}", mark, titleOf(side), scene.head);
  return [
    ...(own === undefined
      ? []
      : [{ set: a, curve: own, label: named("A", model, comparison.a), tone: "accent" as const, dashed: false }]),
    ...(other === undefined
      ? []
      : [
          {
            set: b,
            curve: other,
            label: named("B", comparison.model, comparison.b),
            tone: "second" as const,
            dashed: true,
          },
        ]),
  ];
}

function points({ deltas }: CurveSet, values: Float64Array): Point[] {
  return Array.from(values, (value, n) => [deltas[n] ?? 0, value]);
}

function lines(drawn: readonly Drawn[]): ChartLine[] {
  return drawn.map(({ set, curve, label, tone, dashed }) => {
    const middle = curve.high.map((high, n) => (high + (curve.low[n] ?? high)) / 2);
    return { label, tone, dashed, points: points(set, middle) };
  });
}

function areas(drawn: readonly Drawn[]): ChartArea[] {
  return drawn
    .filter(({ set }) => set.condensed)
    .map(({ set, curve, tone }) => ({ tone, low: points(set, curve.low), high: points(set, curve.high) }));
}

export function comparedRange({ a, b }: ComparedCurves): { readonly from: number; readonly to: number } {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to, a.from + 1) };
}

export function comparedChart(context: ViewContext, compared: ComparedCurves, at: number): Chart {
  const drawn = sides(compared);
  const { from, to } = comparedRange(compared);
  const [low, high] = roomyBounds(drawn.flatMap(({ curve }) => [...curve.low, ...curve.high]));
  const other = titleOf(compared.comparison.model);
  return {
    name: chartName(context.drawable, t("Curves"), t("compared with {0}, distances {1} … {2}", other, from, to)),
    x: { label: t("distance δ = i − j"), scale: "linear", from, to },
    y: { label: t("logit"), scale: "linear", from: low, to: high },
    areas: areas(drawn),
    lines: lines(drawn),
    at,
    describe: (delta) =>
      `δ ${grouped(delta)} · ${drawn.map(({ curve }) => significant(curve.at(delta), 5)).join(" | ")}`,
    onPoint: (distance) => context.dispatch(pick({ distance })),
    height: 420,
  };
}

function status(compared: ComparedCurves, delta: number): string {
  const [a = Number.NaN, b = Number.NaN] = sides(compared).map(({ curve }) => curve.at(delta));
  const parts = [`δ = ${grouped(delta)}`, `A ${significant(a, 6)}`, `B ${significant(b, 6)}`];
  return [...parts, `A − B ${significant(a === b ? 0 : a - b, 6)}`].join(" · ");
}

export function comparedBody(context: ViewContext, compared: ComparedCurves, at: number): TemplateResult {
  return html`<div class="chart-view">
    <posenc-chart .chart=${comparedChart(context, compared, at)}></posenc-chart>
    ${chartKey(sides(compared).map(({ label, tone, dashed }) => ({ label, tone, dashed })))}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${status(compared, at)}</p>
  </div>`;
}

/** Both sides at every distance that both were evaluated at. */
export function comparedTable(compared: ComparedCurves): DataTable {
  const [a, b] = sides(compared);
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
