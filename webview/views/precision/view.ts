import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  FORMATS,
  heldTurn,
  NUMBER_FORMATS,
  type NumberFormat,
  productRest,
} from "../../../src/core/measure/precision.ts";
import { brief, grouped, significant } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Chart, Tone } from "../../ui/chart/chart.ts";
import { chartKey, chartName } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import { numberField, slider } from "../../ui/fields.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import {
  biasOf,
  type FormatRow,
  firstBeyond,
  heldBias,
  type PrecisionModel,
  precisionModel,
  type Quantity,
  turningPairs,
} from "./model.ts";

/** An angle that is off by more turns into another number. */
const NOTICEABLE = 0.1;

const TONES: Readonly<Record<NumberFormat, Tone>> = {
  float64: "muted",
  float32: "third",
  float16: "second",
  bfloat16: "accent",
};

const SHORT: Readonly<Record<NumberFormat, string>> = {
  float64: "f64",
  float32: "f32",
  float16: "f16",
  bfloat16: "bf16",
};

function modelOf({ drawable, page }: ViewContext): PrecisionModel | null {
  return precisionModel(drawable, page.panel.picked.pair ?? 0);
}

function nameOf(id: Quantity["id"], { subject }: PrecisionModel): string {
  switch (id) {
    case "position":
      return subject === "bias" ? t("distances") : t("positions");
    case "phase":
      return t("angles");
    case "cosine":
      return t("cosines");
    case "bias":
      return t("bias");
  }
}

function axisOf(id: Quantity["id"]): string {
  switch (id) {
    case "position":
      return t("error (tokens)");
    case "phase":
      return t("error (rad)");
    default:
      return t("absolute error");
  }
}

function bounds(errors: readonly number[]): readonly [number, number] {
  const shown = errors.filter((error) => error > 0);
  if (shown.length === 0) return [1e-3, 1];
  const low = Math.max(-20, Math.floor(Math.log10(Math.min(...shown)) - 0.1));
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...shown)) + 1e-9))];
}

function placeOf({ page }: ViewContext, { from, to }: PrecisionModel): number {
  return Math.max(from, Math.min(to, page.panel.picked.position ?? Math.min(to, 1001)));
}

function errorChart(context: ViewContext, model: PrecisionModel, quantity: Quantity): Chart {
  const lines = model.lines[quantity.id];
  const [low, high] = bounds(lines.flatMap(({ points }) => points.map(([, error]) => error)));
  const name = nameOf(quantity.id, model);
  return {
    name: chartName(context.drawable, t("Precision"), t("errors in {0} in four formats", name)),
    x: {
      label: model.subject === "bias" ? t("distance δ = i − j") : t("position p"),
      scale: "log",
      from: model.from,
      to: model.to,
    },
    y: { label: axisOf(quantity.id), scale: "log", from: low, to: high },
    lines: lines.map(({ format, points }) => ({ label: format, points, tone: TONES[format] })),
    at: placeOf(context, model),
    describe: (position) => {
      const errors = NUMBER_FORMATS.slice(1).map(
        (format) => `${SHORT[format]} ${significant(quantity.error(format, position), 2)}`,
      );
      return `${grouped(position)} · ${errors.join(" · ")}`;
    },
    onPoint: (position) => context.dispatch(pick({ position })),
    height: 220,
  };
}

function formatName({ format, cast }: Pick<FormatRow, "format" | "cast">): string {
  return cast ? t("{0} table, float32 angles", format) : format;
}

/** 2^53 + 1 is no float64: it is written as what it is. */
function collisionText(position: number): string {
  return position > Number.MAX_SAFE_INTEGER ? "2⁵³ + 1" : grouped(position);
}

function formatRow(model: PrecisionModel, row: FormatRow): TemplateResult {
  const off = row.cast
    ? firstBeyond(model.lines.phase, "float32", NOTICEABLE)
    : firstBeyond(model.lines.phase, row.format, NOTICEABLE);
  const never = t("none");
  return html`<tr>
    <th scope="row"><span class=${`key-line ${TONES[row.format]}`}>${formatName(row)}</span></th>
    <td class="number">${FORMATS[row.format].bits}</td>
    <td class="number">${row.collision === null ? never : collisionText(row.collision)}</td>
    ${
      model.subject === "bias"
        ? nothing
        : html`<td class="number">${off === null ? never : t("≈ {0}", brief(off))}</td>
      <td class="number">${row.distinct === null ? "" : grouped(row.distinct)}</td>`
    }
  </tr>`;
}

function formatTable(model: PrecisionModel): TemplateResult {
  return html`<div class="wide" role="region" tabindex="0" aria-label=${t("Number formats")}><table class="formats">
    <thead><tr>
      <th scope="col">${t("dtype")}</th>
      <th scope="col" class="number">${t("significant bits")}</th>
      <th scope="col" class="number">${model.subject === "bias" ? t("first repeated bias") : t("first position collision")}</th>
      ${
        model.subject === "bias"
          ? nothing
          : html`<th scope="col" class="number">${t("first angle error > {0} rad", NOTICEABLE)}</th>
        <th scope="col" class="number">${t("distinct cosines in {0} positions", grouped(model.counted))}</th>`
      }
    </tr></thead>
    <tbody>${model.rows.map((row) => formatRow(model, row))}</tbody>
  </table></div>`;
}

function pairTools({ dispatch, page }: ViewContext, model: PrecisionModel): TemplateResult | typeof nothing {
  if (model.pairs < 2) return nothing;
  const value = Math.min(page.panel.picked.pair ?? 0, model.pairs - 1);
  const pair = { label: t("pair k"), value, min: 0, max: model.pairs - 1, integer: true } as const;
  const choose = (chosen: number) => dispatch(pick({ pair: chosen }));
  return html`<div class="chart-tools" role="group" aria-label=${t("Pair")}>
    <span class="tool"><span class="name">${t("pair k")}</span>${numberField({ ...pair, onNumber: choose })}
      ${slider({ ...pair, scale: "linear", onValue: choose })}</span>
    <span class="name">${t("ω = {0} rad per token", significant(model.omega, 6))}</span>
  </div>`;
}

function turnText({ omega }: PrecisionModel, position: number): string {
  const product = omega * position;
  const exact = Math.cos(product) - productRest(omega, position) * Math.sin(product);
  const held = NUMBER_FORMATS.slice(1).map((format) => {
    const turn = heldTurn(format, omega, position);
    return t(
      "{0}: position {1}, angle {2}, cosine {3}",
      format,
      grouped(turn.position),
      significant(turn.phase, 6),
      significant(turn.cosine, 5),
    );
  });
  const first = t(
    "p = {0}: angle {1} rad, cosine {2}",
    grouped(position),
    significant(product, 8),
    significant(exact, 8),
  );
  return [first, ...held].join(" · ");
}

function biasText(drawable: Drawable, distance: number): string {
  const exact = significant(biasOf(drawable)?.(distance) ?? Number.NaN, 8);
  const held = NUMBER_FORMATS.slice(1).map(
    (format) => `${format} ${significant(heldBias(drawable, format)(distance), 8)}`,
  );
  return [t("distance {0}, head {1}: {2}", grouped(distance), drawable.scene.head, exact), ...held].join(" · ");
}

function note(model: PrecisionModel): string {
  return model.subject === "bias"
    ? t(
        "Distance, slope and product are each rounded to the dtype, as in a model that builds its bias in it. Where the bias repeats, softmax cannot distinguish neighbouring tokens.",
      )
    : t(
        "Each row computes every step in its dtype: position, frequency, their product and its cosine. transformers computes angles in float32 and casts only the table (last rows). The largest float16 number is 65,504.",
      );
}

function body(context: ViewContext): TemplateResult {
  const model = modelOf(context);
  if (model === null) return html``;
  const at = placeOf(context, model);
  const entries = NUMBER_FORMATS.map((format) => ({ label: format, tone: TONES[format] }));
  return html`<div class="chart-view precision">
    ${pairTools(context, model)}
    ${chartKey(entries)}
    ${model.quantities.map(
      (quantity) =>
        html`<h3>${t("Error in {0}", nameOf(quantity.id, model))}</h3><posenc-chart .chart=${errorChart(context, model, quantity)}></posenc-chart>`,
    )}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${model.subject === "bias" ? biasText(context.drawable, at) : turnText(model, at)}</p>
    ${formatTable(model)}
    <p class="chart-note">${note(model)}</p>
  </div>`;
}

function exportable(context: ViewContext): Exportable | null {
  const model = modelOf(context);
  if (model === null) return null;
  const columns = model.quantities.flatMap(({ id }) => NUMBER_FORMATS.map((format) => `${id}_${format}`));
  const places = model.lines.position[0]?.points.map(([position]) => position) ?? [];
  return {
    svg: chartsSvg(model.quantities.map((quantity) => errorChart(context, model, quantity))),
    table: {
      columns: ["position", ...columns],
      rows: places.map((position) => [
        position,
        ...model.quantities.flatMap((quantity) => NUMBER_FORMATS.map((format) => quantity.error(format, position))),
      ]),
    },
  };
}

function whyNot(drawable: Drawable): string | null {
  if (turningPairs(drawable).length > 0 || biasOf(drawable) !== null) return null;
  const title = localize(drawable.encoding.title);
  if (drawable.encoding.grid?.(drawable.params) !== undefined) {
    return t("{0} uses the rows and columns of one image: small integers that every format represents exactly.", title);
  }
  switch (drawable.encoding.id) {
    case "none":
    case "conv":
      return t("{0} has no positions to round.", title);
    case "cope":
    case "recursive":
      return t(
        "In {0}, a position is a sum over all previous tokens that depends on content or trained weights, so its rounding error has no formula.",
        title,
      );
    case "multiplicative":
      if (drawable.params["variant"] === "complex_order")
        return t("In {0}, each word has its own trained frequencies, so the rounding error is unknown here.", title);
      return byRow(title);
    default:
      return byRow(title);
  }
}

function byRow(title: string): string {
  return t(
    "{0} uses positions only as table indices. They are integers in every model, so no format rounds them.",
    title,
  );
}

/** What number formats make of positions, angles and cosines. */
export const precisionView: View = {
  id: "precision",
  title: () => t("Precision"),
  unavailable: whyNot,
  body,
  exportable,
};
