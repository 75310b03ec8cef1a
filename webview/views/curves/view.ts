import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { grouped, significant } from "../../state/format.ts";
import type { Theme } from "../../state/page.ts";
import { pick } from "../../state/picked.ts";
import { setField } from "../../state/reducers.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import { crosshairOf, viewportOf } from "../../state/viewport.ts";
import { type Chart, type Point, roomyBounds } from "../../ui/chart/chart.ts";
import { lineColour } from "../../ui/chart/colours.ts";
import { chartKey, chartName, unshifted } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import { colourKey } from "../../ui/chart/swatch.ts";
import type { DataTable, Exportable, View, ViewContext } from "../view.ts";
import { type ComparedCurves, comparedBody, comparedChart, comparedRange, comparedTable } from "./compared.ts";
import { type Curve, type CurveSet, curveSet } from "./model.ts";

/** A gated row is computed as a whole. */
const LONGEST_ROW = 16_384;
const NAMED = 12;

const curvesOf = memo((drawable: Drawable, row: number) => curveSet(drawable, row));

function rowOf({ page, drawable }: ViewContext): number {
  const extent = { rows: drawable.scene.queryLength, columns: drawable.scene.keyLength };
  if (page.panel.crosshair === null) return extent.rows - 1;
  return crosshairOf(page.panel.crosshair, viewportOf(page.panel.viewport, extent), extent).row;
}

function headsText({ heads }: Curve, total: number): string {
  if (heads.length === total && total > 1) return t("all heads");
  const [first, ...rest] = heads;
  return rest.length === 0 ? t("head {0}", first ?? 0) : t("heads {0}", heads.join(", "));
}

function colourOf(theme: Theme, n: number, set: CurveSet): string {
  return lineColour(theme, n, set.curves.length);
}

/** A curve alone is a line like any other; several have the map's colours. */
function ownColour(theme: Theme, n: number, set: CurveSet): { readonly colour?: string } {
  return set.curves.length > 1 ? { colour: colourOf(theme, n, set) } : {};
}

function shapeText({ shownHeads, from, to }: CurveSet, head: number): string {
  return shownHeads === 1
    ? t("head {0}, distances {1} … {2}", head, from, to)
    : t("{0} heads, distances {1} … {2}", shownHeads, from, to);
}

function chart(context: ViewContext, set: CurveSet, at: number): Chart {
  const { drawable, page, dispatch } = context;
  const [low, high] = roomyBounds(set.curves.flatMap((curve) => [...curve.low, ...curve.high]));
  const pointsOf = (values: Float64Array): Point[] => Array.from(values, (value, n) => [set.deltas[n] ?? 0, value]);
  const chosen = set.curves.find(({ heads }) => heads.includes(drawable.scene.head)) ?? set.curves[0];
  return {
    name: chartName(drawable, t("Curves"), shapeText(set, drawable.scene.head)),
    x: { label: t("distance δ = i − j"), scale: "linear", from: set.from, to: Math.max(set.to, set.from + 1) },
    y: { label: t("logit"), scale: "linear", from: low, to: high },
    areas: set.condensed
      ? set.curves.map((curve, n) => ({
          low: pointsOf(curve.low),
          high: pointsOf(curve.high),
          tone: "accent",
          ...ownColour(page.theme, n, set),
        }))
      : [],
    lines: set.condensed
      ? []
      : set.curves.map((curve, n) => ({
          label: headsText(curve, set.shownHeads),
          points: pointsOf(curve.high),
          tone: "accent",
          ...ownColour(page.theme, n, set),
        })),
    at,
    describe: (delta) => {
      return `δ ${grouped(delta)} · ${significant(chosen?.at(delta) ?? Number.NaN, 5)}`;
    },
    onPoint: (distance) => dispatch(pick({ distance })),
    height: 420,
  };
}

function slopesOf({ encoding, params }: Drawable): readonly number[] {
  const slopes = encoding.derived?.(params)["alibi_slopes"];
  return Array.isArray(slopes) ? slopes.filter((slope): slope is number => typeof slope === "number" && slope > 0) : [];
}

/** The slope of each head: equal steps on a logarithmic axis. */
function ladderChart(context: ViewContext): Chart | null {
  const slopes = slopesOf(context.drawable);
  if (slopes.length === 0) return null;
  const points = slopes.map((slope, head) => [head, slope] as const);
  const low = 10 ** Math.floor(Math.log10(Math.min(...slopes)));
  const high = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(...slopes))));
  return {
    name: chartName(context.drawable, t("Curves"), t("slopes of {0} heads", slopes.length)),
    x: { label: t("head"), scale: "linear", from: -0.5, to: slopes.length - 0.5 },
    y: { label: t("slope"), scale: "log", from: low, to: high },
    lines: [],
    dots: points.map((at) => ({ at, filled: true, tone: "accent" })),
    at: Math.min(context.drawable.scene.head, slopes.length - 1),
    describe: (head) => `h ${head} · ${significant(slopes[head] ?? 0, 6)}`,
    onPoint: (head) => context.dispatch(setField("head", head)),
    height: 240,
  };
}

function ladder(context: ViewContext): TemplateResult | typeof nothing {
  const chart = ladderChart(context);
  if (chart === null) return nothing;
  return html`<h3>${t("Slopes by head")}</h3><posenc-chart .chart=${chart}></posenc-chart>`;
}

function status(set: CurveSet, delta: number): string {
  const values = set.curves
    .slice(0, NAMED)
    .map((curve) => `${headsText(curve, set.shownHeads)} ${significant(curve.at(delta), 5)}`);
  return [`δ = ${grouped(delta)}`, ...values, ...(set.curves.length > NAMED ? ["…"] : [])].join(" · ");
}

function notes(set: CurveSet, drawable: Drawable): string {
  const { scene, attention } = drawable;
  const list: string[] = [];
  if (set.row === null) {
    list.push(t("Closed form: with this content, the logit depends only on the distance."), unshifted(drawable));
  } else list.push(t("Measured along the row of query {0}.", grouped(set.row + attention.deltaOffset + scene.shift)));
  if (scene.numbering !== undefined)
    list.push(t("Distances use sequence positions; logits use the position ids from the Positions view."));
  if (set.sampled) list.push(t("Bands show the minimum and maximum over sampled distances in each column."));
  else if (set.condensed) list.push(t("Bands show the minimum and maximum logit in each column."));
  return list.join(" ");
}

function key(set: CurveSet, theme: Theme): TemplateResult {
  if (set.curves.length === 1)
    return chartKey(set.curves.map((curve) => ({ label: headsText(curve, set.shownHeads), tone: "accent" })));
  if (set.curves.length > NAMED) {
    const last = set.curves.length - 1;
    const ends = [0, last].map((n) => ({ n, curve: set.curves[n] }));
    return colourKey(
      ends.flatMap(({ n, curve }) =>
        curve === undefined ? [] : [{ colour: colourOf(theme, n, set), label: headsText(curve, set.shownHeads) }],
      ),
    );
  }
  return colourKey(
    set.curves.map((curve, n) => ({ colour: colourOf(theme, n, set), label: headsText(curve, set.shownHeads) })),
  );
}

function placeOf({ page }: ViewContext, { from, to }: Pick<CurveSet, "from" | "to">): number {
  return Math.max(from, Math.min(to, page.panel.picked.distance ?? Math.min(to, 64)));
}

function table(set: CurveSet): DataTable {
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

const otherCurvesOf = memo((drawable: Drawable, row: number) => curveSet(drawable, row));

function comparedOf(context: ViewContext): ComparedCurves | null {
  const { other = null } = context;
  if (other === null) return null;
  const row = rowOf({ ...context, drawable: other.a });
  return { a: curvesOf(other.a, row), b: otherCurvesOf(other.b, row), comparison: other, model: context.model };
}

function exportable(context: ViewContext): Exportable {
  const compared = comparedOf(context);
  if (compared !== null) {
    const at = placeOf(context, comparedRange(compared));
    return { svg: chartsSvg([comparedChart(context, compared, at)]), table: comparedTable(compared) };
  }
  const set = curvesOf(context.drawable, rowOf(context));
  const ladder = ladderChart(context);
  const charts = [chart(context, set, placeOf(context, set)), ...(ladder === null ? [] : [ladder])];
  return { svg: chartsSvg(charts), table: table(set) };
}

function body(context: ViewContext): TemplateResult {
  const compared = comparedOf(context);
  if (compared !== null) return comparedBody(context, compared, placeOf(context, comparedRange(compared)));
  const { drawable, page } = context;
  const set = curvesOf(drawable, rowOf(context));
  const at = placeOf(context, set);
  return html`<div class="chart-view">
    <posenc-chart .chart=${chart(context, set, at)}></posenc-chart>
    ${key(set, page.theme)}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${status(set, at)}</p>
    <p class="chart-note">${notes(set, drawable)}</p>
    ${ladder(context)}
  </div>`;
}

function whyNot(drawable: Drawable): string | null {
  const { encoding, params, attention, scene } = drawable;
  const title = localize(encoding.title);
  if (encoding.grid?.(params) !== undefined) {
    return t("In {0}, a distance has a row and a column component. See the Grid view.", title);
  }
  if (!encoding.local && attention.terms.some(({ kind }) => kind === "gated") && scene.keyLength > LONGEST_ROW) {
    return t(
      "{0} needs a whole row for each value. Shorten the sequence to at most {1} tokens to see its curve.",
      title,
      LONGEST_ROW,
    );
  }
  return null;
}

/** The logit against distance, one line for each head. */
export const curvesView: View = {
  id: "curves",
  title: () => t("Curves"),
  starts: true,
  unavailable: whyNot,
  body,
  exportable,
  compares: true,
};
