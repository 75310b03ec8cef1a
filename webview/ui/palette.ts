import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import type { Theme } from "./theme.ts";

/** Colours and fonts of the current theme. */
export interface Palette {
  readonly page: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  /** Masked cells, `#rrggbb`. */
  readonly masked: string;
  /** Masked cells of a difference; the difference map is light in the middle, like a light page. */
  readonly maskedDifference: string;
  readonly font: string;
  readonly mono: string;
  readonly size: number;
}

const probeCanvas = document.createElement("canvas");
probeCanvas.width = 1;
probeCanvas.height = 1;

/** Composes a CSS colour over an opaque one, as `#rrggbb`, the only form that the shaders take. */
export function opaqueHex(colour: string, over: string): string {
  const context = probeCanvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return "#808080";
  for (const fill of [over, colour]) {
    context.fillStyle = "#000000";
    context.fillStyle = fill;
    context.fillRect(0, 0, 1, 1);
  }
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Reads the custom properties that panel.css derives from the editor's theme. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const page = opaqueHex(colour("--page"), "#000000");
  return {
    page,
    text: colour("--text"),
    muted: colour("--muted"),
    line: colour("--line"),
    accent: colour("--accent"),
    masked: opaqueHex(colour("--masked"), page),
    maskedDifference: opaqueHex(colour("--masked-difference"), page),
    font: style.fontFamily,
    mono: colour("--mono"),
    size: Number.parseFloat(style.fontSize) || 13,
  };
}

/** Perceptually uniform and safe for colour-blind users; large values contrast with the theme's background. */
export function themeColourMap(theme: Theme): ColourMap {
  return theme === "dark" || theme === "hc-black" ? "viridis" : "viridisReversed";
}
