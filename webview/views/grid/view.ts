import { t } from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import type { PatchGrid } from "../../../src/core/encodings/encoding.ts";
import { valueDomain } from "../../../src/core/export/colourMaps.ts";
import { say } from "../../../src/core/l10n.ts";
import type { Term } from "../../../src/core/terms/term.ts";
import { significant } from "../../state/format.ts";
import type { Drawable } from "../../state/model.ts";
import { pick } from "../../state/picked.ts";
import { memo } from "../../state/store.ts";
import { chartName } from "../../ui/chart/parts.ts";
import { keyAction } from "../../ui/figure/gestures.ts";
import { mapFor } from "../../ui/figure/palette.ts";
import type { Raster } from "../../ui/raster.ts";
import type { View, ViewContext } from "../view.ts";
import {
  clampPatch,
  type ImageAttention,
  imageAttention,
  numberOfPatch,
  type Patch,
  patchAt,
  patchValues,
  positionTerms,
} from "./model.ts";

interface Picture {
  readonly id: string;
  readonly title: string;
  readonly raster: Raster;
}

const imageOf = memo((drawable: Drawable) => imageAttention(drawable));

const picturesOf = memo((image: ImageAttention, query: number): readonly Picture[] => {
  const patch = patchAt(image.grid, query);
  const picture = (id: string, title: string, terms: readonly Term[]): Picture => {
    const values = patchValues(image, patch, terms);
    return { id, title, raster: { values, columns: image.grid.width, domain: valueDomain(values) } };
  };
  const { terms } = image.attention;
  const own = positionTerms(image.attention);
  const list = [picture("logit", t("logit"), terms)];
  if (own.length > 0) list.unshift(picture("position", t("what position adds"), own));
  return own.length > 1 ? [...list, ...own.map((term) => picture(term.id, say(term.name), [term]))] : list;
});

function move(context: ViewContext, grid: PatchGrid, event: KeyboardEvent, from: Patch, key: Patch): void {
  const action = keyAction(event);
  if (action?.kind !== "move" && action?.kind !== "pan") return;
  event.preventDefault();
  const start = action.kind === "move" ? from : key;
  const to = clampPatch(grid, { row: start.row + action.by.row, column: start.column + action.by.column });
  const number = numberOfPatch(grid, to);
  context.dispatch(pick(action.kind === "move" ? { patch: number } : { target: number }));
}

function patchUnder(grid: PatchGrid, event: PointerEvent): number | null {
  if (!(event.currentTarget instanceof Element)) return null;
  const box = event.currentTarget.getBoundingClientRect();
  const row = Math.floor(((event.clientY - box.top) / box.height) * grid.height);
  const column = Math.floor(((event.clientX - box.left) / box.width) * grid.width);
  return numberOfPatch(grid, clampPatch(grid, { row, column }));
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
  picture: Picture,
  query: Patch,
  key: Patch,
): TemplateResult {
  const { drawable, dispatch, page } = context;
  const shape = `${picture.title}, ${t("{0} × {1} patches", grid.height, grid.width)}`;
  const name = chartName(drawable, t("Grid"), shape);
  const choose = (event: PointerEvent) => {
    const patch = patchUnder(grid, event);
    if (patch !== null) dispatch(pick({ patch }));
  };
  const hover = (event: PointerEvent) => {
    const target = patchUnder(grid, event);
    if (target !== null && target !== page.panel.picked.target) dispatch(pick({ target }));
  };
  const [low, high] = picture.raster.domain;
  return html`<div class="patches" role="figure" aria-label=${name} aria-busy="false">
    <h3>${picture.title}</h3>
    <div
      class="patch-plot"
      role="application"
      tabindex="0"
      aria-label=${`${name}. ${t("Arrow keys choose the query's patch, with Shift the key's.")}`}
      @keydown=${(event: KeyboardEvent) => move(context, grid, event, query, key)}
      @pointerdown=${choose}
      @pointermove=${hover}
    >
      <posenc-raster .raster=${picture.raster} .map=${mapFor(page.theme)}></posenc-raster>
      ${marks(grid, query, key)}
    </div>
    <p class="range">${significant(low, 4)} … ${significant(high, 4)}</p>
  </div>`;
}

function statusText(grid: PatchGrid, pictures: readonly Picture[], query: Patch, key: Patch): string {
  const place = t(
    "query at row {0}, column {1} · key at row {2}, column {3} · offset ({4}, {5})",
    query.row,
    query.column,
    key.row,
    key.column,
    query.row - key.row,
    query.column - key.column,
  );
  const index = numberOfPatch(grid, key);
  const values = pictures.map(({ title, raster }) => `${title} ${significant(raster.values[index] ?? Number.NaN, 6)}`);
  return [place, ...values].join(" · ");
}

function body(context: ViewContext): TemplateResult {
  const image = imageOf(context.drawable);
  if (image === null) return html``;
  const { grid } = image;
  const { picked } = context.page.panel;
  const middle = numberOfPatch(grid, { row: grid.height >> 1, column: grid.width >> 1 });
  const query = patchAt(grid, picked.patch ?? middle);
  const key = patchAt(grid, picked.target ?? 0);
  const pictures = picturesOf(image, numberOfPatch(grid, query));
  return html`<div class="chart-view">
    <p class="chart-note">${t("From the chosen patch to every other one of the image; a click chooses another. The flat matrix of the same numbers is in Scores.")}</p>
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${statusText(grid, pictures, query, key)}</p>
    <div class="patch-list">${pictures.map((picture) => pictureTemplate(context, grid, picture, query, key))}</div>
    ${grid.classTokens > 0 ? html`<p class="chart-note">${t("Tokens without a place before the patches: {0}; they are not drawn.", grid.classTokens)}</p>` : nothing}
  </div>`;
}

/** From one patch of an image to every other, as the image. */
export const gridView: View = {
  id: "grid",
  title: () => t("Grid"),
  unavailable: (drawable) =>
    drawable.encoding.grid === undefined
      ? t(
          "In {0} tokens stand in a line, not in an image: the matrix views show all there is.",
          say(drawable.encoding.title),
        )
      : null,
  body,
};
