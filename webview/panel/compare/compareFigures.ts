import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ComparisonEngine } from "../../engine/comparisonEngine.ts";
import type { DrawResult } from "../../engine/renderer.ts";
import type { RowNormaliser } from "../../engine/rowNormaliser.ts";
import type { Snapshot } from "../../figure/composeFigure.ts";
import { type FigureEvents, MatrixFigure } from "../../figure/matrixFigure.ts";
import type { RowProfile } from "../../figure/overlay.ts";
import type { Page } from "../../state/page.ts";
import { createRowProfiler } from "../rowProfile.ts";
import type { ComparedMatrices } from "./comparedMatrices.ts";
import "./compareFigures.css";

export type PaneId = keyof ComparedMatrices;
export const PANE_IDS: readonly PaneId[] = ["a", "b", "difference"];

/** Below this width the three pictures are stacked. In CSS pixels, like the gap. */
const MIN_SIDE_BY_SIDE_WIDTH = 600;
const PANE_GAP = 6;

interface Pane {
  readonly figure: MatrixFigure;
  busy: boolean;
  drawResult: DrawResult | null;
}

export interface CompareInput {
  readonly page: Page;
  readonly matrices: ComparedMatrices;
  /** Accessible names of the three figures. */
  readonly names: Readonly<Record<PaneId, string>>;
  readonly normalisers: { readonly a: RowNormaliser; readonly b: RowNormaliser };
}

/** A, B and A − B on the same axes; pan, zoom and crosshair are shared. */
export class CompareFigures {
  readonly element = document.createElement("div");
  readonly #engine: ComparisonEngine;
  readonly #panes: Readonly<Record<PaneId, Pane>>;
  readonly #profiles = { a: createRowProfiler(), b: createRowProfiler() };
  readonly #onChange: () => void;
  readonly #observer: ResizeObserver;
  #focused: PaneId = "a";

  /** @param events of the first figure, which represents all three where only one is needed */
  constructor(engine: ComparisonEngine, events: FigureEvents, onChange: () => void) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.#panes = {
      a: this.#createPane("a", events),
      b: this.#createPane("b", events),
      difference: this.#createPane("difference", events),
    };
    this.element.className = "compare";
    this.#observer = new ResizeObserver(() => this.#layout());
    this.#observer.observe(this.element);
  }

  figure(part: PaneId): HTMLElement {
    return this.#panes[part].figure.element;
  }

  /** The picture that the user last worked with; exports take it. */
  get focused(): PaneId {
    return this.#focused;
  }

  snapshot(scale: number): Promise<Snapshot | null> {
    return this.#panes[this.#focused].figure.snapshot(scale);
  }

  restyle(): void {
    for (const part of PANE_IDS) this.#panes[part].figure.restyle();
  }

  release(): void {
    for (const part of PANE_IDS) this.#panes[part].figure.release();
    this.#engine.release();
  }

  dispose(): void {
    this.#observer.disconnect();
    for (const part of PANE_IDS) this.#panes[part].figure.dispose();
    this.#engine.release();
  }

  update(input: CompareInput): void {
    const { page, matrices, names } = input;
    const { panel, theme } = page;
    const profiles = this.#rowProfiles(input);
    for (const part of PANE_IDS) {
      const { figure, busy, drawResult } = this.#panes[part];
      const difference = part === "difference";
      figure.update({
        matrix: matrices[part],
        name: names[part],
        display: difference ? { ...panel, colour: { ...panel.colour, domain: null } } : panel,
        theme,
        ...(difference ? { map: "difference" as const } : {}),
        profile: profiles[part],
        busy,
        drawResult,
      });
    }
  }

  #rowProfiles({ page, matrices, normalisers }: CompareInput): Readonly<Record<PaneId, RowProfile | null>> {
    const a = this.#profiles.a(page, matrices.a, normalisers.a);
    const b = this.#profiles.b(page, matrices.b, normalisers.b);
    if (a === null || b === null) return { a, b, difference: null };
    const values = a.values.map((value, n) => (value === b.values[n] ? 0 : value - (b.values[n] ?? Number.NaN)));
    return { a, b, difference: { ...a, values } };
  }

  #createPane(part: PaneId, events: FigureEvents): Pane {
    const first = part === "a";
    const setPane = (change: Partial<Pane>) => {
      Object.assign(this.#panes[part], change);
      this.#onChange();
    };
    const figure = new MatrixFigure(this.#engine.rendererFactory(first), {
      onStart: () => {
        if (first) events.onStart();
        setPane({ busy: true });
      },
      onProgress: (fraction) => first && events.onProgress(fraction),
      onDrawn: (drawResult) => {
        if (first) events.onDrawn(drawResult);
        setPane({ busy: drawResult.coarse, drawResult });
      },
      onError: (message) => {
        events.onError(message);
        setPane({ busy: false });
      },
      onMode: (mode) => first && events.onMode(mode),
      onViewport: events.onViewport,
      onCrosshair: events.onCrosshair,
    });
    const markFocused = () => (this.#focused = part);
    figure.element.addEventListener("focusin", markFocused);
    figure.element.addEventListener("pointerdown", markFocused);
    return { figure, busy: true, drawResult: null };
  }

  /** Whole pixels for each picture, so that the three share one grid of cells. */
  #layout(): void {
    const { clientWidth: width } = this.element;
    if (width === 0) return;
    const stacked = width < MIN_SIDE_BY_SIDE_WIDTH;
    this.element.classList.toggle("stacked", stacked);
    const side = stacked ? width : Math.floor((width - 2 * PANE_GAP) / 3);
    // Through CSSOM, because the content security policy forbids style attributes in markup.
    this.element.style.setProperty("--side", `${side}px`);
  }
}

/** One of the three pictures with its title. */
export function paneSection(figures: CompareFigures, part: PaneId, title: TemplateResult | string): TemplateResult {
  return html`<section class="compare-pane" aria-label=${paneName(part)}>
    <div class="compare-title">${title}</div>
    ${figures.figure(part)}
  </section>`;
}

export function paneName(part: PaneId): string {
  switch (part) {
    case "a":
      return l10n.t("side A");
    case "b":
      return l10n.t("side B");
    case "difference":
      return l10n.t("A − B");
  }
}
