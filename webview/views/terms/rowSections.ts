import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { copeGates, copePositions } from "../../../src/core/encodings/cope.ts";
import { VALUE_FORMULAS } from "../../../src/core/encodings/support/expansion.ts";
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
  /** Σ w · a of the distance, or Σ w · p W_V. [head_dim] */
  readonly position: Float64Array;
}

interface ValueRows {
  readonly dim: number;
  /** Row-major, [keys][dim] each. */
  readonly content: Float64Array;
  readonly position: Float64Array;
}

/** The two parts of what row `row` sums up, if position has one. */
function valueRows(
  { encoding, params, attention, scene }: ResolvedEncoding,
  row: number,
  keys: readonly number[],
): ValueRows | null {
  const { valueTerm } = attention;
  if (valueTerm !== undefined) {
    const { dim } = valueTerm.table;
    const rows = keys.map((j) => relativeIndex(attention, valueTerm, row, j));
    const content = factorRows(scene.content.rows("v", scene.head, dim), keys);
    return { dim, content, position: factorRows(valueTerm.table, rows) };
  }
  const parts = encoding.valueParts?.(params, scene);
  if (parts === undefined || parts.content.dim !== parts.position.dim) return null;
  const { content, position } = parts;
  return { dim: content.dim, content: factorRows(content, keys), position: factorRows(position, keys) };
}

/** @returns null for encodings whose values carry no position */
export function computeOutputRow(resolved: ResolvedEncoding, row: number): OutputRow | null {
  const keys = indexRange(0, resolved.attention.keyLength);
  const parts = valueRows(resolved, row, keys);
  if (parts === null) return null;
  const { dim } = parts;
  const weights = weightMatrix(resolved.attention, [row], keys);
  const weighted = (rows: Float64Array) =>
    Float64Array.from({ length: dim }, (_, c) =>
      keys.reduce((sum, j) => sum + (weights[j] ?? 0) * (rows[j * dim + c] ?? 0), 0),
    );
  return { content: weighted(parts.content), position: weighted(parts.position) };
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
      {
        label: valueKind(context.resolved) === "distance" ? "Σ a·v" : "Σ a·x W_V",
        points: points(content),
        tone: "muted",
      },
      {
        label: valueKind(context.resolved) === "distance" ? "Σ a·aⱽ" : "Σ a·p W_V",
        points: points(position),
        tone: "second",
      },
      { label: "o", points: points(total), tone: "accent" },
    ],
    crosshair: Math.min(pair, content.length - 1),
    describe: (c) =>
      `${c} · ${formatSignificant(content[c] ?? 0, 4)} + ${formatSignificant(position[c] ?? 0, 4)} = ${formatSignificant(total[c] ?? 0, 4)}`,
    onPoint: (c) => context.dispatch((state) => ({ ...state, picked: { ...state.picked, pair: c } })),
    height: 260,
  };
}

/** How position reaches the values: added to the input, as vectors of distances, or not at all. */
function valueKind({ attention, encoding }: ResolvedEncoding): keyof typeof VALUE_FORMULAS {
  if (attention.valueTerm !== undefined) return "distance";
  return encoding.valueParts === undefined ? "plain" : "input";
}

function valueNote(kind: keyof typeof VALUE_FORMULAS): string {
  switch (kind) {
    case "input":
      return l10n.t(
        "p is in the values too: attention mixes positions into its output. Shaw puts a vector of the distance there instead, and most later encodings leave the values alone.",
      );
    case "distance":
      return l10n.t(
        "The values carry a vector of the distance: the output says how far away a word is, not where. Absolute encodings carry p there, and most later encodings leave the values alone.",
      );
    case "plain":
      return l10n.t(
        "The values carry no position: it only decides how much each word counts. Absolute encodings add p W_V here, and Shaw adds a vector of the distance.",
      );
  }
}

function outputLegend(kind: keyof typeof VALUE_FORMULAS): TemplateResult {
  const position = kind === "input" ? l10n.t("from the positions, Σ a·p W_V") : l10n.t("from the distances, Σ a·aⱽ");
  return chartLegend([
    { label: kind === "input" ? l10n.t("from the words, Σ a·x W_V") : l10n.t("from the values, Σ a·v"), tone: "muted" },
    { label: position, tone: "second" },
    { label: l10n.t("output o"), tone: "accent" },
  ]);
}

function valueSection(context: ViewContext, cell: MatrixCell): TemplateResult {
  const kind = valueKind(context.resolved);
  const { id } = VALUE_FORMULAS[kind];
  const row = context.resolved.attention.keyLength > MAX_ROW_KEYS ? null : cachedOutputRow(context.resolved, cell.row);
  const heading = html`<h3>${l10n.t("What reaches the output")}</h3>
    <posenc-formula class="term-equation" .formula=${id}></posenc-formula>
    <p class="chart-note">${valueNote(kind)}</p>`;
  if (row === null)
    return html`<section class="chart-view" aria-label=${l10n.t("What reaches the output")}>${heading}</section>`;
  return html`<section class="chart-view" aria-label=${l10n.t("What reaches the output")}>
    ${heading}
    <h4>${l10n.t("Output of row {0}", groupDigits(cell.row + context.resolved.scene.shift))}</h4>
    <posenc-chart .chart=${outputChart(context, cell, row)}></posenc-chart>
    ${outputLegend(kind)}
  </section>`;
}

/** Effects along the crosshair's row other than terms: CoPE's gates, and what reaches the output. */
export function rowSections(context: ViewContext): TemplateResult {
  const { attention } = context.resolved;
  const cell = crosshairCell(context);
  const isDrawn = attention.keyLength <= MAX_ROW_KEYS;
  const hasRow = valueKind(context.resolved) !== "plain" || attention.terms.some(({ kind }) => kind === "gated");
  const note =
    isDrawn || !hasRow
      ? nothing
      : html`<p class="chart-note">${l10n.t("Gates and outputs are not drawn for rows of more than {0} keys.", groupDigits(MAX_ROW_KEYS))}</p>`;
  return html`${note} ${isDrawn ? gatesSection(context, cell) : nothing} ${valueSection(context, cell)}`;
}
