import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { Range } from "../../src/core/spec.ts";
import { ComparisonEngine } from "../engine/comparison.ts";
import type { CreateRenderer } from "../engine/renderer.ts";
import type { Comparison } from "../state/comparison.ts";
import { grouped } from "../state/format.ts";
import { Normaliser } from "../state/normaliser.ts";
import type { Page } from "../state/page.ts";
import { type Model, scalingType } from "../state/panelEncoding.ts";
import { changeCrosshair, changeViewport } from "../state/reducers.ts";
import type { Drawable } from "../state/resolvedEncoding.ts";
import { memo, type Store } from "../state/store.ts";
import { type Cell, crosshairOf, viewportOf, visibleRange } from "../state/viewport.ts";
import type { Snapshot } from "../ui/figure/compose.ts";
import { MatrixFigure } from "../ui/figure/matrixFigure.ts";
import { viewById } from "../views/index.ts";
import type { Subject } from "../views/subject.ts";
import type { View } from "../views/view.ts";
import { findingsPart } from "./about/findings.ts";
import { type ComparedSubjects, comparedSubjects } from "./compare/comparedSubjects.ts";
import { CompareFigures, comparePane, PARTS } from "./compare/compareFigures.ts";
import { compareReadout } from "./compare/compareReadout.ts";
import { otherTitle, ownTitle } from "./compare/sides.ts";
import type { Dispatch } from "./dispatch.ts";
import { caption, figureName, goTo, stageTools } from "./figureTools.ts";
import { rowProfiler } from "./profile.ts";
import { attentionCopies, copyTools, type MakeText, tableCopies } from "./readout/copies.ts";
import { attentionReadout, plainAside, tableReadout } from "./readout/readout.ts";

/** The pointer's readout comes after it has rested for this long. */
const REST = 300;

/** What the middle and the right column are made from. */
export interface Scenery {
  readonly page: Page;
  readonly model: Model;
  readonly drawable: Drawable;
  /** A text where the other side cannot be drawn; null where nothing is compared. */
  readonly comparison: Comparison | string | null;
}

export interface StageProps {
  readonly store: Store<Page>;
  readonly createRenderer: CreateRenderer;
  readonly dispatch: Dispatch;
  readonly onChange: () => void;
  /** Puts a text of the readout on the clipboard. */
  readonly copy: (what: string, make: MakeText) => void;
  /** Shows the bound config at a place. */
  readonly openConfig: (range: Range) => void;
}

/** The drawings of the page with their readouts: one matrix, or the three of a comparison, or a view's own. */
export class StageArea {
  readonly #store: Store<Page>;
  readonly #dispatch: Dispatch;
  readonly #copy: StageProps["copy"];
  readonly #openConfig: StageProps["openConfig"];
  readonly #engine = new ComparisonEngine();
  readonly #figure: MatrixFigure;
  readonly #compare: CompareFigures;
  readonly #normalisers: { readonly a: Normaliser; readonly b: Normaliser };
  readonly #rowProfile = rowProfiler();
  readonly #subjectOf = memo((drawable: Drawable, view: View, hidden: string): Subject | null => {
    const { panel } = this.#store.get();
    return hidden === undefined || view.unavailable(drawable) !== null
      ? null
      : (view.subject?.(drawable, panel) ?? null);
  });
  readonly #subjectsOf = memo((a: Drawable, b: Drawable, view: View, hidden: string) => {
    const { panel } = this.#store.get();
    return hidden === undefined ? "" : comparedSubjects(view, { a, b }, panel, this.#engine);
  });
  #rest = 0;

  constructor({ store, createRenderer, dispatch, onChange, copy, openConfig }: StageProps) {
    this.#store = store;
    this.#dispatch = dispatch;
    this.#copy = copy;
    this.#openConfig = openConfig;
    this.#normalisers = { a: new Normaliser(onChange), b: new Normaliser(onChange) };
    const events = {
      onStart: () => this.#drawing({ busy: true, error: null }),
      onProgress: (progress: number) => this.#drawing({ progress }),
      onDrawn: (drawn: NonNullable<Page["drawing"]["drawn"]>) =>
        this.#drawing({ busy: drawn.coarse, progress: null, drawn, error: null }),
      onError: (error: string) => this.#drawing({ busy: false, progress: null, error }),
      onMode: (mode: Page["drawing"]["mode"]) => this.#drawing({ mode }),
      onViewport: (viewport: Parameters<typeof changeViewport>[0]) => dispatch(changeViewport(viewport)),
      onCrosshair: (cell: Cell, by: "pointer" | "keyboard") => this.#point(cell, by),
    };
    this.#figure = new MatrixFigure(createRenderer, events);
    this.#compare = new CompareFigures(this.#engine, events, onChange);
  }

  /** The theme changed. */
  restyle(): void {
    this.#figure.restyle();
    this.#compare.restyle();
  }

  /** Nothing is seen: graphics and workers are given back. */
  release(): void {
    this.#figure.release();
    this.#compare.release();
    this.#normalisers.a.cancel();
    this.#normalisers.b.cancel();
  }

  dispose(): void {
    this.#figure.dispose();
    this.#compare.dispose();
  }

  #drawing(change: Partial<Page["drawing"]>): void {
    this.#store.update((page) => ({ ...page, drawing: { ...page.drawing, ...change } }));
  }

  #point(cell: Cell, by: "pointer" | "keyboard"): void {
    this.#dispatch(changeCrosshair(cell));
    window.clearTimeout(this.#rest);
    const read = () => this.#store.update((page) => ({ ...page, reading: cell }));
    if (by === "keyboard") read();
    else this.#rest = window.setTimeout(read, REST);
  }

  /** The matrix that numbers are taken from: in a comparison that of the figure which was used last. */
  subject(scenery: Scenery): Subject | null {
    const subjects = this.#subjects(scenery);
    return subjects === null ? this.#ownSubject(scenery) : subjects[this.#compare.focused];
  }

  snapshot(scenery: Scenery, scale: number): Promise<Snapshot | null> {
    return this.#subjects(scenery) === null ? this.#figure.snapshot(scale) : this.#compare.snapshot(scale);
  }

  #ownSubject({ page, drawable }: Scenery): Subject | null {
    return this.#subjectOf(drawable, viewById(page.panel.view), hiddenKey(page));
  }

  /** null where no matrices are compared: in other views, or because one side has none. */
  #subjects({ page, comparison }: Scenery): ComparedSubjects | null {
    const view = viewById(page.panel.view);
    if (comparison === null || typeof comparison === "string" || view.subject === undefined) return null;
    const { a, b } = comparison;
    const subjects = this.#subjectsOf(a, b, view, hiddenKey(page));
    return typeof subjects === "string" ? null : subjects;
  }

  /** Why the view shows side A alone. */
  #alone({ page, comparison }: Scenery, view: View): string | null {
    if (comparison === null || typeof comparison === "string") return comparison;
    if (view.compares === true) return whyNotOther(view, comparison);
    if (view.subject === undefined)
      return t(
        "{0} shows side A only. Comparison is available in the matrix views, Curves and Frequencies.",
        view.title(),
      );
    const { a, b } = comparison;
    const subjects = this.#subjectsOf(a, b, view, hiddenKey(page));
    return typeof subjects === "string" ? subjects : null;
  }

  /** The middle column. */
  stage(scenery: Scenery): TemplateResult {
    const { page, model, drawable, comparison } = scenery;
    const view = viewById(page.panel.view);
    const alone = this.#alone(scenery, view);
    const said = alone ?? shortText(comparison);
    const note = said === null ? nothing : html`<p class="chart-note alone" role="note">${said}</p>`;
    const why = view.unavailable(drawable);
    if (why !== null) return html`${note}<p class="empty why">${why}</p>`;
    const other = comparison === null || typeof comparison === "string" ? null : comparison;
    const context = { page, model, drawable, other, dispatch: this.#dispatch };
    const above = view.above?.(context) ?? nothing;
    const body = view.body?.(context) ?? nothing;
    const subjects = this.#subjects(scenery);
    const subject = subjects?.a ?? this.#ownSubject(scenery);
    if (subject === null) return html`${note}${body}`;
    return html`${note}${above}${subjects === null ? this.#figure.element : this.#three(scenery)}
      <div class="under">${caption(page, subject, drawable)} ${this.#tools(page, subject)}</div>
      ${body}`;
  }

  #tools(page: Page, subject: Subject): TemplateResult {
    const onGoTo = (target: Partial<Cell>) => {
      this.#dispatch(goTo(subject, target));
      this.#store.update((now) => ({ ...now, reading: now.panel.crosshair }));
    };
    return stageTools(page, subject, onGoTo, this.#dispatch);
  }

  #three({ page, model, comparison }: Scenery): TemplateResult {
    const { element } = this.#compare;
    const other = comparison === null || typeof comparison === "string" ? model : comparison.model;
    const titles = {
      a: ownTitle(page, model),
      b: otherTitle(page, other, this.#dispatch),
      difference: html`<h3>A − B</h3>`,
    };
    render(
      PARTS.map((part) => comparePane(this.#compare, part, titles[part])),
      element,
    );
    return html`${element}`;
  }

  /** The right column. */
  aside(scenery: Scenery): TemplateResult {
    const { page, model, drawable, comparison } = scenery;
    const view = viewById(page.panel.view);
    const subjects = this.#subjects(scenery);
    const subject = subjects?.a ?? this.#ownSubject(scenery);
    const findings = findingsPart(page, this.#openConfig);
    if (subject === null) return plainAside(drawable, { findings });
    const viewport = viewportOf(page.panel.viewport, subject.extent);
    const cell = crosshairOf(page.reading ?? page.panel.crosshair, viewport, subject.extent);
    if (subjects !== null && comparison !== null && typeof comparison !== "string") {
      const { a, b } = comparison;
      const rows =
        view.id === "table"
          ? null
          : { a: this.#normalisers.a.row(a, cell.row), b: this.#normalisers.b.row(b, cell.row) };
      return html`${compareReadout(comparison, model, subjects, cell, rows)} ${findings}`;
    }
    const seen = visibleRange(viewport.column, viewport.columns, subject.extent.columns);
    if (view.id === "table")
      return tableReadout(drawable, cell, {
        findings,
        tools: copyTools(tableCopies(drawable, cell, seen), this.#copy),
      });
    const tools = copyTools(attentionCopies(drawable, cell, seen), this.#copy);
    return attentionReadout(drawable, cell, this.#normalisers.a.row(drawable, cell.row), { tools, findings });
  }

  /** Draws what is new. */
  update(scenery: Scenery): void {
    const subjects = this.#subjects(scenery);
    const subject = subjects === null ? this.#ownSubject(scenery) : null;
    if (subject === null) this.#figure.release();
    else this.#updateOne(scenery, subject);
    if (subjects === null) this.#compare.release();
    else this.#updateThree(scenery, subjects);
  }

  #updateOne({ page, drawable }: Scenery, subject: Subject): void {
    const { panel, theme, drawing } = page;
    this.#figure.update({
      subject,
      name: nameOf(drawable, panel.view, subject),
      place: panel,
      theme,
      profile: this.#rowProfile(page, subject, this.#normalisers.a),
      busy: drawing.busy,
      drawn: drawing.drawn,
    });
  }

  #updateThree({ page, comparison }: Scenery, subjects: ComparedSubjects): void {
    if (comparison === null || typeof comparison === "string") return;
    const a = nameOf(comparison.a, page.panel.view, subjects.a);
    const b = nameOf(comparison.b, page.panel.view, subjects.b);
    const difference = t("difference between {0} and {1}", a, localize(comparison.b.encoding.title));
    const names = { a: t("A: {0}", a), b: t("B: {0}", b), difference };
    this.#compare.update({ page, subjects, names, normalisers: this.#normalisers });
  }
}

function shortText(comparison: Scenery["comparison"]): string | null {
  if (comparison === null || typeof comparison === "string" || comparison.shortened === null) return null;
  return t("Compared up to position {0}, where one side ends.", grouped(comparison.shortened - 1));
}

function whyNotOther(view: View, { b }: Comparison): string | null {
  const why = view.unavailable(b);
  return why === null ? null : t("Side B is not available in this view. {0}", why);
}

/** Both sides, for views that draw both. */
export function comparedIn(view: View, comparison: Scenery["comparison"]): Comparison | null {
  if (comparison === null || typeof comparison === "string" || view.compares !== true) return null;
  return whyNotOther(view, comparison) === null ? comparison : null;
}

function hiddenKey({ panel, language }: Page): string {
  return JSON.stringify([panel.hiddenTerms, panel.sharedColours, language]);
}

function nameOf({ encoding, params }: Drawable, view: Page["panel"]["view"], subject: Subject): string {
  return figureName(localize(encoding.title), scalingType({ params }), viewById(view).title(), subject);
}
