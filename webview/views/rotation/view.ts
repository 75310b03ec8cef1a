import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../../../src/core/l10n.ts";
import { significant } from "../../state/format.ts";
import type { Drawable } from "../../state/model.ts";
import { pick } from "../../state/picked.ts";
import { changeCrosshair } from "../../state/reducers.ts";
import { memo } from "../../state/store.ts";
import { type Cell, crosshairOf, viewportOf } from "../../state/viewport.ts";
import { chartStep } from "../../ui/chart/chartElement.ts";
import { chartName } from "../../ui/chart/parts.ts";
import { numberField, slider } from "../../ui/fields.ts";
import type { View, ViewContext } from "../view.ts";
import { type Arc, angleOf, circle, shortWay } from "./circle.ts";
import { formsPart, layoutPart, proofPart, smallPart } from "./forms.ts";
import { type RotationModel, rotates, rotationModel, turnShare } from "./model.ts";

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
  return html`<div class="chart-tools" role="group" aria-label=${t("Tokens and pair")}>
    <span class="tool"><span class="name">${t("query at m")}</span>${numberField({
      label: t("query at m"),
      value: model.m,
      min: first,
      max: first + queryLength - 1,
      onNumber: (m) => go({ row: m - first }),
    })}</span>
    <span class="tool"><span class="name">${t("key at n")}</span>${numberField({
      label: t("key at n"),
      value: model.n,
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

function circles(context: ViewContext, model: RotationModel): TemplateResult {
  const { m, n, omega, q, k } = model;
  const name = chartName(context.drawable, t("Rotation"), t("pair {0}, m = {1}, n = {2}", model.pair, m, n));
  const angleQ = angleOf(q);
  const angleK = angleOf(k);
  const step = (event: KeyboardEvent) => {
    const by = chartStep(event);
    if (by === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const pair = Math.max(0, Math.min(model.pairCount - 1, model.pair + by));
    context.dispatch(pick({ pair }));
  };
  return html`<div class="circles" role="figure" aria-label=${name} aria-busy="false">
    <div class="circle-pair" role="application" tabindex="0" aria-label=${`${name}. ${t("Left and right arrow keys choose the pair.")}`} @keydown=${step}>
      <figure>
        <figcaption>${t("both turned: q′ by mω, k′ by nω")}</figcaption>
        ${circle(
          [
            { angle: angleQ, label: "q", kind: "faint" },
            { angle: angleK, label: angleK === angleQ ? "" : "k", kind: "faint" },
            { angle: angleK + n * omega, label: "k′", kind: "key" },
            { angle: angleQ + m * omega, label: "q′", kind: "query" },
          ],
          arcBetween(angleK + n * omega, angleQ + m * omega),
        )}
        <p>${t("mω = {0}, nω = {1}", degrees(m * omega), degrees(n * omega))}</p>
      </figure>
      <figure>
        <figcaption>${t("only q turned: q″ by (m − n)ω, the same angle")}</figcaption>
        ${circle(
          [
            { angle: angleQ, label: angleK === angleQ ? "" : "q", kind: "faint" },
            { angle: angleK, label: "k", kind: "key" },
            { angle: angleQ + (m - n) * omega, label: "q″", kind: "query" },
          ],
          arcBetween(angleK, angleQ + (m - n) * omega),
        )}
        <p>${t("(m − n)ω = {0}", degrees((m - n) * omega))}</p>
      </figure>
    </div>
  </div>`;
}

/** What these encodings do to the product besides turning its factors by their positions. */
function beyondRotation({ encoding }: Drawable): TemplateResult | typeof nothing {
  switch (encoding.id) {
    case "xpos":
      return html`<p class="chart-note">${t("xPos also multiplies each pair by ζ to the power (m − n)/b: here is its rotation alone.")}</p>`;
    case "rerope":
    case "self_extend":
      return html`<p class="chart-note">${t("Beyond its window {0} takes other positions in place of m and n: here is the rotation within it.", say(encoding.title))}</p>`;
    case "mrope":
      return html`<p class="chart-note">${t("For text all three coordinates are the position, as here; patches of a picture have a row and a column of their own.")}</p>`;
    default:
      return nothing;
  }
}

function body(context: ViewContext): TemplateResult {
  const cell = cellOf(context);
  const model = modelOf(context.drawable, cell.row, cell.column, context.page.panel.picked.pair ?? 0);
  if (model === null) return html``;
  const turns = ((model.m - model.n) * model.omega) / (2 * Math.PI);
  return html`<div class="chart-view rotation">
    ${tools(context, model, cell)} ${circles(context, model)}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>
      ${t("pair {0}: ω = {1} rad per token; m − n = {2} tokens are {3} turns", model.pair, significant(model.omega, 6), model.m - model.n, significant(turns, 5))}
    </p>
    ${beyondRotation(context.drawable)}
    <div class="rotation-parts">${proofPart(model)} ${formsPart(model)}</div>
    ${smallPart(model)} ${layoutPart(model)}
  </div>`;
}

function whyNot(drawable: Drawable): string | null {
  if (rotates(drawable)) return null;
  const title = say(drawable.encoding.title);
  return drawable.encoding.id === "axial_rope" || drawable.params["rope_type"] === "axial"
    ? t("{0} turns each pair by a row or a column, not by one position: the Grid view shows what that does.", title)
    : t("{0} rotates nothing: position enters in another way. The Terms view shows it.", title);
}

/** The complex plane of a pair: both vectors turn, and only the difference of positions is left. */
export const rotationView: View = {
  id: "rotation",
  title: () => t("Rotation"),
  unavailable: whyNot,
  body,
};
