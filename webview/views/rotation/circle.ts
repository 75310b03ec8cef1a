import { svg, type TemplateResult } from "lit-html";
import type { Complex } from "../../../src/core/encodings/rope/matrix.ts";

const CIRCLE_SIZE = 260;
const RADIUS = 92;
const CENTRE = CIRCLE_SIZE / 2;

/** An arrow from the centre; angle in radians, counter-clockwise. */
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

export function complexAngle([re, im]: Complex): number {
  return Math.atan2(im, re);
}

function pointAt(angle: number, radius: number): readonly [number, number] {
  return [CENTRE + radius * Math.cos(angle), CENTRE - radius * Math.sin(angle)];
}

function arrowSvg({ angle, label, kind }: Arrow): TemplateResult {
  const [x, y] = pointAt(angle, RADIUS);
  const [left, top] = pointAt(angle + 0.08, RADIUS - 11);
  const [right, bottom] = pointAt(angle - 0.08, RADIUS - 11);
  const [textX, textY] = pointAt(angle, RADIUS + 17);
  return svg`<line class=${`arrow ${kind}`} x1=${CENTRE} y1=${CENTRE} x2=${x} y2=${y} />
    <path class=${`head ${kind}`} d=${`M${x} ${y}L${left} ${top}L${right} ${bottom}Z`} />
    <text class=${`name ${kind}`} x=${textX} y=${textY + 4} text-anchor="middle">${label}</text>`;
}

/** The shorter rotation from one angle to another, −π … π. */
export function shortestRotation(from: number, to: number): number {
  const turn = 2 * Math.PI;
  return ((((to - from + Math.PI) % turn) + turn) % turn) - Math.PI;
}

function arcSvg({ from, to, label }: Arc): TemplateResult {
  const radius = 38;
  const rotation = shortestRotation(from, to);
  const [x0, y0] = pointAt(from, radius);
  const [x1, y1] = pointAt(from + rotation, radius);
  const [textX, textY] = pointAt(from + rotation / 2, radius + 20);
  return svg`<path class="arc" d=${`M${x0} ${y0}A${radius} ${radius} 0 0 ${rotation > 0 ? 0 : 1} ${x1} ${y1}`} />
    <text class="arc-name" x=${textX} y=${textY + 4} text-anchor="middle">${label}</text>`;
}

/** The unit circle with arrows on it. */
export function circleSvg(arrows: readonly Arrow[], arc: Arc): TemplateResult {
  return svg`<svg class="circle" viewBox=${`0 0 ${CIRCLE_SIZE} ${CIRCLE_SIZE}`} aria-hidden="true">
    <line class="cross" x1="12" y1=${CENTRE} x2=${CIRCLE_SIZE - 12} y2=${CENTRE} />
    <line class="cross" x1=${CENTRE} y1="12" x2=${CENTRE} y2=${CIRCLE_SIZE - 12} />
    <circle class="unit" cx=${CENTRE} cy=${CENTRE} r=${RADIUS} />
    ${arcSvg(arc)} ${arrows.map(arrowSvg)}
  </svg>`;
}
