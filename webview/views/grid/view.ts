import * as l10n from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import type { PatchGrid } from "../../../src/core/encodings/encoding.ts";
import { type ColourMap, colourStep, colourTable, valueDomain } from "../../../src/core/export/colourMaps.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import { keyAction } from "../../figure/gestures.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { changePicked } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { serialiseFigure } from "../../ui/chart/exportSvg.ts";
import { formatSignificant } from "../../ui/format.ts";
import { themeColourMap } from "../../ui/palette.ts";
import type { Raster } from "../../ui/rasterImage.ts";
import { chartName } from "../chartParts.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import {
  buildImageAttention,
  clampPatch,
  computePatchValues,
  type ImageAttention,
  type Patch,
  patchAt,
  patchNumber,
  positionOnlyTerms,
} from "./imageAttention.ts";
import "./grid.css";

interface PatchPicture {
  readonly id: string;
  readonly title: string;
  readonly raster: Raster;
}

const cachedImage = memoizeLast((resolved: ResolvedEncoding) => buildImageAttention(resolved));

const cachedPictures = memoizeLast((image: ImageAttention, query: number): readonly PatchPicture[] => {
  const patch = patchAt(image.grid, query);
  const picture = (id: string, title: string, terms: readonly Term[]): PatchPicture => {
    const values = computePatchValues(image, patch, terms);
    return { id, title, raster: { values, columns: image.grid.width, domain: valueDomain(values) } };
  };
  const { terms } = image.attention;
  const positionTermList = positionOnlyTerms(image.attention);
  const list = [picture("logit", l10n.t("logit"), terms)];
  if (positionTermList.length > 0)
    list.unshift(picture("position", l10n.t("contribution of position"), positionTermList));
  return positionTermList.length > 1
    ? [...list, ...positionTermList.map((term) => picture(term.id, localize(term.name), [term]))]
    : list;
});

function moveByKey(context: ViewContext, grid: PatchGrid, event: KeyboardEvent, from: Patch, key: Patch): void {
  const action = keyAction(event);
  if (action?.kind !== "move" && action?.kind !== "pan") return;
  event.preventDefault();
  const start = action.kind === "move" ? from : key;
  const to = clampPatch(grid, { row: start.row + action.by.row, column: start.column + action.by.column });
  const number = patchNumber(grid, to);
  context.dispatch(changePicked(action.kind === "move" ? { patch: number } : { target: number }));
}

function patchUnder(grid: PatchGrid, event: PointerEvent): number | null {
  if (!(event.currentTarget instanceof Element)) return null;
  const box = event.currentTarget.getBoundingClientRect();
  const row = Math.floor(((event.clientY - box.top) / box.height) * grid.height);
  const column = Math.floor(((event.clientX - box.left) / box.width) * grid.width);
  return patchNumber(grid, clampPatch(grid, { row, column }));
}

function marks(grid: PatchGrid, query: Patch, key: Patch): TemplateResult {
  return html`<svg class="patch-marks" viewBox=${`0 0 ${grid.width} ${grid.height}`} preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="key" x=${key.column} y=${key.row} width="1" height="1" />
    <rect class="under" x=${query.column} y=${query.row} width="1" height="1" />
    <rect class="query" x=${query.column} y=${query.row} width="1" height="1" />`}
  </svg>`;
}

function pictureTemplate(
  context: ViewContext,
  grid: PatchGrid,
  picture: PatchPicture,
  query: Patch,
  key: Patch,
): TemplateResult {
  const { resolved, dispatch, page } = context;
  const shape = `${picture.title}, ${l10n.t("{0} × {1} patches", grid.height, grid.width)}`;
  const name = chartName(resolved, l10n.t("Grid"), shape);
  const choose = (event: PointerEvent) => {
    const patch = patchUnder(grid, event);
    if (patch !== null) dispatch(changePicked({ patch }));
  };
  const hover = (event: PointerEvent) => {
    const target = patchUnder(grid, event);
    if (target !== null && target !== page.panel.picked.target) dispatch(changePicked({ target }));
  };
  const [low, high] = picture.raster.domain;
  return html`<div class="patches" role="figure" aria-label=${name} aria-busy="false">
    <h3>${picture.title}</h3>
    <div
      class="patch-plot"
      role="application"
      tabindex="0"
      aria-label=${`${name}. ${l10n.t("Use the arrow keys to choose the query patch; hold Shift to choose the key patch.")}`}
      @keydown=${(event: KeyboardEvent) => moveByKey(context, grid, event, query, key)}
      @pointerdown=${choose}
      @pointermove=${hover}
    >
      <posenc-raster .raster=${picture.raster} .map=${themeColourMap(page.theme)}></posenc-raster>
      ${marks(grid, query, key)}
    </div>
    <p class="range">${formatSignificant(low, 4)} … ${formatSignificant(high, 4)}</p>
  </div>`;
}

function gridStatus(grid: PatchGrid, pictures: readonly PatchPicture[], query: Patch, key: Patch): string {
  const place = l10n.t(
    "query at row {0}, column {1} · key at row {2}, column {3} · offset ({4}, {5})",
    query.row,
    query.column,
    key.row,
    key.column,
    query.row - key.row,
    query.column - key.column,
  );
  const index = patchNumber(grid, key);
  const values = pictures.map(
    ({ title, raster }) => `${title} ${formatSignificant(raster.values[index] ?? Number.NaN, 6)}`,
  );
  return [place, ...values].join(" · ");
}

function chosenQuery({ page }: ViewContext, { height, width }: PatchGrid): number {
  const grid = { height, width, classTokens: 0 };
  return page.panel.picked.patch ?? patchNumber(grid, { row: height >> 1, column: width >> 1 });
}

/** Side of a picture in exported SVG. */
const PICTURE_SIDE = 240;

function patchesSvg({ grid }: ImageAttention, picture: PatchPicture, at: number, map: ColourMap): TemplateResult {
  const { values, domain } = picture.raster;
  const table = colourTable(map);
  const side = PICTURE_SIDE / Math.max(grid.width, grid.height);
  const cells = Array.from(values, (value, n) => {
    const step = Math.max(0, colourStep(value, domain)) * 3;
    const fill = `rgb(${table[step]}, ${table[step + 1]}, ${table[step + 2]})`;
    const { row, column } = patchAt(grid, n);
    return svg`<rect x=${column * side} y=${row * side} width=${side} height=${side} fill=${fill} />`;
  });
  const [low, high] = domain;
  return svg`<svg class="chart" x=${12 + at * (PICTURE_SIDE + 20)} width=${PICTURE_SIDE} height=${PICTURE_SIDE + 56} viewBox=${`0 0 ${PICTURE_SIDE} ${PICTURE_SIDE + 56}`}>
    <text class="heading" x="0" y="20">${picture.title}</text>
    <svg y="30" width=${PICTURE_SIDE} height=${PICTURE_SIDE} viewBox=${`0 0 ${PICTURE_SIDE} ${PICTURE_SIDE}`}>${cells}</svg>
    <text class="tick" x="0" y=${PICTURE_SIDE + 48}>${formatSignificant(low, 4)} … ${formatSignificant(high, 4)}</text>
  </svg>`;
}

function buildExport(context: ViewContext): ViewExport | null {
  const image = cachedImage(context.resolved);
  if (image === null) return null;
  const query = chosenQuery(context, image.grid);
  const pictures = cachedPictures(image, query);
  const map = themeColourMap(context.page.theme);
  const content = pictures.map((picture, at) => patchesSvg(image, picture, at, map));
  return {
    svg: serialiseFigure({
      name: chartName(
        context.resolved,
        l10n.t("Grid"),
        l10n.t("{0} × {1} patches", image.grid.height, image.grid.width),
      ),
      width: 12 + pictures.length * (PICTURE_SIDE + 20),
      height: PICTURE_SIDE + 56,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["row", "column", ...pictures.map(({ id }) => id)],
      rows: Array.from({ length: image.grid.height * image.grid.width }, (_, n) => {
        const { row, column } = patchAt(image.grid, n);
        return [row, column, ...pictures.map(({ raster }) => raster.values[n] ?? Number.NaN)];
      }),
    },
  };
}

function renderBody(context: ViewContext): TemplateResult {
  const image = cachedImage(context.resolved);
  if (image === null) return html``;
  const { grid } = image;
  const query = patchAt(grid, chosenQuery(context, grid));
  const key = patchAt(grid, context.page.panel.picked.target ?? 0);
  const pictures = cachedPictures(image, patchNumber(grid, query));
  return html`<div class="chart-view">
    <p class="chart-note">${l10n.t("Values from the selected patch to every patch of the image. Click to select another patch. The Scores view shows the same values as a flat matrix.")}</p>
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${gridStatus(grid, pictures, query, key)}</p>
    <div class="patch-list">${pictures.map((picture) => pictureTemplate(context, grid, picture, query, key))}</div>
    ${grid.classTokens > 0 ? html`<p class="chart-note">${l10n.t("Leading tokens without a position (not drawn): {0}.", grid.classTokens)}</p>` : nothing}
  </div>`;
}

/** Shows the scores from one patch to all others, arranged as the image. */
export const gridView: View = {
  id: "grid",
  title: () => l10n.t("Grid"),
  whyUnavailable: (resolved) =>
    resolved.encoding.patchGrid?.(resolved.params) === undefined
      ? l10n.t("{0} encodes a sequence, not an image. Use the matrix views instead.", localize(resolved.encoding.name))
      : null,
  renderBody,
  buildExport,
};
