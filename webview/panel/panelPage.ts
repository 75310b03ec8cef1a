import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { Range } from "../../src/core/spec.ts";
import type { CreateRenderer } from "../engine/renderer.ts";
import { comparisonOf } from "../state/comparison.ts";
import { IDLE, type Page, withPanel, withStep } from "../state/page.ts";
import { type Model, modelOf } from "../state/panelEncoding.ts";
import { chooseView } from "../state/reducers.ts";
import type { Drawable } from "../state/resolvedEncoding.ts";
import type { Store } from "../state/store.ts";
import { defineChart } from "../ui/chart/chartElement.ts";
import { defineCombobox } from "../ui/combobox.ts";
import { defineFormula } from "../ui/mathml.ts";
import { defineMenu } from "../ui/menu.ts";
import { defineRaster } from "../ui/raster.ts";
import { registerToolkit, tabs } from "../ui/toolkit.ts";
import { VIEWS, viewById } from "../views/index.ts";
import { defineMeasurements } from "./about/measurements.ts";
import { comparePicker } from "./compare/comparePicker.ts";
import { defineParting } from "./compare/divergence.ts";
import { controls } from "./controls/controls.ts";
import type { Dispatch } from "./dispatch.ts";
import { copyGroups } from "./exports/copies.ts";
import type { Shown } from "./exports/exportContext.ts";
import { Exporter } from "./exports/exporter.ts";
import { type WriteBack, writeBack, writeBackButton } from "./exports/writeBack.ts";
import { comparedIn, type Scenery, StageArea } from "./figurePane.ts";
import { header } from "./header.ts";
import { notices } from "./notices.ts";
import type { MakeText } from "./readout/copies.ts";
import { listenForRegions } from "./regions.ts";
import { listenForSteps, type Step, stepTime } from "./steps.ts";

export interface PageDependencies {
  readonly root: HTMLElement;
  readonly store: Store<Page>;
  readonly createRenderer: CreateRenderer;
  /** Asks where, and writes; false when the user does not. */
  readonly save: (name: string, data: string | Uint8Array<ArrayBuffer>) => Promise<boolean>;
  readonly copyText: (text: string) => Promise<void>;
  readonly writeBack: WriteBack;
  /** The link to a state that refers to no file. */
  readonly linkTo: (state: PanelState) => Promise<string>;
  /** Shows the bound config, at a place of it or at the encoding's first parameter. */
  readonly openConfig: (range?: Range) => void;
  /** Asks the user for a config; null when they do not choose one. */
  readonly pickConfig: () => Promise<BoundConfig | null>;
}

/** Puts the page together: the state in, the drawing out, and back what a person does. */
export class PanelPage {
  readonly #dependencies: PageDependencies;
  readonly #workspace = document.createElement("div");
  readonly #stage: StageArea;
  readonly #dispatch: Dispatch;
  readonly #exporter: Exporter;
  #lastGood: Drawable | null = null;
  #controlsOpen = false;
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
    defineCombobox();
    defineParting();
    const { save, copyText, linkTo } = dependencies;
    this.#exporter = new Exporter({ store, save, copyText, linkTo, shown: () => this.#shown() });
    this.#workspace.className = "workspace";
    this.#dispatch = (change) => store.update((page) => ({ ...withPanel(page, change, stepTime()), message: null }));
    this.#stage = new StageArea({
      store,
      createRenderer: dependencies.createRenderer,
      dispatch: this.#dispatch,
      onChange: () => this.#schedule(),
      copy: (what, make) => void this.#copy(what, make),
      openConfig: dependencies.openConfig,
    });
    store.subscribe(() => this.#schedule());
    listenForRegions();
    listenForSteps((step) => this.#step(step));
  }

  /** The theme changed. */
  restyle(): void {
    this.#stage.restyle();
  }

  /** The page and the host are of different versions: nothing that it says can be trusted. */
  askForReload(): void {
    render(
      html`<p class="notice error" role="alert">${t("Posenc was updated. Reload the window to continue.")}</p>`,
      this.#dependencies.root,
    );
    this.#stage.dispose();
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
      this.#stage.release();
      return;
    }
    const model = modelOf(page.panel, page.config);
    const { root } = this.#dependencies;
    if (model === null) {
      render(
        html`<p class="notice error" role="alert">${t("This version does not include the encoding {0}.", page.panel.encoding)}</p>`,
        root,
      );
      return;
    }
    if (model.drawable !== null) this.#lastGood = model.drawable;
    const drawable = this.#lastGood?.encoding === model.encoding ? this.#lastGood : null;
    const scenery = drawable === null ? null : { page, model, drawable, comparison: comparisonOf(page) };
    render(this.#template(page, model, drawable), root);
    render(keyed(page.language, this.#workspaceTemplate(page, model, scenery)), this.#workspace);
    if (scenery === null) this.#stage.release();
    else this.#stage.update(scenery);
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
      onOpenConfig: () => this.#dependencies.openConfig(),
      copyGroups: () => copyGroups(this.#exporter, this.#shown()),
      exportGroups: () => this.#exporter.exportGroups(),
      buttons: [
        comparePicker({ page, dispatch: this.#dispatch, pickConfig: () => this.#pickConfig() }),
        writeBackButton(page, model, () => void this.#writeBack(model)),
      ],
    };
    return html`<div class="panel">
      ${header(page, model, actions)} ${notices(page, model)}
      ${keyed(page.language, tabs(list, page.panel.view, this.#workspace, choose))}
    </div>`;
  }

  #workspaceTemplate(page: Page, model: Model, scenery: Scenery | null): TemplateResult {
    const view = viewById(page.panel.view);
    const toggle = () => {
      this.#controlsOpen = !this.#controlsOpen;
      this.#schedule();
    };
    return html`<div class=${`controls ${this.#controlsOpen ? "open" : ""}`} role="region" aria-label=${t("Controls")}>
        <button class="disclosure" type="button" aria-expanded=${this.#controlsOpen} aria-controls="controls" @click=${toggle}>
          ${t("Parameters")}
        </button>
        <div id="controls" class="controls-body">${controls(page, model, view.ownInputs === true, this.#dispatch, (step) => this.#step(step))}</div>
      </div>
      <div class="stage">${scenery === null ? this.#empty(model) : this.#stage.stage(scenery)}</div>
      <aside class="readout" tabindex="-1" aria-label=${t("Values and explanations")}>${scenery === null ? nothing : this.#stage.aside(scenery)}</aside>`;
  }

  #copy(what: string, make: MakeText): Promise<void> {
    return this.#exporter.run(t("Copying {0}", what), async (_shown, slices) => {
      await this.#dependencies.copyText(await make(slices));
      return t("Copied: {0}", what);
    });
  }

  #step(step: Step): void {
    this.#dependencies.store.update((page) => withStep(page, step));
  }

  /** The page has the config before the host hears that it is compared with. */
  async #pickConfig(): Promise<BoundConfig | null> {
    const { store } = this.#dependencies;
    try {
      const compared = await this.#dependencies.pickConfig();
      if (compared !== null) store.update((page) => ({ ...page, compared, comparedProblem: null }));
      return compared;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      store.update((page) => ({ ...page, message }));
      return null;
    }
  }

  #empty(model: Model): TemplateResult {
    return html`<p class="empty">${
      model.failure ?? t("Fix or reset the highlighted parameters to draw this view.")
    }</p>`;
  }

  #writeBack(model: Model): Promise<void> {
    const { store, writeBack: write } = this.#dependencies;
    return writeBack(store, model, write);
  }

  /** What there is to take out of the page now. */
  #shown(): Shown | null {
    const page = this.#dependencies.store.get();
    const model = modelOf(page.panel, page.config);
    const drawable = model?.drawable ?? null;
    if (model === null || drawable === null) return null;
    const view = viewById(page.panel.view);
    const comparison = comparisonOf(page);
    const scenery = { page, model, drawable, comparison };
    const subject = this.#stage.subject(scenery);
    const none = subject !== null || view.unavailable(drawable) !== null;
    const other = comparedIn(view, comparison);
    const context = { page, model, drawable, other, dispatch: this.#dispatch };
    const exportable = none ? null : (view.exportable?.(context) ?? null);
    const snapshot = (scale: number) => this.#stage.snapshot(scenery, scale);
    const compared = typeof comparison === "string" ? null : comparison;
    return { page, model, view, drawable, subject, exportable, comparison: compared, snapshot };
  }
}

/** The page before the host has said anything. */
export function emptyPage(page: Omit<Page, "config" | "configProblem" | "drawing" | "reading" | "message">): Page {
  return { ...page, config: null, configProblem: null, drawing: IDLE, reading: page.panel.crosshair, message: null };
}
