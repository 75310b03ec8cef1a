import { svg, type TemplateResult } from "lit-html";
import type { Complex } from "../../../src/core/encodings/rope/matrix.ts";

const SIZE = 260;
const RADIUS = 92;
const MIDDLE = SIZE / 2;

/** One arrow from the middle: direction in radians, against the clock. */
export interface Arrow {
  readonly angle: number;
  readonly label: string;
  readonly kind: "query" | "key" | "faint";
}

export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export function angleOf([re, im]: Complex): number {
  return Math.atan2(im, re);
}

function point(angle: number, radius: number): readonly [number, number] {
  return [MIDDLE + radius * Math.cos(angle), MIDDLE - radius * Math.sin(angle)];
}

function arrowSvg({ angle, label, kind }: Arrow): TemplateResult {
  const [x, y] = point(angle, RADIUS);
  const [left, top] = point(angle + 0.08, RADIUS - 11);
  const [right, bottom] = point(angle - 0.08, RADIUS - 11);
  const [textX, textY] = point(angle, RADIUS + 17);
  return svg`<line class=${`arrow ${kind}`} x1=${MIDDLE} y1=${MIDDLE} x2=${x} y2=${y} />
    <path class=${`head ${kind}`} d=${`M${x} ${y}L${left} ${top}L${right} ${bottom}Z`} />
    <text class=${`name ${kind}`} x=${textX} y=${textY + 4} text-anchor="middle">${label}</text>`;
}

/** The shorter way from one arrow to the other. */
export function shortWay(from: number, to: number): number {
  const turn = 2 * Math.PI;
  return ((((to - from + Math.PI) % turn) + turn) % turn) - Math.PI;
}

function arcSvg({ from, to, label }: Arc): TemplateResult {
  const radius = 38;
  const way = shortWay(from, to);
  const [x0, y0] = point(from, radius);
  const [x1, y1] = point(from + way, radius);
  const [textX, textY] = point(from + way / 2, radius + 20);
  return svg`<path class="arc" d=${`M${x0} ${y0}A${radius} ${radius} 0 0 ${way > 0 ? 0 : 1} ${x1} ${y1}`} />
    <text class="arc-name" x=${textX} y=${textY + 4} text-anchor="middle">${label}</text>`;
}

/** The unit circle with arrows on it. */
export function circle(arrows: readonly Arrow[], arc: Arc): TemplateResult {
  return svg`<svg class="circle" viewBox=${`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
    <line class="cross" x1="12" y1=${MIDDLE} x2=${SIZE - 12} y2=${MIDDLE} />
    <line class="cross" x1=${MIDDLE} y1="12" x2=${MIDDLE} y2=${SIZE - 12} />
    <circle class="unit" cx=${MIDDLE} cy=${MIDDLE} r=${RADIUS} />
    ${arcSvg(arc)} ${arrows.map(arrowSvg)}
  </svg>`;
}
