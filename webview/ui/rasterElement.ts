import { type ColourMap, colourStep, colourTable } from "../../src/core/export/colourMaps.ts";
import "./rasterElement.css";

export interface Raster {
  /** Row-major; NaN is masked. */
  readonly values: Float64Array;
  readonly columns: number;
  readonly domain: readonly [number, number];
}

/** A small picture of a matrix, one pixel per value, painted on the CPU: thumbnails need no GPU. */
export class RasterElement extends HTMLElement {
  readonly #canvas = document.createElement("canvas");
  #raster: Raster | null = null;
  #map: ColourMap = "viridis";

  set raster(raster: Raster) {
    if (this.#raster === raster) return;
    this.#raster = raster;
    this.#paint();
  }

  set map(map: ColourMap) {
    if (this.#map === map) return;
    this.#map = map;
    this.#paint();
  }

  connectedCallback(): void {
    this.#canvas.setAttribute("aria-hidden", "true");
    if (this.#canvas.parentElement !== this) this.append(this.#canvas);
  }

  #paint(): void {
    const raster = this.#raster;
    if (raster === null) return;
    const { values, columns, domain } = raster;
    const image = new ImageData(columns, values.length / columns);
    const table = colourTable(this.#map);
    values.forEach((value, n) => {
      const step = colourStep(value, domain);
      if (step < 0) return;
      image.data.set([table[step * 3] ?? 0, table[step * 3 + 1] ?? 0, table[step * 3 + 2] ?? 0, 255], n * 4);
    });
    this.#canvas.width = image.width;
    this.#canvas.height = image.height;
    this.#canvas.getContext("2d")?.putImageData(image, 0, 0);
  }
}

export function defineRaster(): void {
  if (customElements.get("posenc-raster") === undefined) customElements.define("posenc-raster", RasterElement);
}
