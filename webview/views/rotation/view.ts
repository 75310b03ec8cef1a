import { t } from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { grouped, significant } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import { changeCrosshair } from "../../state/reducers.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import { type Cell, crosshairOf, viewportOf } from "../../state/viewport.ts";
import { chartStep } from "../../ui/chart/chartElement.ts";
import { chartName } from "../../ui/chart/parts.ts";
import { svgText } from "../../ui/chart/svgText.ts";
import { numberField, slider } from "../../ui/fields.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { type Arc, type Arrow, angleOf, circle, shortWay } from "./circle.ts";
import { formsPart, layoutPart, proofPart, smallPart } from "./forms.ts";
import { type RotationModel, rotates, rotationModel, turnShare } from "./model.ts";

type Part = TemplateResult | typeof nothing;

const modelOf = memo((drawable: Drawable, row: number, column: number, pair: number) =>
  rotationModel(drawable, { row, column }, pair),
);

function cellOf({ page, drawable }: ViewContext): Cell {
  const extent = { rows: drawable.scene.queryLength, columns: drawable.scene.keyLength };
  return crosshairOf(page.panel.crosshair, viewportOf(page.panel.viewport, extent), extent);
}

function tools(context: ViewContext, model: RotationModel, cell: Cell): TemplateResult {
  const { drawable, dispatch } = context;
  const { queryLength, keyLength, shift } = drawable.scene;
  const first = shift + keyLength - queryLength;
  const go = (change: Partial<Cell>) => dispatch(changeCrosshair({ ...cell, ...change }));
  const pair = { label: t("pair k"), value: model.pair, min: 0, max: model.pairCount - 1, integer: true } as const;
  const choose = (value: number) => dispatch(pick({ pair: value }));
  const names =
    drawable.scene.numbering === undefined
      ? { query: t("query at m"), key: t("key at n") }
      : { query: t("query token"), key: t("key token") };
  return html`<div class="chart-tools" role="group" aria-label=${t("Tokens and pair")}>
    <span class="tool"><span class="name">${names.query}</span>${numberField({
      label: names.query,
      value: model.queryPlace,
      min: first,
      max: first + queryLength - 1,
      onNumber: (m) => go({ row: m - first }),
    })}</span>
    <span class="tool"><span class="name">${names.key}</span>${numberField({
      label: names.key,
      value: model.keyPlace,
      min: shift,
      max: shift + keyLength - 1,
      onNumber: (n) => go({ column: n - shift }),
    })}</span>
    <span class="tool"><span class="name">${t("pair k")}</span>${numberField({ ...pair, onNumber: choose })}
      ${slider({ ...pair, scale: "linear", onValue: choose })}</span>
  </div>`;
}

function degrees(angle: number): string {
  return `${significant(360 * turnShare(angle), 4)}°`;
}

function arcBetween(from: number, to: number): Arc {
  return { from, to, label: degrees(Math.abs(shortWay(from, to))) };
}

interface Circle {
  readonly caption: string;
  readonly arrows: readonly Arrow[];
  readonly arc: Arc;
  readonly below: string;
}

/** Both vectors turned; and only one turned, by the difference. */
function circlesOf({ m, n, omega, q, k }: RotationModel): readonly Circle[] {
  const angleQ = angleOf(q);
  const angleK = angleOf(k);
  return [
    {
      caption: t("rotate both: q′ by mω, k′ by nω"),
      arrows: [
        { angle: angleQ, label: "q", kind: "faint" },
        { angle: angleK, label: angleK === angleQ ? "" : "k", kind: "faint" },
        { angle: angleK + n * omega, label: "k′", kind: "key" },
        { angle: angleQ + m * omega, label: "q′", kind: "query" },
      ],
      arc: arcBetween(angleK + n * omega, angleQ + m * omega),
      below: t("mω = {0}, nω = {1}", degrees(m * omega), degrees(n * omega)),
    },
    {
      caption: t("rotate q only: q″ by (m − n)ω, same angle"),
      arrows: [
        { angle: angleQ, label: angleK === angleQ ? "" : "q", kind: "faint" },
        { angle: angleK, label: "k", kind: "key" },
        { angle: angleQ + (m - n) * omega, label: "q″", kind: "query" },
      ],
      arc: arcBetween(angleK, angleQ + (m - n) * omega),
      below: t("(m − n)ω = {0}", degrees((m - n) * omega)),
    },
  ];
}

function nameOf({ drawable }: ViewContext, { pair, m, n }: RotationModel): string {
  return chartName(drawable, t("Rotation"), t("pair {0}, m = {1}, n = {2}", pair, m, n));
}

function circles(context: ViewContext, model: RotationModel): TemplateResult {
  const name = nameOf(context, model);
  const step = (event: KeyboardEvent) => {
    const by = chartStep(event);
    if (by === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const pair = Math.max(0, Math.min(model.pairCount - 1, model.pair + by));
    context.dispatch(pick({ pair }));
  };
  return html`<div class="circles" role="figure" aria-label=${name} aria-busy="false">
    <div class="circle-pair" role="application" tabindex="0" aria-label=${`${name}. ${t("Use the left and right arrow keys to choose a pair.")}`} @keydown=${step}>
      ${circlesOf(model).map(
        ({ caption, arrows, arc, below }) =>
          html`<figure><figcaption>${caption}</figcaption>${circle(arrows, arc)}<p>${below}</p></figure>`,
      )}
    </div>
  </div>`;
}

/** What these encodings do to the product besides turning its factors by their positions. */
function beyondRotation({ encoding }: Drawable): Part {
  switch (encoding.id) {
    case "xpos":
      return html`<p class="chart-note">${t("xPos also multiplies each pair by ζ to the power (m − n)/b; only its rotation is shown here.")}</p>`;
    case "rerope":
    case "self_extend":
      return html`<p class="chart-note">${t("Outside its window, {0} replaces m and n with other positions; only the rotation inside the window is shown here.", localize(encoding.title))}</p>`;
    case "mrope":
      return html`<p class="chart-note">${t("For text, all three coordinates equal the position, as shown here; image patches have their own row and column.")}</p>`;
    default:
      return nothing;
  }
}

/** That m and n are not the tokens' places. */
function renumbered({ scene }: Drawable, { m, n, queryPlace, keyPlace }: RotationModel): Part {
  if (scene.numbering === undefined) return nothing;
  const [i, j] = [grouped(queryPlace), grouped(keyPlace)];
  return html`<p class="chart-note">${t("Tokens are numbered as in the Positions view: token {0} has id m = {1}, token {2} has id n = {3}.", i, m, j, n)}</p>`;
}

function shownModel(context: ViewContext): RotationModel | null {
  const { row, column } = cellOf(context);
  return modelOf(context.drawable, row, column, context.page.panel.picked.pair ?? 0);
}

/** Width of a circle with its captions in a file. */
const COLUMN = 320;

function exportable(context: ViewContext): Exportable | null {
  const model = shownModel(context);
  if (model === null) return null;
  const { m, n, omegas } = model;
  const content = circlesOf(model).map(
    (
      { caption, arrows, arc, below },
      at,
    ) => svg`<svg class="chart" x=${at * COLUMN} width=${COLUMN} height="340" viewBox="0 0 320 340">
      <text class="tick" x="160" y="24" text-anchor="middle">${caption}</text>
      <svg x="30" y="34" width="260" height="260" viewBox="0 0 260 260">${circle(arrows, arc)}</svg>
      <text class="tick" x="160" y="318" text-anchor="middle">${below}</text>
    </svg>`,
  );
  return {
    svg: svgText({
      name: nameOf(context, model),
      width: 2 * COLUMN,
      height: 340,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["k", "omega", "m_omega", "n_omega", "difference"],
      rows: omegas.map((omega, k) => [k, omega, m * omega, n * omega, (m - n) * omega]),
    },
  };
}

function body(context: ViewContext): TemplateResult {
  const cell = cellOf(context);
  const model = shownModel(context);
  if (model === null) return html``;
  const turns = ((model.m - model.n) * model.omega) / (2 * Math.PI);
  return html`<div class="chart-view rotation">
    ${tools(context, model, cell)} ${circles(context, model)}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>
      ${t("pair {0}: ω = {1} rad per token; m − n = {2} tokens = {3} full rotations", model.pair, significant(model.omega, 6), model.m - model.n, significant(turns, 5))}
    </p>
    ${renumbered(context.drawable, model)} ${beyondRotation(context.drawable)}
    <div class="rotation-parts">${proofPart(model)} ${formsPart(model)}</div>
    ${smallPart(model)} ${layoutPart(model)}
  </div>`;
}

function whyNot(drawable: Drawable): string | null {
  if (rotates(drawable)) return null;
  const title = localize(drawable.encoding.title);
  return drawable.encoding.id === "axial_rope" || drawable.params["rope_type"] === "axial"
    ? t("{0} rotates each pair by a row or a column, not by a single position. See the Grid view.", title)
    : t("{0} does not rotate: position enters in another way. See the Terms view.", title);
}

/** The complex plane of a pair: both vectors turn, and only the difference of positions is left. */
export const rotationView: View = {
  id: "rotation",
  title: () => t("Rotation"),
  unavailable: whyNot,
  body,
  exportable,
};
