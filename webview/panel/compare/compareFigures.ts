import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ComparisonEngine } from "../../engine/comparison.ts";
import type { Drawn } from "../../engine/renderer.ts";
import type { Normaliser } from "../../state/normaliser.ts";
import type { Page } from "../../state/page.ts";
import type { Snapshot } from "../../ui/figure/compose.ts";
import { type FigureEvents, MatrixFigure } from "../../ui/figure/matrixFigure.ts";
import type { Profile } from "../../ui/figure/paint.ts";
import { rowProfiler } from "../profile.ts";
import type { ComparedSubjects } from "./comparedSubjects.ts";

export type Part = keyof ComparedSubjects;
export const PARTS: readonly Part[] = ["a", "b", "difference"];

/** Below this width the three pictures stand under each other. */
const STACKED = 600;
const GAP = 6;

interface Pane {
  readonly figure: MatrixFigure;
  busy: boolean;
  drawn: Drawn | null;
}

export interface CompareInput {
  readonly page: Page;
  readonly subjects: ComparedSubjects;
  /** Accessible names of the three figures. */
  readonly names: Readonly<Record<Part, string>>;
  readonly normalisers: { readonly a: Normaliser; readonly b: Normaliser };
}

/** A, B and A − B on the same axes: what moves one moves all three. */
export class CompareFigures {
  readonly element = document.createElement("div");
  readonly #engine: ComparisonEngine;
  readonly #panes: Readonly<Record<Part, Pane>>;
  readonly #profiles = { a: rowProfiler(), b: rowProfiler() };
  readonly #onChange: () => void;
  readonly #observer: ResizeObserver;
  #focused: Part = "a";

  /** @param events of the first figure, which stands for all three where only one is asked for */
  constructor(engine: ComparisonEngine, events: FigureEvents, onChange: () => void) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.#panes = {
      a: this.#pane("a", events),
      b: this.#pane("b", events),
      difference: this.#pane("difference", events),
    };
    this.element.className = "compare";
    this.#observer = new ResizeObserver(() => this.#place());
    this.#observer.observe(this.element);
  }

  figure(part: Part): HTMLElement {
    return this.#panes[part].figure.element;
  }

  /** The picture that a person worked with last: what an export is of. */
  get focused(): Part {
    return this.#focused;
  }

  snapshot(scale: number): Promise<Snapshot | null> {
    return this.#panes[this.#focused].figure.snapshot(scale);
  }

  restyle(): void {
    for (const part of PARTS) this.#panes[part].figure.restyle();
  }

  release(): void {
    for (const part of PARTS) this.#panes[part].figure.release();
    this.#engine.release();
  }

  dispose(): void {
    this.#observer.disconnect();
    for (const part of PARTS) this.#panes[part].figure.dispose();
    this.#engine.release();
  }

  update(input: CompareInput): void {
    const { page, subjects, names } = input;
    const { panel, theme } = page;
    const profiles = this.#rows(input);
    for (const part of PARTS) {
      const { figure, busy, drawn } = this.#panes[part];
      const difference = part === "difference";
      figure.update({
        subject: subjects[part],
        name: names[part],
        place: difference ? { ...panel, colour: { ...panel.colour, domain: null } } : panel,
        theme,
        ...(difference ? { map: "difference" as const } : {}),
        profile: profiles[part],
        busy,
        drawn,
      });
    }
  }

  #rows({ page, subjects, normalisers }: CompareInput): Readonly<Record<Part, Profile | null>> {
    const a = this.#profiles.a(page, subjects.a, normalisers.a);
    const b = this.#profiles.b(page, subjects.b, normalisers.b);
    if (a === null || b === null) return { a, b, difference: null };
    const values = a.values.map((value, n) => (value === b.values[n] ? 0 : value - (b.values[n] ?? Number.NaN)));
    return { a, b, difference: { ...a, values } };
  }

  #pane(part: Part, events: FigureEvents): Pane {
    const first = part === "a";
    const change = (change: Partial<Pane>) => {
      Object.assign(this.#panes[part], change);
      this.#onChange();
    };
    const figure = new MatrixFigure(this.#engine.creator(first), {
      onStart: () => {
        if (first) events.onStart();
        change({ busy: true });
      },
      onProgress: (fraction) => first && events.onProgress(fraction),
      onDrawn: (drawn) => {
        if (first) events.onDrawn(drawn);
        change({ busy: drawn.coarse, drawn });
      },
      onError: (message) => {
        events.onError(message);
        change({ busy: false });
      },
      onMode: (mode) => first && events.onMode(mode),
      onViewport: events.onViewport,
      onCrosshair: events.onCrosshair,
    });
    const take = () => (this.#focused = part);
    figure.element.addEventListener("focusin", take);
    figure.element.addEventListener("pointerdown", take);
    return { figure, busy: true, drawn: null };
  }

  /** Whole pixels for each, so that the three share one grid of cells. */
  #place(): void {
    const { clientWidth: width } = this.element;
    if (width === 0) return;
    const stacked = width < STACKED;
    this.element.classList.toggle("stacked", stacked);
    const side = stacked ? width : Math.floor((width - 2 * GAP) / 3);
    // Through CSSOM: the page's policy allows no style attributes in markup.
    this.element.style.setProperty("--side", `${side}px`);
  }
}

/** One of the three pictures under its title. */
export function comparePane(figures: CompareFigures, part: Part, title: TemplateResult | string): TemplateResult {
  return html`<section class="compare-pane" aria-label=${paneName(part)}>
    <div class="compare-title">${title}</div>
    ${figures.figure(part)}
  </section>`;
}

export function paneName(part: Part): string {
  switch (part) {
    case "a":
      return t("side A");
    case "b":
      return t("side B");
    case "difference":
      return t("A − B");
  }
}
