import { optimize } from "svgo";

export interface SizedSvg {
  readonly svg: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** MathJax draws 1000 units per em: a unit is a sixtieth of a pixel, so coordinates are rounded to whole units. */
const PRECISION = { floatPrecision: 0, transformPrecision: 5 };

/**
 * Minifies MathJax's SVG, which draws in `currentColor`, and gives it a size in pixels.
 * @param pixelsPerEm font size
 * @param maxWidth in pixels; a wider formula is scaled down
 * @throws Error without a viewBox
 */
export function minifySvg(source: string, pixelsPerEm: number, maxWidth: number): SizedSvg {
  const [, unitsWide, unitsHigh] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(source)?.map(Number) ?? [];
  if (unitsWide === undefined || unitsHigh === undefined) throw new Error("MathJax's SVG has no viewBox");
  const pixels = Math.min(pixelsPerEm / 1000, maxWidth / unitsWide);
  const size = { width: Math.ceil(unitsWide * pixels), height: Math.ceil(unitsHigh * pixels) };
  const { data } = optimize(source, {
    multipass: true,
    plugins: [
      {
        name: "preset-default",
        params: { overrides: { convertPathData: PRECISION, convertTransform: { ...PRECISION, floatPrecision: 3 } } },
      },
      // For inline use in MathJax's own page.
      { name: "removeAttrs", params: { attrs: ["svg:style", "svg:role", "svg:focusable", "data-.*"] } },
      "removeXlink",
      "removeDimensions",
      {
        name: "addAttributesToSVGElement",
        params: { attributes: [{ width: `${size.width}` }, { height: `${size.height}` }] },
      },
    ],
  });
  return { svg: data, ...size };
}
