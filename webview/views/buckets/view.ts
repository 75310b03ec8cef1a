import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  type BucketRule,
  type BucketRun,
  bucketRule,
  bucketRuns,
  roundedElsewhere,
} from "../../../src/core/measure/buckets.ts";
import { grouped, significant } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import type { Chart } from "../../ui/chart/chart.ts";
import { mapColour } from "../../ui/chart/colours.ts";
import { chartName, unshifted } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import type { Exportable, View, ViewContext } from "../view.ts";

/** Distances drawn on each side. */
const FARTHEST = 4096;

interface Buckets {
  readonly rule: BucketRule;
  readonly reach: number;
  readonly runs: readonly BucketRun[];
  /** Distances that float64 would put elsewhere. */
  readonly elsewhere: readonly number[];
}

const bucketsOf = memo(({ encoding, params }: Drawable): Buckets | null => {
  const rule = bucketRule(encoding, params);
  if (rule === null) return null;
  const reach = Math.min(FARTHEST, Math.ceil(rule.last * 1.15) + 2);
  return { rule, reach, runs: bucketRuns(rule, -reach, reach), elsewhere: roundedElsewhere(rule, -reach, reach) };
});

function chart(context: ViewContext, { rule, reach, runs }: Buckets, at: number): Chart {
  const { drawable, dispatch, page } = context;
  const points = [
    ...runs.map(({ from, bucket }) => [from - 0.5, bucket] as const),
    [reach + 0.5, rule.at(reach)] as const,
  ];
  const rows = Math.max(1, rule.rows - 1);
  return {
    name: chartName(drawable, t("Buckets"), t("{0} rows for distances −{1} … {1}", grouped(rule.rows), grouped(reach))),
    x: { label: t("distance δ = i − j"), scale: "linear", from: -reach - 0.5, to: reach + 0.5 },
    y: { label: t("table row"), scale: "linear", from: -0.08 * rows, to: rows * 1.04 },
    lines: [{ label: t("bucket"), points, tone: "accent", step: true }],
    strip: runs.map(({ bucket, from, to }) => ({
      from: from - 0.5,
      to: to + 0.5,
      colour: mapColour(page.theme, bucket / rows),
    })),
    rules: [
      { axis: "x", at: 0, label: t("same token") },
      ...(rule.last < reach
        ? [-1, 1].map((sign) => ({
            axis: "x" as const,
            at: sign * rule.last,
            label: sign > 0 ? t("shared from here on") : "",
          }))
        : []),
    ],
    at,
    describe: (delta) => t("distance {0} → {1}", grouped(delta), rule.at(delta)),
    onPoint: (distance) => dispatch(pick({ distance })),
    height: 420,
  };
}

function statusText({ rule, runs, reach }: Buckets, delta: number, drawable: Drawable): string {
  const bucket = rule.at(delta);
  const run = runs.find(({ from, to }) => delta >= from && delta <= to);
  const side = delta > 0 ? t("key before the query") : delta < 0 ? t("key after the query") : t("same token");
  const parts = [t("δ = {0} ({1}) → row {2} of {3}", grouped(delta), side, grouped(bucket), grouped(rule.rows))];
  if (run !== undefined && run.from === run.to) parts.push(t("for this distance only"));
  else if (run !== undefined) {
    const open = run.from <= -reach || run.to >= reach;
    const range = `${run.from <= -reach ? "−∞" : grouped(run.from)} … ${run.to >= reach ? "∞" : grouped(run.to)}`;
    parts.push(open ? t("shared by all distances {0}", range) : t("shared by distances {0}", range));
  }
  const bias = drawable.attention.terms.find(({ kind }) => kind === "bias")?.profile;
  if (bias !== undefined) parts.push(t("bias of head {0}: {1}", drawable.scene.head, significant(bias(delta), 5)));
  return parts.join(" · ");
}

function ruleText({ rule, elsewhere, reach }: Buckets): string {
  switch (rule.kind) {
    case "clip":
      return t("Distances are clipped at both ends; each distance in between has its own row.");
    case "deberta":
      return `${t("Small distances each have their own row; larger ones share rows on a logarithmic scale, rounded up.")} ${roundingText(elsewhere, reach)}`;
    case "t5":
      return `${t("Small distances each have their own row; larger ones share rows on a logarithmic scale, rounded down.")} ${roundingText(elsewhere, reach)}`;
  }
}

function roundingText(elsewhere: readonly number[], reach: number): string {
  const rule = t("The logarithm is computed in float32, as in torch;");
  if (elsewhere.length === 0) return `${rule} ${t("float64 gives the same rows up to distance {0}.", grouped(reach))}`;
  const list = shortList(elsewhere);
  return `${rule} ${t("in float64, {0} of the plotted distances would use a different row: δ = {1}.", elsewhere.length, list)}`;
}

function placeOf({ page }: ViewContext, { reach }: Buckets): number {
  return Math.max(-reach, Math.min(reach, page.panel.picked.distance ?? Math.min(8, reach)));
}

function exportable(context: ViewContext): Exportable | null {
  const buckets = bucketsOf(context.drawable);
  if (buckets === null) return null;
  const { rule, reach } = buckets;
  return {
    svg: chartsSvg([chart(context, buckets, placeOf(context, buckets))]),
    table: {
      columns: ["delta", "row"],
      rows: Array.from({ length: 2 * reach + 1 }, (_, n) => [n - reach, rule.at(n - reach)]),
    },
  };
}

function body(context: ViewContext): TemplateResult {
  const buckets = bucketsOf(context.drawable);
  if (buckets === null) return html``;
  const at = placeOf(context, buckets);
  return html`<div class="chart-view">
    <posenc-chart .chart=${chart(context, buckets, at)}></posenc-chart>
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${statusText(buckets, at, context.drawable)}</p>
    <p class="chart-note">${ruleText(buckets)} ${unshifted(context.drawable)}</p>
  </div>`;
}

function shortList(list: readonly number[]): string {
  const shown = list.slice(0, 12).map((delta) => grouped(delta));
  return shown.length < list.length ? `${shown.join(", ")}, …` : shown.join(", ");
}

function whyNot(drawable: Drawable): string | null {
  if (bucketsOf(drawable) !== null) return null;
  const title = localize(drawable.encoding.title);
  if (drawable.encoding.grid?.(drawable.params) !== undefined)
    return t("{0} has no buckets: each row and column offset has its own value. See the Grid view.", title);
  if (drawable.encoding.id === "tupe")
    return drawable.params["rel_pos"] === true
      ? t("{0} adds T5 buckets to its positions. Select T5 bias to see this view.", title)
      : t("{0} has no buckets: it encodes positions, not distances. See the Bias view.", title);
  return drawable.encoding.classification.kind === "absolute"
    ? t("{0} has no buckets: it encodes positions, not distances. See the Table view.", title)
    : t("{0} has no buckets: each distance has its own value. See the Curves view.", title);
}

/** Which distances share a row of the trained table. */
export const bucketsView: View = {
  id: "buckets",
  title: () => t("Buckets"),
  unavailable: whyNot,
  body,
  exportable,
};
