import * as l10n from "@vscode/l10n";
import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { resizeCanvas } from "../engine/painter.ts";
import type { CreateRenderer, DrawResult, PictureRequest, RenderMode } from "../engine/renderer.ts";
import type { Viewport } from "../matrix/viewport.ts";
import {
  clampCell,
  effectiveCrosshair,
  effectiveViewport,
  type MatrixCell,
  panViewport,
  revealCell,
  zoomViewport,
} from "../matrix/viewport.ts";
import { groupDigits } from "../ui/format.ts";
import { type Palette, readPalette, themeColourMap } from "../ui/palette.ts";
import type { Theme } from "../ui/theme.ts";
import { CellRenderer, type DrawEvents } from "./cellRenderer.ts";
import type { Snapshot } from "./composeFigure.ts";
import { cellAt, type FigureGeometry, layOutFigure } from "./geometry.ts";
import { type KeyAction, listenForGestures } from "./gestures.ts";
import type { MatrixSource } from "./matrixSource.ts";
import type { Overlay, RowProfile } from "./overlay.ts";
import { paintOverlay } from "./paintOverlay.ts";
import "./matrixFigure.css";

export interface FigureInput {
  readonly matrix: MatrixSource;
  /** Accessible name: encoding, view, shape. */
  readonly name: string;
  readonly display: Pick<PanelState, "viewport" | "crosshair" | "colour">;
  readonly theme: Theme;
  /** Replaces the theme's colour map. */
  readonly map?: ColourMap;
  readonly profile: RowProfile | null;
  readonly busy: boolean;
  readonly drawResult: DrawResult | null;
}

export interface FigureEvents extends DrawEvents {
  readonly onViewport: (viewport: Viewport | null) => void;
  readonly onMode: (mode: RenderMode) => void;
  readonly onCrosshair: (cell: MatrixCell, by: "pointer" | "keyboard") => void;
}

/** A matrix with axes, colour bar, crosshair and row profile. The renderer draws its cells. */
export class MatrixFigure {
  readonly element = document.createElement("div");
  readonly #plot = document.createElement("div");
  readonly #cellHost = document.createElement("div");
  readonly #overlayCanvas = document.createElement("canvas");
  readonly #cellRenderer: CellRenderer;
  readonly #events: FigureEvents;
  readonly #observer: ResizeObserver;
  #input: FigureInput | null = null;
  #palette: Palette | null = null;
  #geometry: FigureGeometry | null = null;

  constructor(create: CreateRenderer, events: FigureEvents) {
    this.#events = events;
    this.#cellRenderer = new CellRenderer(
      () => create(this.#cellHost, { onModeChange: (mode) => this.#modeChanged(mode) }),
      events,
    );
    this.element.className = "figure";
    this.element.setAttribute("role", "figure");
    this.#plot.className = "plot";
    this.#plot.setAttribute("role", "application");
    this.#plot.tabIndex = 0;
    this.#cellHost.className = "cells";
    this.#overlayCanvas.className = "overlay";
    this.#overlayCanvas.setAttribute("aria-hidden", "true");
    this.#plot.append(this.#cellHost);
    this.element.append(this.#plot, this.#overlayCanvas);
    listenForGestures(this.#plot, {
      onHover: (point) => this.#hover(point),
      onDrag: (dx, dy) => this.#drag(dx, dy),
      onZoom: (factor, at) => this.#zoom(factor, at),
      onKey: (action) => this.#onKey(action),
    });
    this.#observer = new ResizeObserver(() => this.#redraw());
    this.#observer.observe(this.element);
  }

  get geometry(): FigureGeometry | null {
    return this.#geometry;
  }

  update(input: FigureInput): void {
    if (this.#input?.theme !== input.theme) this.#palette = null;
    this.#input = input;
    this.element.setAttribute("aria-label", input.name);
    this.element.setAttribute("aria-busy", String(input.busy));
    this.#plot.setAttribute("aria-label", `${input.name}. ${keyHelp()}`);
    this.#redraw();
  }

  /** Reads colours and fonts again after a theme change. */
  restyle(): void {
    this.#palette = null;
    this.#redraw();
  }

  release(): void {
    this.#cellRenderer.release();
  }

  /** The renderer switched painters, so the new canvas is empty. */
  #modeChanged(mode: RenderMode): void {
    this.#events.onMode(mode);
    this.#cellRenderer.redraw();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#cellRenderer.release();
  }

  /** A snapshot of the figure, with `scale` pixels per CSS pixel. */
  async snapshot(scale: number): Promise<Snapshot | null> {
    const geometry = this.#geometry;
    const input = this.#input;
    if (geometry === null || input === null || this.#palette === null) return null;
    const { plot } = geometry;
    const pixels = await this.#cellRenderer.capture((picture) => ({
      ...picture,
      width: Math.round(plot.width * scale),
      height: Math.round(plot.height * scale),
    }));
    if (pixels === null) return null;
    return { pixels, scale, name: input.name, overlay: this.#buildOverlay(input, geometry, this.#palette) };
  }

  #redraw(): void {
    const input = this.#input;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (input === null || width === 0 || height === 0) return;
    this.#palette ??= readPalette(this.element);
    const palette = this.#palette;
    const geometry = layOutFigure({
      width,
      height,
      line: palette.size,
      square: input.matrix.source.kind === "attention",
      rows: effectiveViewport(input.display.viewport, input.matrix.extent).rows,
      tickWidth: widestRowTick(input, palette),
    });
    this.#geometry = geometry;
    placeElement(this.#plot, geometry.plot);
    const ratio = window.devicePixelRatio;
    resizeCanvas(this.#overlayCanvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = this.#overlayCanvas.getContext("2d");
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#paintOverlay(context, geometry, palette);
    this.#cellRenderer.draw(this.#buildRequest(input, geometry, palette, ratio));
  }

  #paintOverlay(context: CanvasRenderingContext2D, geometry: FigureGeometry, palette: Palette): void {
    if (this.#input !== null) paintOverlay(context, this.#buildOverlay(this.#input, geometry, palette));
  }

  #buildOverlay(input: FigureInput, geometry: FigureGeometry, palette: Palette): Overlay {
    const { matrix, display } = input;
    const viewport = effectiveViewport(display.viewport, matrix.extent);
    return {
      geometry,
      palette,
      viewport,
      rowAxis: matrix.rowAxis,
      columnAxis: matrix.columnAxis,
      map: this.#colourMap(input),
      scale: display.colour.scale,
      domain: input.drawResult?.domain ?? null,
      crosshair: effectiveCrosshair(display.crosshair, viewport, matrix.extent),
      profile: input.profile,
    };
  }

  #colourMap({ theme, map }: FigureInput): ColourMap {
    return map ?? themeColourMap(theme);
  }

  #buildRequest(input: FigureInput, { plot }: FigureGeometry, palette: Palette, ratio: number): PictureRequest {
    const { matrix, display } = input;
    return {
      source: matrix.source,
      viewport: effectiveViewport(display.viewport, matrix.extent),
      colouring: {
        map: this.#colourMap(input),
        scale: display.colour.scale,
        domain: display.colour.domain,
        background: input.map === "difference" ? palette.maskedDifference : palette.masked,
      },
      width: Math.max(1, Math.round(plot.width * ratio)),
      height: Math.max(1, Math.round(plot.height * ratio)),
    };
  }

  /** Several gestures may come before the page updates, so each must start where the previous one ended. */
  #setViewport(viewport: Viewport | null): void {
    if (this.#input !== null) this.#input = { ...this.#input, display: { ...this.#input.display, viewport } };
    this.#events.onViewport(viewport);
  }

  #setCrosshair(crosshair: MatrixCell, by: "pointer" | "keyboard"): void {
    if (this.#input !== null) this.#input = { ...this.#input, display: { ...this.#input.display, crosshair } };
    this.#events.onCrosshair(crosshair, by);
  }

  #viewport(): Viewport | null {
    return this.#input === null ? null : effectiveViewport(this.#input.display.viewport, this.#input.matrix.extent);
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
    const { extent } = this.#input.matrix;
    this.#setViewport(panViewport(viewport, extent, -dy * viewport.rows, -dx * viewport.columns));
  }

  #zoom(factor: number, at: { x: number; y: number }): void {
    const viewport = this.#viewport();
    if (viewport === null || this.#input === null) return;
    this.#setViewport(zoomViewport(viewport, this.#input.matrix.extent, factor, at));
  }

  #onKey(action: KeyAction): void {
    const viewport = this.#viewport();
    const input = this.#input;
    if (viewport === null || input === null) return;
    const { extent } = input.matrix;
    if (action.kind === "fit") this.#setViewport(null);
    else if (action.kind === "zoom") this.#zoom(action.factor, this.#focusPoint(viewport));
    else if (action.kind === "pan") {
      const step = { row: Math.max(1, viewport.rows / 10), column: Math.max(1, viewport.columns / 10) };
      this.#setViewport(panViewport(viewport, extent, action.by.row * step.row, action.by.column * step.column));
    } else this.#moveCrosshair(this.#keyTarget(action, viewport));
  }

  /** Keyboard zoom keeps the crosshair in place if it is visible. */
  #focusPoint(viewport: Viewport): { x: number; y: number } {
    const cell = this.#crosshair(viewport);
    const x = (cell.column + 0.5 - viewport.column) / viewport.columns;
    const y = (cell.row + 0.5 - viewport.row) / viewport.rows;
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : { x: 0.5, y: 0.5 };
  }

  #keyTarget(action: Extract<KeyAction, { kind: "move" | "edge" }>, viewport: Viewport): MatrixCell {
    const from = this.#crosshair(viewport);
    if (action.kind === "move") return { row: from.row + action.by.row, column: from.column + action.by.column };
    const end = action.end === "start" ? 0 : Number.MAX_SAFE_INTEGER;
    return { row: action.of === "matrix" ? end : from.row, column: end };
  }

  #crosshair(viewport: Viewport): MatrixCell {
    if (this.#input === null) return { row: 0, column: 0 };
    return effectiveCrosshair(this.#input.display.crosshair, viewport, this.#input.matrix.extent);
  }

  #moveCrosshair(target: MatrixCell): void {
    const viewport = this.#viewport();
    if (viewport === null || this.#input === null) return;
    const { extent } = this.#input.matrix;
    const cell = clampCell(target, extent);
    this.#setCrosshair(cell, "keyboard");
    const seen = revealCell(viewport, extent, cell);
    if (seen.row !== viewport.row || seen.column !== viewport.column) this.#setViewport(seen);
  }
}

function keyHelp(): string {
  return l10n.t(
    "Use the arrow keys to move the crosshair, Shift and the arrow keys to pan, plus and minus to zoom, 0 to show all, Home and End to go to the ends of the row.",
  );
}

function widestRowTick({ matrix, display }: FigureInput, { size }: Palette): number {
  const viewport = effectiveViewport(display.viewport, matrix.extent);
  const last = Math.ceil(viewport.row + viewport.rows) + matrix.rowAxis.first;
  return (groupDigits(last).length + 0.5) * size * 0.48;
}

function placeElement(element: HTMLElement, box: { x: number; y: number; width: number; height: number }): void {
  // Through CSSOM, because the content security policy forbids style attributes in markup.
  element.style.left = `${box.x}px`;
  element.style.top = `${box.y}px`;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
}
