import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { isExample } from "../../src/core/terms/learned.ts";
import { grouped } from "../state/format.ts";
import type { Page } from "../state/page.ts";
import { type Change, changeCrosshair, changeViewport } from "../state/reducers.ts";
import type { Drawable } from "../state/resolvedEncoding.ts";
import {
  type Cell,
  centreOn,
  clampCell,
  crosshairOf,
  revealCell,
  viewportOf,
  zoomViewport,
} from "../state/viewport.ts";
import { numberField } from "../ui/fields.ts";
import { button } from "../ui/toolkit.ts";
import type { Subject } from "../views/subject.ts";
import { shapeText } from "./controls/controls.ts";
import type { Dispatch } from "./dispatch.ts";

/** How much of the matrix is in view; nothing where pixels stand for several cells of the whole. */
function cellsText(page: Page, { extent }: Subject): readonly string[] {
  const viewport = viewportOf(page.panel.viewport, extent);
  const rows = Math.round(viewport.rows);
  const columns = Math.round(viewport.columns);
  const all = rows >= extent.rows && columns >= extent.columns;
  if (!all) return [t("showing {0}", shapeText(rows, columns))];
  return page.drawing.drawn?.sampled === true ? [] : [t("all cells")];
}

/** What is drawn, from how many cells, by what and how fast. */
export function caption(page: Page, subject: Subject, drawable: Drawable): TemplateResult {
  const { drawn, busy, progress } = page.drawing;
  const facts = [shapeText(subject.extent.rows, subject.extent.columns), ...cellsText(page, subject)];
  if (drawn?.coarse === true) facts.push(t("reduced resolution"));
  if (drawn?.sampled === true) facts.push(t("sampled: one pixel covers several cells"));
  if (drawn?.estimated === true) facts.push(t("row normalisers estimated: rows are too long for exact sums"));
  const { padding, documents } = drawable.attention.mask;
  if (padding !== undefined) facts.push(t("left-padded"));
  if (documents !== undefined) facts.push(t("packed documents"));
  if (drawable.encoding.learned.length > 0 && isExample(drawable.scene.inputs))
    facts.push(t("example values for learned parameters"));
  if (drawn !== null)
    facts.push(
      `${drawn.by === "webgl" ? "WebGL" : "CPU"} · ${drawn.milliseconds < 10 ? drawn.milliseconds.toFixed(1) : drawn.milliseconds.toFixed(0)} ms`,
    );
  const working =
    busy && progress !== null
      ? html`<span class="progress">${t("computing, {0} %", Math.floor(progress * 100))}</span>`
      : nothing;
  return html`<p class="caption">${facts.join(" · ")} ${working}</p>`;
}

/** Moves the crosshair to a row, a column or both, and brings it into view, close enough to be told from its neighbours. */
export function goTo(subject: Subject, target: Partial<Cell>): Change {
  return (panel) => {
    const { extent } = subject;
    const viewport = viewportOf(panel.viewport, extent);
    const cell = clampCell({ ...crosshairOf(panel.crosshair, viewport, extent), ...target }, extent);
    const near = viewport.rows <= 2048 && viewport.columns <= 2048;
    const seen = near ? revealCell(viewport, extent, cell) : centreOn(viewport, extent, cell);
    const moved = near && panel.viewport === null ? panel : changeViewport(seen)(panel);
    return changeCrosshair(cell)(moved);
  };
}

/** Zoom buttons and the cell to go to. */
export function stageTools(
  page: Page,
  subject: Subject,
  onGoTo: (target: Partial<Cell>) => void,
  dispatch: Dispatch,
): TemplateResult {
  const { extent, rowAxis, columnAxis } = subject;
  const { viewport } = page.panel;
  const crosshair = crosshairOf(page.panel.crosshair, viewportOf(viewport, extent), extent);
  const zoom = (factor: number) =>
    dispatch((panel) =>
      changeViewport(zoomViewport(viewportOf(panel.viewport, extent), extent, factor, { x: 0.5, y: 0.5 }))(panel),
    );
  const field = (label: string, value: number, first: number, count: number, go: (index: number) => void) =>
    numberField({
      label,
      value: value + first,
      min: first,
      max: first + count - 1,
      onNumber: (position) => go(position - first),
    });
  return html`<div class="tools" role="group" aria-label=${t("View")}>
    <span class="goto">
      <span class="name">${t("Go to")}</span>
      ${field(t("Go to row"), crosshair.row, rowAxis.first, extent.rows, (row) => onGoTo({ row }))}
      ${field(t("Go to column"), crosshair.column, columnAxis.first, extent.columns, (column) => onGoTo({ column }))}
    </span>
    ${button({ label: t("Zoom in"), glyph: "+", look: "icon", onClick: () => zoom(1 / 1.5) })}
    ${button({ label: t("Zoom out"), glyph: "−", look: "icon", disabled: viewport === null, onClick: () => zoom(1.5) })}
    ${button({ label: t("Show all"), glyph: "⤢", look: "icon", disabled: viewport === null, onClick: () => dispatch(changeViewport(null)) })}
  </div>`;
}

/** Accessible name of the main drawing: encoding, view, shape. */
export function figureName(title: string, scaling: string | null, view: string, subject: Subject): string {
  const name = scaling === null ? title : `${title} (${scaling})`;
  return `${name}, ${view}, ${grouped(subject.extent.rows)} × ${grouped(subject.extent.columns)}`;
}
