import { encode } from "fast-png";
import { colourStep, colourTable, valueDomain } from "./colourMaps.ts";

const MASKED_RGB = [128, 128, 128] as const;

/** RGB bytes of a matrix, one pixel per cell; non-finite cells are grey. */
function toRgbBytes(values: Float64Array): Uint8Array {
  const table = colourTable("viridis");
  const domain = valueDomain(values);
  const bytes = new Uint8Array(values.length * 3);
  values.forEach((value, n) => {
    const step = Number.isFinite(value) ? colourStep(value, domain) : -1;
    bytes.set(step < 0 ? MASKED_RGB : table.subarray(step * 3, step * 3 + 3), n * 3);
  });
  return bytes;
}

/** PNG of a matrix, one pixel per cell, viridis over the range of the values. */
export function matrixPng(values: Float64Array, columns: number): Uint8Array {
  const rows = values.length / columns;
  return encode({ width: columns, height: rows, data: toRgbBytes(values), channels: 3, depth: 8 });
}

/** SVG of a matrix, one rectangle per cell. */
export function matrixSvg(values: Float64Array, columns: number): string {
  const rows = values.length / columns;
  const bytes = toRgbBytes(values);
  const hex = (n: number) => (bytes[n] ?? 0).toString(16).padStart(2, "0");
  const cells = Array.from(values, (_, n) => {
    const fill = `#${hex(n * 3)}${hex(n * 3 + 1)}${hex(n * 3 + 2)}`;
    return `<rect x="${n % columns}" y="${Math.floor(n / columns)}" width="1" height="1" fill="${fill}"/>`;
  });
  const size = `viewBox="0 0 ${columns} ${rows}" width="${columns * 8}" height="${rows * 8}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} shape-rendering="crispEdges">${cells.join("")}</svg>\n`;
}
