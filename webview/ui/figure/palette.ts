import type { ColourMap } from "../../../src/core/export/colourMaps.ts";
import type { Theme } from "../../state/page.ts";

/** Colours and fonts of the overlay, as the theme has them now. */
export interface Palette {
  readonly page: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  /** Masked cells, `#rrggbb`. */
  readonly masked: string;
  /** Masked cells of a difference, whose middle is as light as a light page. */
  readonly maskedDifference: string;
  readonly font: string;
  readonly mono: string;
  readonly size: number;
}

const probe = document.createElement("canvas");
probe.width = 1;
probe.height = 1;

/** Any CSS colour over an opaque one, as `#rrggbb`: the shader knows no other form. */
export function opaqueHex(colour: string, over: string): string {
  const context = probe.getContext("2d", { willReadFrequently: true });
  if (context === null) return "#808080";
  for (const fill of [over, colour]) {
    context.fillStyle = "#000000";
    context.fillStyle = fill;
    context.fillRect(0, 0, 1, 1);
  }
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Reads the custom properties that panel.css derives from the editor's. */
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

/** Perceptually uniform and safe for colour-blind eyes; the end that means "much" stands off the theme's page. */
export function mapFor(theme: Theme): ColourMap {
  return theme === "dark" || theme === "hc-black" ? "viridis" : "viridisReversed";
}
