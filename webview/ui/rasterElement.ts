import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import { paintRaster, type Raster } from "./rasterImage.ts";
import "./rasterElement.css";

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
    if (this.#raster !== null) paintRaster(this.#canvas, this.#raster, this.#map);
  }
}

export function defineRaster(): void {
  if (customElements.get("posenc-raster") === undefined) customElements.define("posenc-raster", RasterElement);
}
