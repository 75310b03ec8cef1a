import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { copeGates, copePositions } from "../../../src/core/encodings/cope.ts";
import {
  deltaAt,
  factorRows,
  indexRange,
  logitMatrix,
  relativeIndex,
  weightMatrix,
} from "../../../src/core/terms/engine.ts";
import { effectiveCrosshair, effectiveViewport, type MatrixCell } from "../../matrix/viewport.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { changeCrosshair } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { type Chart, roomyBounds } from "../../ui/chart/chart.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartLegend, chartName } from "../chartParts.ts";
import type { ViewContext } from "../view.ts";

/** Longer rows take too long to compute while the crosshair moves. */
const MAX_ROW_KEYS = 8192;

/** CoPE's gates and counted positions along a row. */
export interface GateRow {
  readonly gates: Float64Array;
  readonly positions: Float64Array;
}

/** @returns null for encodings without gates */
export function computeGateRow({ params, attention }: ResolvedEncoding, row: number): GateRow | null {
  const maxPositions = params["npos_max"];
  const hidden = attention.terms.filter(({ kind }) => kind === "gated").map(({ id }) => id);
  if (hidden.length === 0) return null;
  const logits = logitMatrix(attention, [row], indexRange(0, attention.keyLength), hidden);
  const gates = copeGates(logits, deltaAt(attention, row, 0));
  return { gates, positions: copePositions(gates, typeof maxPositions === "number" ? maxPositions - 1 : 0) };
}

/** The two parts of a row's output, if the encoding adds vectors to the values. */
export interface OutputRow {
  /** Σ w · v. [head_dim] */
  readonly content: Float64Array;
  /** Σ w · a of the distance. [head_dim] */
  readonly position: Float64Array;
}

/** @returns null for encodings without a value term */
export function computeOutputRow({ attention, scene }: ResolvedEncoding, row: number): OutputRow | null {
  const { valueTerm } = attention;
  if (valueTerm === undefined) return null;
  const { dim } = valueTerm.table;
  const keys = indexRange(0, attention.keyLength);
  const weights = weightMatrix(attention, [row], keys);
  const values = factorRows(scene.content.rows("v", scene.head, dim), keys);
  const vectors = factorRows(
    valueTerm.table,
    keys.map((j) => relativeIndex(attention, valueTerm, row, j)),
  );
  const weighted = (rows: Float64Array) =>
    Float64Array.from({ length: dim }, (_, c) =>
      keys.reduce((sum, j) => sum + (weights[j] ?? 0) * (rows[j * dim + c] ?? 0), 0),
    );
  return { content: weighted(values), position: weighted(vectors) };
}

const cachedGateRow = memoizeLast(computeGateRow);
const cachedOutputRow = memoizeLast(computeOutputRow);

function crosshairCell({ page, resolved }: ViewContext): MatrixCell {
  const extent = { rows: resolved.scene.queryLength, columns: resolved.scene.keyLength };
  return effectiveCrosshair(page.panel.crosshair, effectiveViewport(page.panel.viewport, extent), extent);
}

function gateChart(context: ViewContext, cell: MatrixCell, part: keyof GateRow, values: Float64Array): Chart {
  const { resolved, dispatch } = context;
  const { shift } = resolved.scene;
  const lastKey = Math.min(values.length - 1, deltaAt(resolved.attention, cell.row, 0));
  const name = part === "gates" ? l10n.t("gate") : l10n.t("contextual position");
  const [low, high] = part === "gates" ? [-0.05, 1.05] : roomyBounds(values.subarray(0, lastKey + 1));
  return {
    name: chartName(resolved, l10n.t("Terms"), l10n.t("{0} along row {1}", name, groupDigits(cell.row + shift))),
    x: { label: l10n.t("key position j"), scale: "linear", from: shift, to: Math.max(shift + 1, shift + lastKey) },
    y: { label: name, scale: "linear", from: low, to: high },
    lines: [
      {
        label: name,
        points: Array.from(values.subarray(0, lastKey + 1), (value, j) => [j + shift, value] as const),
        tone: part === "gates" ? "second" : "accent",
      },
    ],
    crosshair: Math.min(cell.column, lastKey) + shift,
    describe: (j) => `j ${groupDigits(j)} · ${formatSignificant(values[j - shift] ?? 0, 5)}`,
    onPoint: (j) => dispatch(changeCrosshair({ row: cell.row, column: j - shift })),
    height: 200,
  };
}

function gatesSection(context: ViewContext, cell: MatrixCell): TemplateResult | typeof nothing {
  const row = cachedGateRow(context.resolved, cell.row);
  if (row === null) return nothing;
  return html`<section class="chart-view" aria-label=${l10n.t("Gates of the row")}>
    <h3>${l10n.t("Gates of row {0}", groupDigits(cell.row + context.resolved.scene.shift))}</h3>
    <p class="chart-note">${l10n.t("Each key's gate is σ of its logit. Its position is the sum of the gates from the key to the query.")}</p>
    <posenc-chart .chart=${gateChart(context, cell, "gates", row.gates)}></posenc-chart>
    <posenc-chart .chart=${gateChart(context, cell, "positions", row.positions)}></posenc-chart>
  </section>`;
}

function outputChart(context: ViewContext, cell: MatrixCell, { content, position }: OutputRow): Chart {
  const total = content.map((value, c) => value + (position[c] ?? 0));
  const [low, high] = roomyBounds([...content, ...position, ...total, 0]);
  const pair = context.page.panel.picked.pair ?? 0;
  const points = (values: Float64Array) => Array.from(values, (value, c) => [c, value] as const);
  return {
    name: chartName(
      context.resolved,
      l10n.t("Terms"),
      l10n.t("output of row {0}", groupDigits(cell.row + context.resolved.scene.shift)),
    ),
    x: { label: l10n.t("dimension"), scale: "linear", from: 0, to: Math.max(1, content.length - 1) },
    y: { label: l10n.t("output"), scale: "linear", from: low, to: high },
    lines: [
      { label: "Σ w·v", points: points(content), tone: "muted" },
      { label: "Σ w·a", points: points(position), tone: "second" },
      { label: "z", points: points(total), tone: "accent" },
    ],
    crosshair: Math.min(pair, content.length - 1),
    describe: (c) =>
      `${c} · ${formatSignificant(content[c] ?? 0, 4)} + ${formatSignificant(position[c] ?? 0, 4)} = ${formatSignificant(total[c] ?? 0, 4)}`,
    onPoint: (c) => context.dispatch((state) => ({ ...state, picked: { ...state.picked, pair: c } })),
    height: 260,
  };
}

function valueSection(context: ViewContext, cell: MatrixCell): TemplateResult | typeof nothing {
  const row = cachedOutputRow(context.resolved, cell.row);
  if (row === null) return nothing;
  return html`<section class="chart-view" aria-label=${l10n.t("Value term")}>
    <h3>${l10n.t("Value term: output of row {0}", groupDigits(cell.row + context.resolved.scene.shift))}</h3>
    <p class="chart-note" lang="en">z_i = Σ_j w_ij (v_j + a^V[clip(j − i)])</p>
    <posenc-chart .chart=${outputChart(context, cell, row)}></posenc-chart>
    ${chartLegend([
      { label: l10n.t("from the values, Σ w·v"), tone: "muted" },
      { label: l10n.t("from the distances, Σ w·a"), tone: "second" },
      { label: l10n.t("output z"), tone: "accent" },
    ])}
  </section>`;
}

/** Effects along the crosshair's row other than terms: CoPE's gates, Shaw's value term. */
export function rowSections(context: ViewContext): TemplateResult | typeof nothing {
  const { attention } = context.resolved;
  if (attention.valueTerm === undefined && attention.terms.every(({ kind }) => kind !== "gated")) return nothing;
  if (attention.keyLength > MAX_ROW_KEYS) {
    return html`<p class="chart-note">${l10n.t("Gates and outputs are not drawn for rows of more than {0} keys.", groupDigits(MAX_ROW_KEYS))}</p>`;
  }
  const cell = crosshairCell(context);
  return html`${gatesSection(context, cell)} ${valueSection(context, cell)}`;
}
