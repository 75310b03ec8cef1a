import { t } from "@vscode/l10n";
import type { ColourMap } from "../../../src/core/export/colourMaps.ts";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import type { CreateRenderer, Drawn, Mode, Picture, Viewport } from "../../engine/renderer.ts";
import { grouped } from "../../state/format.ts";
import type { Theme } from "../../state/page.ts";
import {
  type Cell,
  clampCell,
  crosshairOf,
  panViewport,
  revealCell,
  viewportOf,
  zoomViewport,
} from "../../state/viewport.ts";
import type { Subject } from "../../views/subject.ts";
import { Cells, type CellsEvents } from "./cells.ts";
import type { Snapshot } from "./compose.ts";
import { cellAt, type Geometry, placeFigure } from "./geometry.ts";
import { type KeyAction, listenForGestures } from "./gestures.ts";
import { type Overlay, type Profile, paintOverlay } from "./paint.ts";
import { mapFor, type Palette, readPalette } from "./palette.ts";

export interface FigureInput {
  readonly subject: Subject;
  /** Accessible name: encoding, view, shape. */
  readonly name: string;
  readonly place: Pick<PanelState, "viewport" | "crosshair" | "colour">;
  readonly theme: Theme;
  /** In place of the theme's map. */
  readonly map?: ColourMap;
  readonly profile: Profile | null;
  readonly busy: boolean;
  readonly drawn: Drawn | null;
}

export interface FigureEvents extends CellsEvents {
  readonly onViewport: (viewport: Viewport | null) => void;
  readonly onMode: (mode: Mode) => void;
  readonly onCrosshair: (cell: Cell, by: "pointer" | "keyboard") => void;
}

/** A matrix with axes, colour bar, crosshair and the crosshair's row; its cells come from the renderer. */
export class MatrixFigure {
  readonly element = document.createElement("div");
  readonly #plot = document.createElement("div");
  readonly #host = document.createElement("div");
  readonly #overlay = document.createElement("canvas");
  readonly #cells: Cells;
  readonly #events: FigureEvents;
  readonly #observer: ResizeObserver;
  #input: FigureInput | null = null;
  #palette: Palette | null = null;
  #geometry: Geometry | null = null;

  constructor(create: CreateRenderer, events: FigureEvents) {
    this.#events = events;
    this.#cells = new Cells(() => create(this.#host, { onModeChange: (mode) => this.#modeChanged(mode) }), events);
    this.element.className = "figure";
    this.element.setAttribute("role", "figure");
    this.#plot.className = "plot";
    this.#plot.setAttribute("role", "application");
    this.#plot.tabIndex = 0;
    this.#host.className = "cells";
    this.#overlay.className = "overlay";
    this.#overlay.setAttribute("aria-hidden", "true");
    this.#plot.append(this.#host);
    this.element.append(this.#plot, this.#overlay);
    listenForGestures(this.#plot, {
      onHover: (point) => this.#hover(point),
      onDrag: (dx, dy) => this.#drag(dx, dy),
      onZoom: (factor, at) => this.#zoom(factor, at),
      onKey: (action) => this.#key(action),
    });
    this.#observer = new ResizeObserver(() => this.#show());
    this.#observer.observe(this.element);
  }

  get geometry(): Geometry | null {
    return this.#geometry;
  }

  update(input: FigureInput): void {
    if (this.#input?.theme !== input.theme) this.#palette = null;
    this.#input = input;
    this.element.setAttribute("aria-label", input.name);
    this.element.setAttribute("aria-busy", String(input.busy));
    this.#plot.setAttribute("aria-label", `${input.name}. ${keyHelp()}`);
    this.#show();
  }

  /** Reads colours and fonts again: the theme changed without changing its kind. */
  restyle(): void {
    this.#palette = null;
    this.#show();
  }

  release(): void {
    this.#cells.release();
  }

  /** The surface under the picture is another one now. */
  #modeChanged(mode: Mode): void {
    this.#events.onMode(mode);
    this.#cells.redraw();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#cells.release();
  }

  /** The figure as it stands, its cells with `scale` times as many pixels as on the page at 100%. */
  async snapshot(scale: number): Promise<Snapshot | null> {
    const geometry = this.#geometry;
    const input = this.#input;
    if (geometry === null || input === null || this.#palette === null) return null;
    const { plot } = geometry;
    const pixels = await this.#cells.capture((picture) => ({
      ...picture,
      width: Math.round(plot.width * scale),
      height: Math.round(plot.height * scale),
    }));
    if (pixels === null) return null;
    return { pixels, scale, name: input.name, overlay: this.#parts(input, geometry, this.#palette) };
  }

  #show(): void {
    const input = this.#input;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (input === null || width === 0 || height === 0) return;
    this.#palette ??= readPalette(this.element);
    const palette = this.#palette;
    const geometry = placeFigure({
      width,
      height,
      line: palette.size,
      square: input.subject.source.kind === "attention",
      rows: viewportOf(input.place.viewport, input.subject.extent).rows,
      tickWidth: tickWidth(input, palette),
    });
    this.#geometry = geometry;
    placeElement(this.#plot, geometry.plot);
    const ratio = window.devicePixelRatio;
    resize(this.#overlay, width, height, ratio);
    const context = this.#overlay.getContext("2d");
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#paint(context, geometry, palette);
    this.#cells.draw(this.#picture(input, geometry, palette, ratio));
  }

  #paint(context: CanvasRenderingContext2D, geometry: Geometry, palette: Palette): void {
    if (this.#input !== null) paintOverlay(context, this.#parts(this.#input, geometry, palette));
  }

  #parts(input: FigureInput, geometry: Geometry, palette: Palette): Overlay {
    const { subject, place } = input;
    const viewport = viewportOf(place.viewport, subject.extent);
    return {
      geometry,
      palette,
      viewport,
      rowAxis: subject.rowAxis,
      columnAxis: subject.columnAxis,
      map: this.#map(input),
      scale: place.colour.scale,
      domain: input.drawn?.domain ?? null,
      crosshair: crosshairOf(place.crosshair, viewport, subject.extent),
      profile: input.profile,
    };
  }

  #map({ theme, map }: FigureInput): ColourMap {
    return map ?? mapFor(theme);
  }

  #picture(input: FigureInput, { plot }: Geometry, palette: Palette, ratio: number): Picture {
    const { subject, place } = input;
    return {
      source: subject.source,
      viewport: viewportOf(place.viewport, subject.extent),
      colouring: {
        map: this.#map(input),
        scale: place.colour.scale,
        domain: place.colour.domain,
        background: input.map === "difference" ? palette.maskedDifference : palette.masked,
      },
      width: Math.max(1, Math.round(plot.width * ratio)),
      height: Math.max(1, Math.round(plot.height * ratio)),
    };
  }

  /** Several gestures may come before the page answers: each begins where the one before ended. */
  #setViewport(viewport: Viewport | null): void {
    if (this.#input !== null) this.#input = { ...this.#input, place: { ...this.#input.place, viewport } };
    this.#events.onViewport(viewport);
  }

  #setCrosshair(crosshair: Cell, by: "pointer" | "keyboard"): void {
    if (this.#input !== null) this.#input = { ...this.#input, place: { ...this.#input.place, crosshair } };
    this.#events.onCrosshair(crosshair, by);
  }

  #viewport(): Viewport | null {
    return this.#input === null ? null : viewportOf(this.#input.place.viewport, this.#input.subject.extent);
  }

  #hover(point: { x: number; y: number } | null): void {
    const viewport = this.#viewport();
    if (point === null || viewport === null) return;
    const cell = cellAt({ x: 0, y: 0, width: 1, height: 1 }, viewport, point.x, point.y);
    if (cell !== null) this.#setCrosshair(cell, "pointer");
  }

  #drag(dx: number, dy: number): void {
    const viewport = this.#viewport();
    if (viewport === null || this.#input === null) return;
    const { extent } = this.#input.subject;
    this.#setViewport(panViewport(viewport, extent, -dy * viewport.rows, -dx * viewport.columns));
  }

  #zoom(factor: number, at: { x: number; y: number }): void {
    const viewport = this.#viewport();
    if (viewport === null || this.#input === null) return;
    this.#setViewport(zoomViewport(viewport, this.#input.subject.extent, factor, at));
  }

  #key(action: KeyAction): void {
    const viewport = this.#viewport();
    const input = this.#input;
    if (viewport === null || input === null) return;
    const { extent } = input.subject;
    if (action.kind === "fit") this.#setViewport(null);
    else if (action.kind === "zoom") this.#zoom(action.factor, this.#focusPoint(viewport));
    else if (action.kind === "pan") {
      const step = { row: Math.max(1, viewport.rows / 10), column: Math.max(1, viewport.columns / 10) };
      this.#setViewport(panViewport(viewport, extent, action.by.row * step.row, action.by.column * step.column));
    } else this.#moveTo(this.#target(action, viewport));
  }

  /** Zooming by keyboard keeps the crosshair where it is, if it can be seen. */
  #focusPoint(viewport: Viewport): { x: number; y: number } {
    const cell = this.#crosshair(viewport);
    const x = (cell.column + 0.5 - viewport.column) / viewport.columns;
    const y = (cell.row + 0.5 - viewport.row) / viewport.rows;
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : { x: 0.5, y: 0.5 };
  }

  #target(action: Extract<KeyAction, { kind: "move" | "edge" }>, viewport: Viewport): Cell {
    const from = this.#crosshair(viewport);
    if (action.kind === "move") return { row: from.row + action.by.row, column: from.column + action.by.column };
    const end = action.end === "start" ? 0 : Number.MAX_SAFE_INTEGER;
    return { row: action.of === "matrix" ? end : from.row, column: end };
  }

  #crosshair(viewport: Viewport): Cell {
    if (this.#input === null) return { row: 0, column: 0 };
    return crosshairOf(this.#input.place.crosshair, viewport, this.#input.subject.extent);
  }

  #moveTo(target: Cell): void {
    const viewport = this.#viewport();
    if (viewport === null || this.#input === null) return;
    const { extent } = this.#input.subject;
    const cell = clampCell(target, extent);
    this.#setCrosshair(cell, "keyboard");
    const seen = revealCell(viewport, extent, cell);
    if (seen.row !== viewport.row || seen.column !== viewport.column) this.#setViewport(seen);
  }
}

function keyHelp(): string {
  return t(
    "Use the arrow keys to move the crosshair, Shift and the arrow keys to pan, plus and minus to zoom, 0 to show all, Home and End to go to the ends of the row.",
  );
}

function tickWidth({ subject, place }: FigureInput, { size }: Palette): number {
  const viewport = viewportOf(place.viewport, subject.extent);
  const last = Math.ceil(viewport.row + viewport.rows) + subject.rowAxis.first;
  return (grouped(last).length + 0.5) * size * 0.48;
}

function placeElement(element: HTMLElement, box: { x: number; y: number; width: number; height: number }): void {
  // Through CSSOM: the page's policy allows no style attributes in markup.
  element.style.left = `${box.x}px`;
  element.style.top = `${box.y}px`;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
}

function resize(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}
