import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { effectiveCrosshair, effectiveViewport } from "../../matrix/viewport.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { changePicked, setField } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { type Chart, type ChartPoint, roomyBounds } from "../../ui/chart/chart.ts";
import { colourLegend } from "../../ui/chart/colourLegend.ts";
import { renderChartsSvg } from "../../ui/chart/exportSvg.ts";
import { lineColour } from "../../ui/chart/mapColours.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import type { Theme } from "../../ui/theme.ts";
import { chartLegend, chartName, shiftNote } from "../chartParts.ts";
import type { DataTable, View, ViewContext, ViewExport } from "../view.ts";
import {
  type ComparedCurves,
  comparedCurvesBody,
  comparedCurvesChart,
  comparedCurvesTable,
  comparedDistances,
} from "./compared.ts";
import { type CurveSet, computeCurves, type HeadCurve } from "./computeCurves.ts";

/** A gated row is computed as a whole, so its length is limited. */
const MAX_GATED_ROW = 16_384;
const MAX_NAMED_CURVES = 12;

const cachedCurves = memoizeLast((resolved: ResolvedEncoding, row: number) => computeCurves(resolved, row));

function crosshairRow({ page, resolved }: ViewContext): number {
  const extent = { rows: resolved.scene.queryLength, columns: resolved.scene.keyLength };
  if (page.panel.crosshair === null) return extent.rows - 1;
  return effectiveCrosshair(page.panel.crosshair, effectiveViewport(page.panel.viewport, extent), extent).row;
}

function headsText({ heads }: HeadCurve, total: number): string {
  if (heads.length === total && total > 1) return l10n.t("all heads");
  const [first, ...rest] = heads;
  return rest.length === 0 ? l10n.t("head {0}", first ?? 0) : l10n.t("heads {0}", heads.join(", "));
}

function curveColour(theme: Theme, n: number, set: CurveSet): string {
  return lineColour(theme, n, set.curves.length);
}

/** A single curve has the accent colour; several have colours of the map. */
function lineColourProps(theme: Theme, n: number, set: CurveSet): { readonly colour?: string } {
  return set.curves.length > 1 ? { colour: curveColour(theme, n, set) } : {};
}

function describeShape({ shownHeads, from, to }: CurveSet, head: number): string {
  return shownHeads === 1
    ? l10n.t("head {0}, distances {1} … {2}", head, from, to)
    : l10n.t("{0} heads, distances {1} … {2}", shownHeads, from, to);
}

function curvesChart(context: ViewContext, set: CurveSet, crosshair: number): Chart {
  const { resolved, page, dispatch } = context;
  const [low, high] = roomyBounds(set.curves.flatMap((curve) => [...curve.low, ...curve.high]));
  const pointsOf = (values: Float64Array): ChartPoint[] =>
    Array.from(values, (value, n) => [set.deltas[n] ?? 0, value]);
  const chosen = set.curves.find(({ heads }) => heads.includes(resolved.scene.head)) ?? set.curves[0];
  return {
    name: chartName(resolved, l10n.t("Curves"), describeShape(set, resolved.scene.head)),
    x: { label: l10n.t("distance δ = i − j"), scale: "linear", from: set.from, to: Math.max(set.to, set.from + 1) },
    y: { label: l10n.t("logit"), scale: "linear", from: low, to: high },
    areas: set.condensed
      ? set.curves.map((curve, n) => ({
          low: pointsOf(curve.low),
          high: pointsOf(curve.high),
          tone: "accent",
          ...lineColourProps(page.theme, n, set),
        }))
      : [],
    lines: set.condensed
      ? []
      : set.curves.map((curve, n) => ({
          label: headsText(curve, set.shownHeads),
          points: pointsOf(curve.high),
          tone: "accent",
          ...lineColourProps(page.theme, n, set),
        })),
    crosshair,
    describe: (delta) => {
      return `δ ${groupDigits(delta)} · ${formatSignificant(chosen?.at(delta) ?? Number.NaN, 5)}`;
    },
    onPoint: (distance) => dispatch(changePicked({ distance })),
    height: 420,
  };
}

function headSlopes({ encoding, params }: ResolvedEncoding): readonly number[] {
  return (encoding.slopes?.(params) ?? []).filter((slope) => slope > 0);
}

/** Slopes by head, on a logarithmic axis. */
function slopesChart(context: ViewContext): Chart | null {
  const slopes = headSlopes(context.resolved);
  if (slopes.length === 0) return null;
  const points = slopes.map((slope, head) => [head, slope] as const);
  const low = 10 ** Math.floor(Math.log10(Math.min(...slopes)));
  const high = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(...slopes))));
  return {
    name: chartName(context.resolved, l10n.t("Curves"), l10n.t("slopes of {0} heads", slopes.length)),
    x: { label: l10n.t("head"), scale: "linear", from: -0.5, to: slopes.length - 0.5 },
    y: { label: l10n.t("slope"), scale: "log", from: low, to: high },
    lines: [],
    dots: points.map((at) => ({ at, filled: true, tone: "accent" })),
    crosshair: Math.min(context.resolved.scene.head, slopes.length - 1),
    describe: (head) => `h ${head} · ${formatSignificant(slopes[head] ?? 0, 6)}`,
    onPoint: (head) => context.dispatch(setField("head", head)),
    height: 240,
  };
}

function slopesSection(context: ViewContext): TemplateResult | typeof nothing {
  const chart = slopesChart(context);
  if (chart === null) return nothing;
  return html`<h3>${l10n.t("Slopes by head")}</h3><posenc-chart .chart=${chart}></posenc-chart>`;
}

function curvesStatus(set: CurveSet, delta: number): string {
  const values = set.curves
    .slice(0, MAX_NAMED_CURVES)
    .map((curve) => `${headsText(curve, set.shownHeads)} ${formatSignificant(curve.at(delta), 5)}`);
  return [`δ = ${groupDigits(delta)}`, ...values, ...(set.curves.length > MAX_NAMED_CURVES ? ["…"] : [])].join(" · ");
}

function notes(set: CurveSet, resolved: ResolvedEncoding): string {
  const { scene, attention } = resolved;
  const list: string[] = [];
  if (set.row === null) {
    list.push(l10n.t("Closed form: with this content, the logit depends only on the distance."), shiftNote(resolved));
  } else
    list.push(
      l10n.t("Measured along the row of query {0}.", groupDigits(set.row + attention.deltaOffset + scene.shift)),
    );
  if (scene.numbering !== undefined)
    list.push(l10n.t("Distances use sequence positions; logits use the position ids from the Positions view."));
  if (set.sampled) list.push(l10n.t("Bands show the minimum and maximum over sampled distances in each column."));
  else if (set.condensed) list.push(l10n.t("Bands show the minimum and maximum logit in each column."));
  return list.join(" ");
}

function curvesLegend(set: CurveSet, theme: Theme): TemplateResult {
  if (set.curves.length === 1)
    return chartLegend(set.curves.map((curve) => ({ label: headsText(curve, set.shownHeads), tone: "accent" })));
  if (set.curves.length > MAX_NAMED_CURVES) {
    const last = set.curves.length - 1;
    const ends = [0, last].map((n) => ({ n, curve: set.curves[n] }));
    return colourLegend(
      ends.flatMap(({ n, curve }) =>
        curve === undefined ? [] : [{ colour: curveColour(theme, n, set), label: headsText(curve, set.shownHeads) }],
      ),
    );
  }
  return colourLegend(
    set.curves.map((curve, n) => ({ colour: curveColour(theme, n, set), label: headsText(curve, set.shownHeads) })),
  );
}

function selectedDistance({ page }: ViewContext, { from, to }: Pick<CurveSet, "from" | "to">): number {
  return Math.max(from, Math.min(to, page.panel.picked.distance ?? Math.min(to, 64)));
}

function curvesTable(set: CurveSet): DataTable {
  const names = set.curves.map((curve) => headsText(curve, set.shownHeads));
  return {
    columns: ["delta", ...(set.condensed ? names.flatMap((name) => [`${name} low`, `${name} high`]) : names)],
    rows: Array.from(set.deltas, (delta, n) => [
      delta,
      ...set.curves.flatMap(({ low, high }) =>
        set.condensed ? [low[n] ?? Number.NaN, high[n] ?? Number.NaN] : [high[n] ?? Number.NaN],
      ),
    ]),
  };
}

const cachedCurvesB = memoizeLast((resolved: ResolvedEncoding, row: number) => computeCurves(resolved, row));

function resolveComparedCurves(context: ViewContext): ComparedCurves | null {
  const { comparison = null } = context;
  if (comparison === null) return null;
  const row = crosshairRow({ ...context, resolved: comparison.a });
  return {
    a: cachedCurves(comparison.a, row),
    b: cachedCurvesB(comparison.b, row),
    comparison: comparison,
    panelEncoding: context.panelEncoding,
  };
}

function buildExport(context: ViewContext): ViewExport {
  const compared = resolveComparedCurves(context);
  if (compared !== null) {
    const at = selectedDistance(context, comparedDistances(compared));
    return { svg: renderChartsSvg([comparedCurvesChart(context, compared, at)]), table: comparedCurvesTable(compared) };
  }
  const set = cachedCurves(context.resolved, crosshairRow(context));
  const ladder = slopesChart(context);
  const charts = [curvesChart(context, set, selectedDistance(context, set)), ...(ladder === null ? [] : [ladder])];
  return { svg: renderChartsSvg(charts), table: curvesTable(set) };
}

function renderBody(context: ViewContext): TemplateResult {
  const compared = resolveComparedCurves(context);
  if (compared !== null)
    return comparedCurvesBody(context, compared, selectedDistance(context, comparedDistances(compared)));
  const { resolved, page } = context;
  const set = cachedCurves(resolved, crosshairRow(context));
  const at = selectedDistance(context, set);
  return html`<div class="chart-view">
    <posenc-chart .chart=${curvesChart(context, set, at)}></posenc-chart>
    ${curvesLegend(set, page.theme)}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${curvesStatus(set, at)}</p>
    <p class="chart-note">${notes(set, resolved)}</p>
    ${slopesSection(context)}
  </div>`;
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  const { encoding, params, attention, scene } = resolved;
  const title = localize(encoding.name);
  if (encoding.patchGrid?.(params) !== undefined) {
    return l10n.t("In {0}, a distance has a row and a column component. See the Grid view.", title);
  }
  if (
    !encoding.cellsAreIndependent &&
    attention.terms.some(({ kind }) => kind === "gated") &&
    scene.keyLength > MAX_GATED_ROW
  ) {
    return l10n.t(
      "{0} needs a whole row for each value. Shorten the sequence to at most {1} tokens to see its curve.",
      title,
      MAX_GATED_ROW,
    );
  }
  return null;
}

/** Shows the logit against distance, one line per head. */
export const curvesView: View = {
  id: "curves",
  title: () => l10n.t("Curves"),
  startsGroup: true,
  whyUnavailable: whyUnavailable,
  renderBody,
  buildExport,
  drawsBothSides: true,
};
