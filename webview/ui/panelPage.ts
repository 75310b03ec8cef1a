import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { say } from "../../src/core/l10n.ts";
import type { CreateRenderer } from "../engine/renderer.ts";
import { type Drawable, type Model, modelOf, scalingType } from "../state/model.ts";
import { Normaliser } from "../state/normaliser.ts";
import { IDLE, type Page } from "../state/page.ts";
import { changeCrosshair, changeViewport, chooseView } from "../state/reducers.ts";
import { memo, type Store } from "../state/store.ts";
import type { Cell } from "../state/viewport.ts";
import { crosshairOf, viewportOf } from "../state/viewport.ts";
import { VIEWS, viewById } from "../views/index.ts";
import type { Subject } from "../views/subject.ts";
import type { View } from "../views/view.ts";
import { defineMeasurements } from "./about/measurements.ts";
import { defineChart } from "./chart/chartElement.ts";
import { controls } from "./controls.ts";
import type { Dispatch } from "./dispatch.ts";
import { Exporter } from "./exports/exporter.ts";
import type { Shown } from "./exports/shown.ts";
import { MatrixFigure } from "./figure/matrixFigure.ts";
import { header } from "./header.ts";
import { defineFormula } from "./mathml.ts";
import { defineMenu } from "./menu.ts";
import { notices } from "./notices.ts";
import { rowProfile } from "./profile.ts";
import { defineRaster } from "./raster.ts";
import { attentionReadout, plainAside, tableReadout } from "./readout.ts";
import { caption, figureName, goTo, stageTools } from "./stage.ts";
import { registerToolkit, tabs } from "./toolkit.ts";

export interface PageDependencies {
  readonly root: HTMLElement;
  readonly store: Store<Page>;
  readonly createRenderer: CreateRenderer;
  /** Asks where, and writes; false when the user does not. */
  readonly save: (name: string, data: string | Uint8Array<ArrayBuffer>) => Promise<boolean>;
  readonly copyText: (text: string) => Promise<void>;
  readonly openConfig: () => void;
}

/** The pointer's readout comes after it has rested for this long. */
const REST = 300;

/** Puts the page together: the state in, the drawing out, and back what a person does. */
export class PanelPage {
  readonly #dependencies: PageDependencies;
  readonly #workspace = document.createElement("div");
  readonly #figure: MatrixFigure;
  readonly #normaliser: Normaliser;
  readonly #dispatch: Dispatch;
  readonly #exporter: Exporter;
  readonly #subjectOf = memo((drawable: Drawable, view: View, hidden: string): Subject | null => {
    const panel = this.#dependencies.store.get().panel;
    return hidden === undefined || view.unavailable(drawable) !== null
      ? null
      : (view.subject?.(drawable, panel) ?? null);
  });
  #lastGood: Drawable | null = null;
  #controlsOpen = false;
  #rest = 0;
  #frame = 0;

  constructor(dependencies: PageDependencies) {
    this.#dependencies = dependencies;
    const { store } = dependencies;
    registerToolkit();
    defineRaster();
    defineMeasurements();
    defineChart();
    defineFormula();
    defineMenu();
    const { save, copyText } = dependencies;
    this.#exporter = new Exporter({ store, save, copyText, shown: () => this.#shown() });
    this.#workspace.className = "workspace";
    this.#dispatch = (change) => store.update((page) => ({ ...page, panel: change(page.panel), message: null }));
    this.#normaliser = new Normaliser(() => this.#schedule());
    this.#figure = new MatrixFigure(dependencies.createRenderer, {
      onStart: () => this.#drawing({ busy: true, error: null }),
      onProgress: (progress) => this.#drawing({ progress }),
      onDrawn: (drawn) => this.#drawing({ busy: false, progress: null, drawn, error: null }),
      onError: (error) => this.#drawing({ busy: false, progress: null, error }),
      onMode: (mode) => this.#drawing({ mode }),
      onViewport: (viewport) => this.#dispatch(changeViewport(viewport)),
      onCrosshair: (cell, by) => this.#point(cell, by),
    });
    store.subscribe(() => this.#schedule());
  }

  /** The theme changed. */
  restyle(): void {
    this.#figure.restyle();
  }

  /** The page and the host are of different versions: nothing that it says can be trusted. */
  askForReload(): void {
    render(
      html`<p class="notice error" role="alert">${t("Posenc was updated. Reload the window to go on.")}</p>`,
      this.#dependencies.root,
    );
    this.#figure.dispose();
  }

  #drawing(change: Partial<Page["drawing"]>): void {
    this.#dependencies.store.update((page) => ({ ...page, drawing: { ...page.drawing, ...change } }));
  }

  #point(cell: Cell, by: "pointer" | "keyboard"): void {
    const { store } = this.#dependencies;
    this.#dispatch(changeCrosshair(cell));
    window.clearTimeout(this.#rest);
    const read = () => store.update((page) => ({ ...page, reading: cell }));
    if (by === "keyboard") read();
    else this.#rest = window.setTimeout(read, REST);
  }

  #schedule(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render(this.#dependencies.store.get());
    });
  }

  #render(page: Page): void {
    if (!page.visible) {
      this.#figure.release();
      this.#normaliser.cancel();
      return;
    }
    const model = modelOf(page.panel, page.config);
    const { root } = this.#dependencies;
    if (model === null) {
      render(
        html`<p class="notice error" role="alert">${t("There is no encoding {0} in this version.", page.panel.encoding)}</p>`,
        root,
      );
      return;
    }
    if (model.drawable !== null) this.#lastGood = model.drawable;
    const drawable = this.#lastGood?.encoding === model.encoding ? this.#lastGood : null;
    render(this.#template(page, model, drawable), root);
    render(keyed(page.language, this.#workspaceTemplate(page, model, drawable)), this.#workspace);
    this.#updateFigure(page, model, drawable);
  }

  #template(page: Page, model: Model, drawable: Drawable | null): TemplateResult {
    const list = VIEWS.map((view) => ({
      id: view.id,
      label: view.title(),
      starts: view.starts === true,
      dim: drawable !== null && view.unavailable(drawable) !== null,
    }));
    const choose = (id: string) => {
      const view = VIEWS.find((candidate) => candidate.id === id);
      if (view !== undefined) this.#dispatch(chooseView(view.id));
    };
    const actions = {
      onOpenConfig: this.#dependencies.openConfig,
      copyGroups: () => [[this.#exporter.pictureItem()]],
      exportGroups: () => this.#exporter.exportGroups(),
      buttons: [],
    };
    return html`<div class="panel">
      ${header(page, model, actions)} ${notices(page, model)}
      ${keyed(page.language, tabs(list, page.panel.view, this.#workspace, choose))}
    </div>`;
  }

  #workspaceTemplate(page: Page, model: Model, drawable: Drawable | null): TemplateResult {
    const view = viewById(page.panel.view);
    const toggle = () => {
      this.#controlsOpen = !this.#controlsOpen;
      this.#schedule();
    };
    return html`<div class=${`controls ${this.#controlsOpen ? "open" : ""}`}>
        <button class="disclosure" type="button" aria-expanded=${this.#controlsOpen} aria-controls="controls" @click=${toggle}>
          ${t("Parameters")}
        </button>
        <div id="controls" class="controls-body">${controls(page, model, view.ownInputs === true, this.#dispatch)}</div>
      </div>
      <div class="stage">${drawable === null ? this.#empty(model) : this.#stage(page, model, drawable, view)}</div>
      <aside class="readout">${drawable === null ? nothing : this.#aside(page, drawable, view)}</aside>`;
  }

  #empty(model: Model): TemplateResult {
    return html`<p class="empty">${
      model.failure ?? t("Nothing can be drawn until the marked parameters hold. Correct them, or reset them all.")
    }</p>`;
  }

  #subject(page: Page, drawable: Drawable | null): Subject | null {
    if (drawable === null) return null;
    return this.#subjectOf(
      drawable,
      viewById(page.panel.view),
      JSON.stringify([page.panel.hiddenTerms, page.language]),
    );
  }

  #stage(page: Page, model: Model, drawable: Drawable, view: View): TemplateResult {
    const why = view.unavailable(drawable);
    if (why !== null) return html`<p class="empty why">${why}</p>`;
    const subject = this.#subject(page, drawable);
    const body = view.body?.({ page, model, drawable, dispatch: this.#dispatch }) ?? nothing;
    if (subject === null) return html`${body}`;
    const onGoTo = (target: Partial<Cell>) => {
      this.#dispatch(goTo(subject, target));
      this.#dependencies.store.update((now) => ({ ...now, reading: now.panel.crosshair }));
    };
    return html`${this.#figure.element}
      <div class="under">${caption(page, subject, drawable)} ${stageTools(page, subject, onGoTo, this.#dispatch)}</div>
      ${body}`;
  }

  #aside(page: Page, drawable: Drawable, view: View): TemplateResult {
    const subject = this.#subject(page, drawable);
    if (subject === null) return plainAside(drawable);
    const viewport = viewportOf(page.panel.viewport, subject.extent);
    const cell = crosshairOf(page.reading ?? page.panel.crosshair, viewport, subject.extent);
    if (view.id === "table") return tableReadout(drawable, cell);
    return attentionReadout(drawable, cell, this.#normaliser.row(drawable, cell.row));
  }

  #updateFigure(page: Page, model: Model, drawable: Drawable | null): void {
    const subject = this.#subject(page, drawable);
    if (subject === null || drawable === null) {
      this.#figure.release();
      return;
    }
    const { panel, theme, drawing } = page;
    const scaling = scalingType({ params: drawable.params });
    this.#figure.update({
      subject,
      name: figureName(say(model.encoding.title), scaling, viewById(panel.view).title(), subject),
      place: panel,
      theme,
      profile: rowProfile(page, subject, this.#normaliser),
      busy: drawing.busy,
      drawn: drawing.drawn,
    });
  }

  /** What there is to take out of the page now. */
  #shown(): Shown | null {
    const page = this.#dependencies.store.get();
    const model = modelOf(page.panel, page.config);
    const drawable = model?.drawable ?? null;
    if (model === null || drawable === null) return null;
    const view = viewById(page.panel.view);
    const subject = this.#subject(page, drawable);
    const none = subject !== null || view.unavailable(drawable) !== null;
    const exportable = none ? null : (view.exportable?.({ page, model, drawable, dispatch: this.#dispatch }) ?? null);
    return { page, model, view, drawable, subject, exportable, snapshot: (scale) => this.#figure.snapshot(scale) };
  }
}

/** The page before the host has said anything. */
export function emptyPage(page: Omit<Page, "config" | "configProblem" | "drawing" | "reading" | "message">): Page {
  return { ...page, config: null, configProblem: null, drawing: IDLE, reading: page.panel.crosshair, message: null };
}
