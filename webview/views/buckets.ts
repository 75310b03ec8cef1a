import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { BucketRule } from "../../src/core/encodings/encoding.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import { type BucketRun, findRoundingDifferences, listBucketRuns } from "../../src/core/measure/buckets.ts";
import { memoizeLast } from "../state/memoize.ts";
import { changePicked } from "../state/reducers.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import type { Chart } from "../ui/chart/chart.ts";
import { renderChartsSvg } from "../ui/chart/exportSvg.ts";
import { mapColour } from "../ui/chart/mapColours.ts";
import { formatSignificant, groupDigits } from "../ui/format.ts";
import { chartName, shiftNote } from "./chartParts.ts";
import type { View, ViewContext, ViewExport } from "./view.ts";

/** Largest distance drawn on each side. */
const MAX_DISTANCE = 4096;

interface BucketData {
  readonly rule: BucketRule;
  readonly reach: number;
  readonly runs: readonly BucketRun[];
  /** Distances whose bucket would differ in float64. */
  readonly movedInFloat64: readonly number[];
}

const computeBuckets = memoizeLast(({ encoding, params }: ResolvedEncoding): BucketData | null => {
  const rule = encoding.buckets?.(params);
  if (rule === undefined) return null;
  const reach = Math.min(MAX_DISTANCE, Math.ceil(rule.lastDistance * 1.15) + 2);
  return {
    rule,
    reach,
    runs: listBucketRuns(rule, -reach, reach),
    movedInFloat64: findRoundingDifferences(rule, -reach, reach),
  };
});

function bucketChart(context: ViewContext, { rule, reach, runs }: BucketData, crosshair: number): Chart {
  const { resolved, dispatch, page } = context;
  const points = [
    ...runs.map(({ from, bucket }) => [from - 0.5, bucket] as const),
    [reach + 0.5, rule.row(reach)] as const,
  ];
  const rows = Math.max(1, rule.rowCount - 1);
  return {
    name: chartName(
      resolved,
      l10n.t("Buckets"),
      l10n.t("{0} rows for distances −{1} … {1}", groupDigits(rule.rowCount), groupDigits(reach)),
    ),
    x: { label: l10n.t("distance δ = i − j"), scale: "linear", from: -reach - 0.5, to: reach + 0.5 },
    y: { label: l10n.t("table row"), scale: "linear", from: -0.08 * rows, to: rows * 1.04 },
    lines: [{ label: l10n.t("bucket"), points, tone: "accent", step: true }],
    strip: runs.map(({ bucket, from, to }) => ({
      from: from - 0.5,
      to: to + 0.5,
      colour: mapColour(page.theme, bucket / rows),
    })),
    rules: [
      { axis: "x", at: 0, label: l10n.t("same token") },
      ...(rule.lastDistance < reach
        ? [-1, 1].map((sign) => ({
            axis: "x" as const,
            at: sign * rule.lastDistance,
            label: sign > 0 ? l10n.t("shared from here on") : "",
          }))
        : []),
    ],
    crosshair,
    describe: (delta) => l10n.t("distance {0} → {1}", groupDigits(delta), rule.row(delta)),
    onPoint: (distance) => dispatch(changePicked({ distance })),
    height: 420,
  };
}

function bucketStatus({ rule, runs, reach }: BucketData, delta: number, resolved: ResolvedEncoding): string {
  const bucket = rule.row(delta);
  const run = runs.find(({ from, to }) => delta >= from && delta <= to);
  const side =
    delta > 0 ? l10n.t("key before the query") : delta < 0 ? l10n.t("key after the query") : l10n.t("same token");
  const parts = [
    l10n.t("δ = {0} ({1}) → row {2} of {3}", groupDigits(delta), side, groupDigits(bucket), groupDigits(rule.rowCount)),
  ];
  if (run !== undefined && run.from === run.to) parts.push(l10n.t("for this distance only"));
  else if (run !== undefined) {
    const open = run.from <= -reach || run.to >= reach;
    const range = `${run.from <= -reach ? "−∞" : groupDigits(run.from)} … ${run.to >= reach ? "∞" : groupDigits(run.to)}`;
    parts.push(open ? l10n.t("shared by all distances {0}", range) : l10n.t("shared by distances {0}", range));
  }
  const bias = resolved.attention.terms.find(({ kind }) => kind === "bias")?.profile;
  if (bias !== undefined)
    parts.push(l10n.t("bias of head {0}: {1}", resolved.scene.head, formatSignificant(bias(delta), 5)));
  return parts.join(" · ");
}

function ruleText({ rule, movedInFloat64, reach }: BucketData): string {
  switch (rule.kind) {
    case "clip":
      return l10n.t("Distances are clipped at both ends; each distance in between has its own row.");
    case "deberta":
      return `${l10n.t("Small distances each have their own row; larger ones share rows on a logarithmic scale, rounded up.")} ${roundingText(movedInFloat64, reach)}`;
    case "t5":
      return `${l10n.t("Small distances each have their own row; larger ones share rows on a logarithmic scale, rounded down.")} ${roundingText(movedInFloat64, reach)}`;
  }
}

function roundingText(elsewhere: readonly number[], reach: number): string {
  const rule = l10n.t("The logarithm is computed in float32, as in torch;");
  if (elsewhere.length === 0)
    return `${rule} ${l10n.t("float64 gives the same rows up to distance {0}.", groupDigits(reach))}`;
  const list = formatDistances(elsewhere);
  return `${rule} ${l10n.t("in float64, {0} of the plotted distances would use a different row: δ = {1}.", elsewhere.length, list)}`;
}

function selectedDistance({ page }: ViewContext, { reach }: BucketData): number {
  return Math.max(-reach, Math.min(reach, page.panel.picked.distance ?? Math.min(8, reach)));
}

function buildExport(context: ViewContext): ViewExport | null {
  const buckets = computeBuckets(context.resolved);
  if (buckets === null) return null;
  const { rule, reach } = buckets;
  return {
    svg: renderChartsSvg([bucketChart(context, buckets, selectedDistance(context, buckets))]),
    table: {
      columns: ["delta", "row"],
      rows: Array.from({ length: 2 * reach + 1 }, (_, n) => [n - reach, rule.row(n - reach)]),
    },
  };
}

function renderBody(context: ViewContext): TemplateResult {
  const buckets = computeBuckets(context.resolved);
  if (buckets === null) return html``;
  const at = selectedDistance(context, buckets);
  return html`<div class="chart-view">
    <posenc-chart .chart=${bucketChart(context, buckets, at)}></posenc-chart>
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${bucketStatus(buckets, at, context.resolved)}</p>
    <p class="chart-note">${ruleText(buckets)} ${shiftNote(context.resolved)}</p>
  </div>`;
}

function formatDistances(list: readonly number[]): string {
  const shown = list.slice(0, 12).map((delta) => groupDigits(delta));
  return shown.length < list.length ? `${shown.join(", ")}, …` : shown.join(", ");
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  if (computeBuckets(resolved) !== null) return null;
  const title = localize(resolved.encoding.name);
  if (resolved.encoding.patchGrid?.(resolved.params) !== undefined)
    return l10n.t("{0} has no buckets: each row and column offset has its own value. See the Grid view.", title);
  const note = resolved.encoding.viewNotes?.(resolved.params).buckets;
  if (note !== undefined) return localize(note);
  return resolved.encoding.classification.kind === "absolute"
    ? l10n.t("{0} has no buckets: it encodes positions, not distances. See the Table view.", title)
    : l10n.t("{0} has no buckets: each distance has its own value. See the Curves view.", title);
}

/** Shows which distances share a row of the trained table. */
export const bucketsView: View = {
  id: "buckets",
  title: () => l10n.t("Buckets"),
  whyUnavailable: whyUnavailable,
  renderBody,
  buildExport,
};
