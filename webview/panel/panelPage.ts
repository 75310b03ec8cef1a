import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { TextRange } from "../../src/core/spec.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import type { CreateRenderer } from "../engine/renderer.ts";
import { NO_CHECKPOINT_DATA } from "../state/checkpointData.ts";
import { readySides, resolveComparison } from "../state/comparison.ts";
import { applyHistoryStep, applyLesson, applyPanelChange, IDLE_DRAWING, type Page } from "../state/page.ts";
import { derivePanelEncoding, type PanelEncoding } from "../state/panelEncoding.ts";
import type { Dispatch } from "../state/reducers.ts";
import { chooseView } from "../state/reducers.ts";
import { createCachedResolver, type ResolvedEncoding } from "../state/resolvedEncoding.ts";
import type { Store } from "../state/store.ts";
import { defineChart } from "../ui/chart/chartElement.ts";
import { defineCombobox } from "../ui/combobox.ts";
import { defineFormula } from "../ui/formulaElement.ts";
import { defineMenu } from "../ui/menu.ts";
import { defineRaster } from "../ui/rasterElement.ts";
import { registerToolkit, viewTabs } from "../ui/toolkit.ts";
import { VIEWS, viewById } from "../views/index.ts";
import { defineMeasurements } from "./about/measurements.ts";
import { comparePicker } from "./compare/comparePicker.ts";
import { defineDivergence } from "./compare/divergence.ts";
import { controlsColumn } from "./controls/controls.ts";
import { copyMenuGroups } from "./exports/copyMenu.ts";
import type { ExportContext } from "./exports/exportContext.ts";
import { Exporter } from "./exports/exporter.ts";
import { type RequestWriteBack, writeBackButton, writePanelBack } from "./exports/writeBack.ts";
import { failureMessage } from "./failureMessage.ts";
import { FigurePane, sidesForView } from "./figurePane.ts";
import { listenForRegions } from "./focusRegions.ts";
import { panelHeader } from "./header.ts";
import { createChangeClock, type HistoryAction, listenForHistoryKeys } from "./historyControls.ts";
import { lessonBand, type ShowLesson } from "./lesson.ts";
import { notices } from "./notices.ts";
import type { BuildText } from "./readout/readoutTexts.ts";

export interface PanelPageDependencies {
  readonly root: HTMLElement;
  readonly store: Store<Page>;
  readonly createRenderer: CreateRenderer;
  /** Asks for a path and writes the file; false if the user cancels. */
  readonly save: (name: string, data: string | Uint8Array<ArrayBuffer>) => Promise<boolean>;
  readonly copyText: (text: string) => Promise<void>;
  readonly writeBack: RequestWriteBack;
  /** Creates a link to a state without files. */
  readonly linkTo: (state: PanelState) => Promise<string>;
  /** Shows a range of the bound config, by default the encoding's first parameter. */
  readonly openConfig: (range?: TextRange) => void;
  /** Asks the user for a config; null if they cancel. */
  readonly pickConfig: () => Promise<BoundConfig | null>;
}

/** The middle and the right column. */
interface ViewColumns {
  readonly stage: TemplateResult;
  readonly readout: TemplateResult | typeof nothing;
}

/** Renders the page from the store and dispatches the user's changes. */
export class PanelPage {
  readonly #dependencies: PanelPageDependencies;
  /** What the page renders into. Replaced after a failure, which leaves a template half rendered. */
  #frame = document.createElement("div");
  #workspace = document.createElement("div");
  readonly #figurePane: FigurePane;
  readonly #dispatch: Dispatch;
  readonly #exporter: Exporter;
  readonly #resolve = createCachedResolver();
  #lastResolved: ResolvedEncoding | null = null;
  #controlsOpen = false;
  #frameHandle = 0;

  constructor(dependencies: PanelPageDependencies) {
    this.#dependencies = dependencies;
    const { store } = dependencies;
    registerToolkit();
    defineRaster();
    defineMeasurements();
    defineChart();
    defineFormula();
    defineMenu();
    defineCombobox();
    defineDivergence();
    const { save, copyText, linkTo } = dependencies;
    this.#exporter = new Exporter({ store, save, copyText, linkTo, context: () => this.#exportContext() });
    this.#renewFrame();
    const changeTime = createChangeClock();
    this.#dispatch = (change) =>
      store.update((page) => ({ ...applyPanelChange(page, change, changeTime()), errorMessage: null }));
    this.#figurePane = new FigurePane({
      store,
      createRenderer: dependencies.createRenderer,
      dispatch: this.#dispatch,
      onChange: () => this.#schedule(),
      copy: (what, make) => void this.#copy(what, make),
      openConfig: dependencies.openConfig,
    });
    store.subscribe(() => this.#schedule());
    listenForRegions();
    listenForHistoryKeys((step) => this.#applyStep(step));
  }

  /** The theme changed. */
  restyle(): void {
    this.#figurePane.restyle();
  }

  /** Shown if page and host have different versions, so that no message can be trusted. */
  askForReload(): void {
    render(
      html`<p class="notice error" role="alert">${l10n.t("Posenc was updated. Reload the window to continue.")}</p>`,
      this.#frame,
    );
    this.#figurePane.dispose();
  }

  #schedule(): void {
    if (this.#frameHandle !== 0) return;
    this.#frameHandle = requestAnimationFrame(() => {
      this.#frameHandle = 0;
      this.#render(this.#dependencies.store.get());
    });
  }

  #render(page: Page): void {
    if (!page.visible) {
      this.#figurePane.release();
      return;
    }
    try {
      this.#renderPanel(page);
    } catch (error) {
      this.#renewFrame();
      render(failureMessage(error, this.#dispatch), this.#frame);
    }
  }

  #renewFrame(): void {
    this.#frame = document.createElement("div");
    this.#frame.className = "page";
    this.#workspace = document.createElement("div");
    this.#workspace.className = "workspace";
    this.#dependencies.root.replaceChildren(this.#frame);
  }

  #renderPanel(page: Page): void {
    const panelEncoding = derivePanelEncoding(page.panel, page.config, page.checkpoint, this.#resolve);
    if (panelEncoding === null) {
      render(
        html`<p class="notice error" role="alert">${l10n.t("This version does not include the encoding {0}.", page.panel.encoding)}</p>`,
        this.#frame,
      );
      return;
    }
    if (panelEncoding.resolved !== null) this.#lastResolved = panelEncoding.resolved;
    const resolved = this.#lastResolved?.encoding === panelEncoding.encoding ? this.#lastResolved : null;
    const figureContext =
      resolved === null ? null : { page, panelEncoding, resolved, comparison: resolveComparison(page, this.#resolve) };
    render(this.#template(page, panelEncoding, resolved), this.#frame);
    const renderWorkspace = (stage: TemplateResult, readout: TemplateResult | typeof nothing = nothing) =>
      render(keyed(page.language, this.#workspaceTemplate(page, panelEncoding, { stage, readout })), this.#workspace);
    if (figureContext === null) {
      renderWorkspace(this.#emptyTemplate(panelEncoding));
      this.#figurePane.release();
      return;
    }
    try {
      renderWorkspace(this.#figurePane.figureColumn(figureContext), this.#figurePane.readoutColumn(figureContext));
      this.#figurePane.update(figureContext);
    } catch (error) {
      // The view's own failure: tabs and parameters stay usable.
      renderWorkspace(failureMessage(error, this.#dispatch));
      this.#figurePane.release();
    }
  }

  #template(page: Page, panelEncoding: PanelEncoding, resolved: ResolvedEncoding | null): TemplateResult {
    const list = VIEWS.map((view) => ({
      id: view.id,
      label: view.title(),
      startsGroup: view.startsGroup === true,
      unavailable: resolved !== null && view.whyUnavailable(resolved) !== null,
    }));
    const choose = (id: string) => {
      const view = VIEWS.find((candidate) => candidate.id === id);
      if (view !== undefined) this.#dispatch(chooseView(view.id));
    };
    const actions = {
      onOpenConfig: () => this.#dependencies.openConfig(),
      copyGroups: () => copyMenuGroups(this.#exporter, this.#exportContext()),
      exportGroups: () => this.#exporter.exportGroups(),
      buttons: [
        comparePicker({ page, dispatch: this.#dispatch, pickConfig: () => this.#pickConfig() }),
        writeBackButton(page, panelEncoding, () => void this.#writeBack(panelEncoding)),
      ],
    };
    return html`<div class="panel">
      ${panelHeader(page, panelEncoding, actions)} ${lessonBand(page.panel.lesson, this.#showLesson)}
      ${notices(page, panelEncoding)}
      ${keyed(page.language, viewTabs(list, page.panel.view, this.#workspace, choose))}
    </div>`;
  }

  #workspaceTemplate(page: Page, panelEncoding: PanelEncoding, { stage, readout }: ViewColumns): TemplateResult {
    const view = viewById(page.panel.view);
    const toggle = () => {
      this.#controlsOpen = !this.#controlsOpen;
      this.#schedule();
    };
    return html`<div class=${`controls ${this.#controlsOpen ? "open" : ""}`} role="region" aria-label=${l10n.t("Controls")}>
        <button class="disclosure" type="button" aria-expanded=${this.#controlsOpen} aria-controls="controls" @click=${toggle}>
          ${l10n.t("Parameters")}
        </button>
        <div id="controls" class="controls-body">${controlsColumn(page, panelEncoding, view.ownInputs === true, this.#dispatch, (step) => this.#applyStep(step))}</div>
      </div>
      <div class="stage">${stage}</div>
      <aside class="readout" tabindex="-1" aria-label=${l10n.t("Values and explanations")}>${readout}</aside>`;
  }

  #copy(what: string, make: BuildText): Promise<void> {
    return this.#exporter.run(l10n.t("Copying {0}", what), async (_shown, slices) => {
      await this.#dependencies.copyText(await make(slices));
      return l10n.t("Copied: {0}", what);
    });
  }

  readonly #showLesson: ShowLesson = (id) => this.#dependencies.store.update((page) => applyLesson(page, id));

  #applyStep(step: HistoryAction): void {
    this.#dependencies.store.update((page) => applyHistoryStep(page, step));
  }

  /** Puts the config on the page before the host learns that it is compared with. */
  async #pickConfig(): Promise<BoundConfig | null> {
    const { store } = this.#dependencies;
    try {
      const comparedConfig = await this.#dependencies.pickConfig();
      if (comparedConfig !== null) store.update((page) => ({ ...page, comparedConfig, comparedProblem: null }));
      return comparedConfig;
    } catch (error) {
      store.update((page) => ({ ...page, errorMessage: errorMessage(error) }));
      return null;
    }
  }

  #emptyTemplate(panelEncoding: PanelEncoding): TemplateResult {
    return html`<p class="empty">${
      panelEncoding.failure ?? l10n.t("Fix or reset the highlighted parameters to draw this view.")
    }</p>`;
  }

  #writeBack(panelEncoding: PanelEncoding): Promise<void> {
    const { store, writeBack: write } = this.#dependencies;
    return writePanelBack(store, panelEncoding, write);
  }

  /** What can be exported now, or null. */
  #exportContext(): ExportContext | null {
    const page = this.#dependencies.store.get();
    const panelEncoding = derivePanelEncoding(page.panel, page.config, page.checkpoint, this.#resolve);
    const resolved = panelEncoding?.resolved ?? null;
    if (panelEncoding === null || resolved === null) return null;
    const view = viewById(page.panel.view);
    const comparison = resolveComparison(page, this.#resolve);
    const figureContext = { page, panelEncoding, resolved, comparison };
    const matrix = this.#figurePane.currentMatrix(figureContext);
    const withoutExport = matrix !== null || view.whyUnavailable(resolved) !== null;
    const context = {
      page,
      panelEncoding,
      resolved,
      comparison: sidesForView(view, comparison),
      dispatch: this.#dispatch,
    };
    const viewExport = withoutExport ? null : (view.buildExport?.(context) ?? null);
    const snapshot = (scale: number) => this.#figurePane.snapshot(figureContext, scale);
    return { page, panelEncoding, view, resolved, matrix, viewExport, comparison: readySides(comparison), snapshot };
  }
}

/** The page before the host's first message. */
export function initialPage(
  page: Omit<Page, "config" | "configProblem" | "checkpoint" | "drawing" | "readoutCell" | "errorMessage">,
): Page {
  return {
    ...page,
    config: null,
    configProblem: null,
    checkpoint: NO_CHECKPOINT_DATA,
    drawing: IDLE_DRAWING,
    readoutCell: page.panel.crosshair,
    errorMessage: null,
  };
}
