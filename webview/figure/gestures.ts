import { ownValue } from "../../src/core/util/ownValue.ts";
import type { MatrixCell } from "../matrix/viewport.ts";

/** User gestures on a plot, in fractions of its width and height. */
export interface Gestures {
  /** The pointer is over a point; null when it left. */
  readonly onHover: (point: { x: number; y: number } | null) => void;
  /** Dragged by these fractions. */
  readonly onDrag: (dx: number, dy: number) => void;
  /** A `factor` above 1 zooms out. */
  readonly onZoom: (factor: number, at: { x: number; y: number }) => void;
  readonly onKey: (action: KeyAction) => void;
}

export type KeyAction =
  | { readonly kind: "move"; readonly by: MatrixCell }
  | { readonly kind: "pan"; readonly by: MatrixCell }
  | { readonly kind: "zoom"; readonly factor: number }
  | { readonly kind: "fit" }
  | { readonly kind: "edge"; readonly end: "start" | "end"; readonly of: "row" | "matrix" };

const KEY_MOVES: Readonly<Record<string, MatrixCell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  PageUp: { row: -10, column: 0 },
  PageDown: { row: 10, column: 0 },
};

export function keyAction(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">,
): KeyAction | null {
  if (event.altKey || event.metaKey) return null;
  const arrow = ownValue(KEY_MOVES, event.key);
  if (arrow !== undefined) return { kind: event.shiftKey ? "pan" : "move", by: arrow };
  const of = event.ctrlKey ? "matrix" : "row";
  switch (event.key) {
    case "Home":
      return { kind: "edge", end: "start", of };
    case "End":
      return { kind: "edge", end: "end", of };
  }
  if (event.ctrlKey) return null;
  switch (event.key) {
    case "+":
    case "=":
      return { kind: "zoom", factor: 1 / 1.5 };
    case "-":
    case "_":
      return { kind: "zoom", factor: 1.5 };
    case "0":
      return { kind: "fit" };
    default:
      return null;
  }
}

/** Listens to wheel, drag, hover and keys of an element, except Tab. */
export function listenForGestures(element: HTMLElement, gestures: Gestures): void {
  let lastPoint: { x: number; y: number } | null = null;
  const point = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      gestures.onZoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0015))), point(event));
    },
    { passive: false },
  );
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    lastPoint = point(event);
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
  });
  element.addEventListener("pointermove", (event) => {
    const now = point(event);
    if (lastPoint === null) return gestures.onHover(now);
    gestures.onDrag(now.x - lastPoint.x, now.y - lastPoint.y);
    lastPoint = now;
  });
  const release = () => {
    lastPoint = null;
    element.classList.remove("held");
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => gestures.onHover(null));
  element.addEventListener("keydown", (event) => {
    const action = keyAction(event);
    if (action === null) return;
    event.preventDefault();
    gestures.onKey(action);
  });
}
