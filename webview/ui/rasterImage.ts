import { type ColourMap, colourStep, colourTable } from "../../src/core/export/colourMaps.ts";

/** A matrix to paint on the CPU, one pixel per value. */
export interface Raster {
  /** Row-major; what is not finite is masked, and transparent. */
  readonly values: ArrayLike<number>;
  readonly columns: number;
  readonly domain: readonly [number, number];
}

/** Paints a raster, and sets the canvas to its size. */
export function paintRaster(canvas: HTMLCanvasElement, { values, columns, domain }: Raster, map: ColourMap): void {
  const image = new ImageData(columns, values.length / columns);
  const table = colourTable(map);
  for (let n = 0; n < values.length; n++) {
    const value = values[n] ?? Number.NaN;
    const step = colourStep(value, domain) * 3;
    if (Number.isFinite(value)) image.data.set([...table.subarray(step, step + 3), 255], n * 4);
  }
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}
