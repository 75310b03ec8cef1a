import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { usesExampleValues } from "../../src/core/terms/learned.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import {
  centreOn,
  clampCell,
  effectiveCrosshair,
  effectiveViewport,
  type MatrixCell,
  revealCell,
  zoomViewport,
} from "../matrix/viewport.ts";
import type { Page } from "../state/page.ts";
import type { Dispatch } from "../state/reducers.ts";
import { changeCrosshair, changeViewport, type PanelChange } from "../state/reducers.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import { numberField } from "../ui/fields.ts";
import { groupDigits } from "../ui/format.ts";
import { button } from "../ui/toolkit.ts";
import { formatShape } from "./controls/controls.ts";

/** How much of the matrix is visible; empty if pixels stand for several cells of the whole matrix. */
function visibleCellsText(page: Page, { extent }: MatrixSource): readonly string[] {
  const viewport = effectiveViewport(page.panel.viewport, extent);
  const rows = Math.round(viewport.rows);
  const columns = Math.round(viewport.columns);
  const all = rows >= extent.rows && columns >= extent.columns;
  if (!all) return [l10n.t("showing {0}", formatShape(rows, columns))];
  return page.drawing.result?.sampled === true ? [] : [l10n.t("all cells")];
}

/** Caption: the number of cells, and how and how fast they were drawn. */
export function figureCaption(page: Page, matrix: MatrixSource, resolved: ResolvedEncoding): TemplateResult {
  const { result: drawResult, busy, progress } = page.drawing;
  const facts = [formatShape(matrix.extent.rows, matrix.extent.columns), ...visibleCellsText(page, matrix)];
  if (drawResult?.coarse === true) facts.push(l10n.t("reduced resolution"));
  if (drawResult?.sampled === true) facts.push(l10n.t("sampled: one pixel covers several cells"));
  if (drawResult?.estimated === true) facts.push(l10n.t("row normalisers estimated: rows are too long for exact sums"));
  const { padding, documents } = resolved.attention.mask;
  if (padding !== undefined) facts.push(l10n.t("left-padded"));
  if (documents !== undefined) facts.push(l10n.t("packed documents"));
  if (resolved.encoding.learnedArrays.length > 0 && usesExampleValues(resolved.scene.inputs))
    facts.push(l10n.t("example values for learned parameters"));
  if (drawResult !== null)
    facts.push(
      `${drawResult.by === "webgl" ? "WebGL" : "CPU"} · ${drawResult.milliseconds < 10 ? drawResult.milliseconds.toFixed(1) : drawResult.milliseconds.toFixed(0)} ms`,
    );
  const working =
    busy && progress !== null
      ? html`<span class="progress">${l10n.t("computing, {0} %", Math.floor(progress * 100))}</span>`
      : nothing;
  return html`<p class="caption">${facts.join(" · ")} ${working}</p>`;
}

/**
 * Moves the crosshair to a row, a column or both, and scrolls and zooms until the cell can be told from its neighbours.
 */
export function goToCell(matrix: MatrixSource, target: Partial<MatrixCell>): PanelChange {
  return (panel) => {
    const { extent } = matrix;
    const viewport = effectiveViewport(panel.viewport, extent);
    const cell = clampCell({ ...effectiveCrosshair(panel.crosshair, viewport, extent), ...target }, extent);
    const near = viewport.rows <= 2048 && viewport.columns <= 2048;
    const seen = near ? revealCell(viewport, extent, cell) : centreOn(viewport, extent, cell);
    const moved = near && panel.viewport === null ? panel : changeViewport(seen)(panel);
    return changeCrosshair(cell)(moved);
  };
}

/** Zoom buttons and the cell to go to. */
export function figureTools(
  page: Page,
  matrix: MatrixSource,
  onGoTo: (target: Partial<MatrixCell>) => void,
  dispatch: Dispatch,
): TemplateResult {
  const { extent, rowAxis, columnAxis } = matrix;
  const { viewport } = page.panel;
  const crosshair = effectiveCrosshair(page.panel.crosshair, effectiveViewport(viewport, extent), extent);
  const zoom = (factor: number) =>
    dispatch((panel) =>
      changeViewport(zoomViewport(effectiveViewport(panel.viewport, extent), extent, factor, { x: 0.5, y: 0.5 }))(
        panel,
      ),
    );
  const field = (label: string, value: number, first: number, count: number, go: (index: number) => void) =>
    numberField({
      label,
      value: value + first,
      min: first,
      max: first + count - 1,
      onNumber: (position) => go(position - first),
    });
  return html`<div class="tools" role="group" aria-label=${l10n.t("View")}>
    <span class="goto">
      <span class="name">${l10n.t("Go to")}</span>
      ${field(l10n.t("Go to row"), crosshair.row, rowAxis.first, extent.rows, (row) => onGoTo({ row }))}
      ${field(l10n.t("Go to column"), crosshair.column, columnAxis.first, extent.columns, (column) => onGoTo({ column }))}
    </span>
    ${button({ label: l10n.t("Zoom in"), glyph: "+", look: "icon", onClick: () => zoom(1 / 1.5) })}
    ${button({ label: l10n.t("Zoom out"), glyph: "−", look: "icon", disabled: viewport === null, onClick: () => zoom(1.5) })}
    ${button({ label: l10n.t("Show all"), glyph: "⤢", look: "icon", disabled: viewport === null, onClick: () => dispatch(changeViewport(null)) })}
  </div>`;
}

/** Accessible name of the main drawing: encoding, view, shape. */
export function figureName(title: string, scaling: string | null, view: string, matrix: MatrixSource): string {
  const name = scaling === null ? title : `${title} (${scaling})`;
  return `${name}, ${view}, ${groupDigits(matrix.extent.rows)} × ${groupDigits(matrix.extent.columns)}`;
}
