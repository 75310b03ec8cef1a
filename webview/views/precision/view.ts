import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  FORMAT_PRECISION,
  NUMBER_FORMATS,
  type NumberFormat,
  productRoundingError,
  roundRotation,
} from "../../../src/core/measure/precision.ts";
import { changePicked } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import type { Chart, Tone } from "../../ui/chart/chart.ts";
import { renderChartsSvg } from "../../ui/chart/exportSvg.ts";
import { numberField, slider } from "../../ui/fields.ts";
import { formatBrief, formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartLegend, chartName } from "../chartParts.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import {
  biasByDistance,
  computePrecision,
  type FormatRow,
  firstErrorAbove,
  type PrecisionData,
  type RoundedQuantity,
  rotatingPairs,
  roundedBias,
} from "./computePrecision.ts";
import "./precision.css";

/** Angle errors above this noticeably change the rotated vector. */
const NOTICEABLE_ERROR_RAD = 0.1;

const FORMAT_TONES: Readonly<Record<NumberFormat, Tone>> = {
  float64: "muted",
  float32: "third",
  float16: "second",
  bfloat16: "accent",
};

const SHORT_FORMAT_NAMES: Readonly<Record<NumberFormat, string>> = {
  float64: "f64",
  float32: "f32",
  float16: "f16",
  bfloat16: "bf16",
};

function currentData({ resolved, page }: ViewContext): PrecisionData | null {
  return computePrecision(resolved, page.panel.picked.pair ?? 0);
}

function quantityName(id: RoundedQuantity["id"], { kind }: PrecisionData): string {
  switch (id) {
    case "position":
      return kind === "bias" ? l10n.t("distances") : l10n.t("positions");
    case "phase":
      return l10n.t("angles");
    case "cosine":
      return l10n.t("cosines");
    case "bias":
      return l10n.t("bias");
  }
}

function errorAxisLabel(id: RoundedQuantity["id"]): string {
  switch (id) {
    case "position":
      return l10n.t("error (tokens)");
    case "phase":
      return l10n.t("error (rad)");
    default:
      return l10n.t("absolute error");
  }
}

function errorBounds(errors: readonly number[]): readonly [number, number] {
  const shown = errors.filter((error) => error > 0);
  if (shown.length === 0) return [1e-3, 1];
  const low = Math.max(-20, Math.floor(Math.log10(Math.min(...shown)) - 0.1));
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...shown)) + 1e-9))];
}

function selectedPosition({ page }: ViewContext, { from, to }: PrecisionData): number {
  return Math.max(from, Math.min(to, page.panel.picked.position ?? Math.min(to, 1001)));
}

function errorChart(context: ViewContext, data: PrecisionData, quantity: RoundedQuantity): Chart {
  const lines = data.lines[quantity.id];
  const [low, high] = errorBounds(lines.flatMap(({ points }) => points.map(([, error]) => error)));
  const name = quantityName(quantity.id, data);
  return {
    name: chartName(context.resolved, l10n.t("Precision"), l10n.t("errors in {0} in four formats", name)),
    x: {
      label: data.kind === "bias" ? l10n.t("distance δ = i − j") : l10n.t("position p"),
      scale: "log",
      from: data.from,
      to: data.to,
    },
    y: { label: errorAxisLabel(quantity.id), scale: "log", from: low, to: high },
    lines: lines.map(({ format, points }) => ({ label: format, points, tone: FORMAT_TONES[format] })),
    crosshair: selectedPosition(context, data),
    describe: (position) => {
      const errors = NUMBER_FORMATS.slice(1).map(
        (format) => `${SHORT_FORMAT_NAMES[format]} ${formatSignificant(quantity.error(format, position), 2)}`,
      );
      return `${groupDigits(position)} · ${errors.join(" · ")}`;
    },
    onPoint: (position) => context.dispatch(changePicked({ position })),
    height: 220,
  };
}

function formatName({ format, cast }: Pick<FormatRow, "format" | "cast">): string {
  return cast ? l10n.t("{0} table, float32 angles", format) : format;
}

/** 2^53 + 1 is not representable in float64, so it is written as text. */
function collisionText(position: number): string {
  return position > Number.MAX_SAFE_INTEGER ? "2⁵³ + 1" : groupDigits(position);
}

function formatRow(data: PrecisionData, row: FormatRow): TemplateResult {
  const off = row.cast
    ? firstErrorAbove(data.lines.phase, "float32", NOTICEABLE_ERROR_RAD)
    : firstErrorAbove(data.lines.phase, row.format, NOTICEABLE_ERROR_RAD);
  const never = l10n.t("none");
  return html`<tr>
    <th scope="row"><span class=${`key-line ${FORMAT_TONES[row.format]}`}>${formatName(row)}</span></th>
    <td class="number">${FORMAT_PRECISION[row.format].bits}</td>
    <td class="number">${row.collision === null ? never : collisionText(row.collision)}</td>
    ${
      data.kind === "bias"
        ? nothing
        : html`<td class="number">${off === null ? never : l10n.t("≈ {0}", formatBrief(off))}</td>
      <td class="number">${row.distinct === null ? "" : groupDigits(row.distinct)}</td>`
    }
  </tr>`;
}

function formatTable(data: PrecisionData): TemplateResult {
  return html`<div class="wide" role="region" tabindex="0" aria-label=${l10n.t("Number formats")}><table class="formats">
    <thead><tr>
      <th scope="col">${l10n.t("dtype")}</th>
      <th scope="col" class="number">${l10n.t("significant bits")}</th>
      <th scope="col" class="number">${data.kind === "bias" ? l10n.t("first repeated bias") : l10n.t("first position collision")}</th>
      ${
        data.kind === "bias"
          ? nothing
          : html`<th scope="col" class="number">${l10n.t("first angle error > {0} rad", NOTICEABLE_ERROR_RAD)}</th>
        <th scope="col" class="number">${l10n.t("distinct cosines in {0} positions", groupDigits(data.counted))}</th>`
      }
    </tr></thead>
    <tbody>${data.rows.map((row) => formatRow(data, row))}</tbody>
  </table></div>`;
}

function pairTools({ dispatch, page }: ViewContext, data: PrecisionData): TemplateResult | typeof nothing {
  if (data.pairs < 2) return nothing;
  const value = Math.min(page.panel.picked.pair ?? 0, data.pairs - 1);
  const pair = { label: l10n.t("pair k"), value, min: 0, max: data.pairs - 1, integer: true } as const;
  const choose = (chosen: number) => dispatch(changePicked({ pair: chosen }));
  return html`<div class="chart-tools" role="group" aria-label=${l10n.t("Pair")}>
    <span class="tool"><span class="name">${l10n.t("pair k")}</span>${numberField({ ...pair, onNumber: choose })}
      ${slider({ ...pair, scale: "linear", onValue: choose })}</span>
    <span class="name">${l10n.t("ω = {0} rad per token", formatSignificant(data.omega, 6))}</span>
  </div>`;
}

function rotationReadout({ omega }: PrecisionData, position: number): string {
  const product = omega * position;
  const exact = Math.cos(product) - productRoundingError(omega, position) * Math.sin(product);
  const rounded = NUMBER_FORMATS.slice(1).map((format) => {
    const turn = roundRotation(format, omega, position);
    return l10n.t(
      "{0}: position {1}, angle {2}, cosine {3}",
      format,
      groupDigits(turn.position),
      formatSignificant(turn.phase, 6),
      formatSignificant(turn.cosine, 5),
    );
  });
  const first = l10n.t(
    "p = {0}: angle {1} rad, cosine {2}",
    groupDigits(position),
    formatSignificant(product, 8),
    formatSignificant(exact, 8),
  );
  return [first, ...rounded].join(" · ");
}

function biasReadout(resolved: ResolvedEncoding, distance: number): string {
  const exact = formatSignificant(biasByDistance(resolved)?.(distance) ?? Number.NaN, 8);
  const rounded = NUMBER_FORMATS.slice(1).map(
    (format) => `${format} ${formatSignificant(roundedBias(resolved, format)(distance), 8)}`,
  );
  return [l10n.t("distance {0}, head {1}: {2}", groupDigits(distance), resolved.scene.head, exact), ...rounded].join(
    " · ",
  );
}

function precisionNote(data: PrecisionData): string {
  return data.kind === "bias"
    ? l10n.t(
        "Distance, slope and product are each rounded to the dtype, as in a model that builds its bias in it. Where the bias repeats, softmax cannot distinguish neighbouring tokens.",
      )
    : l10n.t(
        "Each row computes every step in its dtype: position, frequency, their product and its cosine. transformers computes angles in float32 and casts only the table (last rows). The largest float16 number is 65,504.",
      );
}

function renderBody(context: ViewContext): TemplateResult {
  const data = currentData(context);
  if (data === null) return html``;
  const at = selectedPosition(context, data);
  const entries = NUMBER_FORMATS.map((format) => ({ label: format, tone: FORMAT_TONES[format] }));
  return html`<div class="chart-view precision">
    ${pairTools(context, data)}
    ${chartLegend(entries)}
    ${data.quantities.map(
      (quantity) =>
        html`<h3>${l10n.t("Error in {0}", quantityName(quantity.id, data))}</h3><posenc-chart .chart=${errorChart(context, data, quantity)}></posenc-chart>`,
    )}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${data.kind === "bias" ? biasReadout(context.resolved, at) : rotationReadout(data, at)}</p>
    ${formatTable(data)}
    <p class="chart-note">${precisionNote(data)}</p>
  </div>`;
}

function buildExport(context: ViewContext): ViewExport | null {
  const data = currentData(context);
  if (data === null) return null;
  const columns = data.quantities.flatMap(({ id }) => NUMBER_FORMATS.map((format) => `${id}_${format}`));
  const places = data.lines.position[0]?.points.map(([position]) => position) ?? [];
  return {
    svg: renderChartsSvg(data.quantities.map((quantity) => errorChart(context, data, quantity))),
    table: {
      columns: ["position", ...columns],
      rows: places.map((position) => [
        position,
        ...data.quantities.flatMap((quantity) => NUMBER_FORMATS.map((format) => quantity.error(format, position))),
      ]),
    },
  };
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  if (rotatingPairs(resolved).length > 0 || biasByDistance(resolved) !== null) return null;
  const title = localize(resolved.encoding.name);
  if (resolved.encoding.patchGrid?.(resolved.params) !== undefined) {
    return l10n.t(
      "{0} uses the rows and columns of one image: small integers that every format represents exactly.",
      title,
    );
  }
  const note = resolved.encoding.viewNotes?.(resolved.params).precision;
  if (note !== undefined) return localize(note);
  return l10n.t(
    "{0} uses positions only as table indices. They are integers in every model, so no format rounds them.",
    title,
  );
}

/** Shows the rounding of positions, angles, cosines and biases in number formats. */
export const precisionView: View = {
  id: "precision",
  title: () => l10n.t("Precision"),
  whyUnavailable: whyUnavailable,
  renderBody,
  buildExport,
};
