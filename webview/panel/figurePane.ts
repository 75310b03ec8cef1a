import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { fullTitle } from "../../src/core/encodings/support/title.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { TextRange } from "../../src/core/spec.ts";
import { ComparisonEngine } from "../engine/comparisonEngine.ts";
import type { CreateRenderer } from "../engine/renderer.ts";
import { RowNormaliser } from "../engine/rowNormaliser.ts";
import type { Snapshot } from "../figure/composeFigure.ts";
import { MatrixFigure } from "../figure/matrixFigure.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import { effectiveCrosshair, effectiveViewport, type MatrixCell, visibleRange } from "../matrix/viewport.ts";
import { type ComparedSides, type Comparison, readySides } from "../state/comparison.ts";
import type { Page } from "../state/page.ts";
import { scalingType } from "../state/panelEncoding.ts";
import type { Dispatch } from "../state/reducers.ts";
import { changeCrosshair, changeViewport } from "../state/reducers.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import type { Store } from "../state/store.ts";
import { groupDigits } from "../ui/format.ts";
import { viewById } from "../views/index.ts";
import type { View } from "../views/view.ts";
import { findingsSection } from "./about/findings.ts";
import type { ComparedMatrices } from "./compare/comparedMatrices.ts";
import { CompareFigures, PANE_IDS, paneSection } from "./compare/compareFigures.ts";
import { compareReadout } from "./compare/compareReadout.ts";
import { titleOfA, titleOfB } from "./compare/paneTitles.ts";
import { createMatrixResolver, type FigureContext } from "./figureMatrices.ts";
import { figureCaption, figureName, figureTools, goToCell } from "./figureTools.ts";
import { attentionReadout, plainReadout, tableReadout } from "./readout/readout.ts";
import { attentionTexts, type BuildText, copyButtons, tableTexts } from "./readout/readoutTexts.ts";
import { createRowProfiler } from "./rowProfile.ts";
import "./figurePane.css";

/** The readout follows the pointer after it has rested for this long. */
const READOUT_DELAY_MS = 300;

export interface FigurePaneProps {
  readonly store: Store<Page>;
  readonly createRenderer: CreateRenderer;
  readonly dispatch: Dispatch;
  readonly onChange: () => void;
  /** Copies a text of the readout. */
  readonly copy: (what: string, make: BuildText) => void;
  /** Shows a range of the bound config. */
  readonly openConfig: (range: TextRange) => void;
}

/** The page's figures with their readouts: one matrix, the three of a comparison, or a view's own drawing. */
export class FigurePane {
  readonly #store: Store<Page>;
  readonly #dispatch: Dispatch;
  readonly #copy: FigurePaneProps["copy"];
  readonly #openConfig: FigurePaneProps["openConfig"];
  readonly #engine = new ComparisonEngine();
  readonly #figure: MatrixFigure;
  readonly #compare: CompareFigures;
  readonly #normalisers: { readonly a: RowNormaliser; readonly b: RowNormaliser };
  readonly #rowProfile = createRowProfiler();
  readonly #resolveMatrices = createMatrixResolver(this.#engine);
  #readoutTimer = 0;

  constructor({ store, createRenderer, dispatch, onChange, copy, openConfig }: FigurePaneProps) {
    this.#store = store;
    this.#dispatch = dispatch;
    this.#copy = copy;
    this.#openConfig = openConfig;
    this.#normalisers = { a: new RowNormaliser(onChange), b: new RowNormaliser(onChange) };
    const events = {
      onStart: () => this.#updateDrawing({ busy: true, error: null }),
      onProgress: (progress: number) => this.#updateDrawing({ progress }),
      onDrawn: (drawResult: NonNullable<Page["drawing"]["result"]>) =>
        this.#updateDrawing({ busy: drawResult.coarse, progress: null, result: drawResult, error: null }),
      onError: (error: string) => this.#updateDrawing({ busy: false, progress: null, error }),
      onMode: (mode: Page["drawing"]["mode"]) => this.#updateDrawing({ mode }),
      onViewport: (viewport: Parameters<typeof changeViewport>[0]) => dispatch(changeViewport(viewport)),
      onCrosshair: (cell: MatrixCell, by: "pointer" | "keyboard") => this.#moveCrosshair(cell, by),
    };
    this.#figure = new MatrixFigure(createRenderer, events);
    this.#compare = new CompareFigures(this.#engine, events, onChange);
  }

  /** The theme changed. */
  restyle(): void {
    this.#figure.restyle();
    this.#compare.restyle();
  }

  /** Releases graphics and workers while the page is hidden. */
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

  #updateDrawing(change: Partial<Page["drawing"]>): void {
    this.#store.update((page) => ({ ...page, drawing: { ...page.drawing, ...change } }));
  }

  #moveCrosshair(cell: MatrixCell, by: "pointer" | "keyboard"): void {
    this.#dispatch(changeCrosshair(cell));
    window.clearTimeout(this.#readoutTimer);
    const read = () => this.#store.update((page) => ({ ...page, readoutCell: cell }));
    if (by === "keyboard") read();
    else this.#readoutTimer = window.setTimeout(read, READOUT_DELAY_MS);
  }

  /** The matrix that exports read: in a comparison that of the figure used last. */
  currentMatrix(figureContext: FigureContext): MatrixSource | null {
    const { own, compared } = this.#resolveMatrices(figureContext);
    return compared === null ? own : compared.matrices[this.#compare.focused];
  }

  snapshot(figureContext: FigureContext, scale: number): Promise<Snapshot | null> {
    return this.#resolveMatrices(figureContext).compared === null
      ? this.#figure.snapshot(scale)
      : this.#compare.snapshot(scale);
  }

  /** The middle column. */
  figureColumn(figureContext: FigureContext): TemplateResult {
    const { page, panelEncoding, resolved } = figureContext;
    const view = viewById(page.panel.view);
    const unavailable = view.whyUnavailable(resolved);
    const { own, compared, whyAlone } = this.#resolveMatrices(figureContext);
    const sides = readySides(figureContext.comparison);
    const noteText = whyAlone ?? shortenedText(sides);
    const hasNote = noteText !== null && noteText !== unavailable;
    const note = hasNote ? html`<p class="chart-note alone" role="note">${noteText}</p>` : nothing;
    if (unavailable !== null) return html`${note}<p class="empty why">${unavailable}</p>`;
    const context = { page, panelEncoding, resolved, comparison: sides, dispatch: this.#dispatch };
    const above = view.renderAbove?.(context) ?? nothing;
    const body = view.renderBody?.(context) ?? nothing;
    const matrix = compared?.matrices.a ?? own;
    if (matrix === null) return html`${note}${body}`;
    const figure = compared === null ? this.#figure.element : this.#comparedFigures(figureContext, compared.sides);
    return html`${note}${above}${figure}
      <div class="under">${figureCaption(page, matrix, resolved)} ${this.#tools(page, matrix)}</div>
      ${body}`;
  }

  #tools(page: Page, matrix: MatrixSource): TemplateResult {
    const onGoTo = (target: Partial<MatrixCell>) => {
      this.#dispatch(goToCell(matrix, target));
      this.#store.update((now) => ({ ...now, readoutCell: now.panel.crosshair }));
    };
    return figureTools(page, matrix, onGoTo, this.#dispatch);
  }

  #comparedFigures({ page, panelEncoding }: FigureContext, { encodingB }: ComparedSides): TemplateResult {
    const { element } = this.#compare;
    const titles = {
      a: titleOfA(page, panelEncoding),
      b: titleOfB(page, encodingB, this.#dispatch),
      difference: html`<h3>A − B</h3>`,
    };
    render(
      PANE_IDS.map((pane) => paneSection(this.#compare, pane, titles[pane])),
      element,
    );
    return html`${element}`;
  }

  /** The right column. */
  readoutColumn(figureContext: FigureContext): TemplateResult {
    const { page, panelEncoding, resolved } = figureContext;
    const view = viewById(page.panel.view);
    const { own, compared } = this.#resolveMatrices(figureContext);
    const matrix = compared?.matrices.a ?? own;
    const findings = findingsSection(page, this.#openConfig);
    if (matrix === null) return plainReadout(resolved, { findings });
    const viewport = effectiveViewport(page.panel.viewport, matrix.extent);
    const cell = effectiveCrosshair(page.readoutCell ?? page.panel.crosshair, viewport, matrix.extent);
    if (compared !== null) {
      const { a, b } = compared.sides;
      const rows =
        view.id === "table"
          ? null
          : { a: this.#normalisers.a.progressOf(a, cell.row), b: this.#normalisers.b.progressOf(b, cell.row) };
      return html`${compareReadout(compared.sides, panelEncoding, compared.matrices, cell, rows)} ${findings}`;
    }
    const visibleColumns = visibleRange(viewport.column, viewport.columns, matrix.extent.columns);
    if (view.id === "table")
      return tableReadout(resolved, cell, {
        findings,
        tools: copyButtons(tableTexts(resolved, cell, visibleColumns), this.#copy),
      });
    const tools = copyButtons(attentionTexts(resolved, cell, visibleColumns), this.#copy);
    return attentionReadout(resolved, cell, this.#normalisers.a.progressOf(resolved, cell.row), { tools, findings });
  }

  /** Redraws what changed. */
  update(figureContext: FigureContext): void {
    const { own, compared } = this.#resolveMatrices(figureContext);
    if (own === null || compared !== null) this.#figure.release();
    else this.#updateOne(figureContext, own);
    if (compared === null) this.#compare.release();
    else this.#updateThree(figureContext.page, compared.sides, compared.matrices);
  }

  #updateOne({ page, resolved }: FigureContext, matrix: MatrixSource): void {
    const { panel, theme, drawing } = page;
    this.#figure.update({
      matrix,
      name: accessibleName(resolved, panel.view, matrix),
      display: panel,
      theme,
      profile: this.#rowProfile(page, matrix, this.#normalisers.a),
      busy: drawing.busy,
      drawResult: drawing.result,
    });
  }

  #updateThree(page: Page, sides: ComparedSides, matrices: ComparedMatrices): void {
    const a = accessibleName(sides.a, page.panel.view, matrices.a);
    const b = accessibleName(sides.b, page.panel.view, matrices.b);
    const difference = l10n.t("difference between {0} and {1}", a, localize(fullTitle(sides.b.encoding)));
    const names = { a: l10n.t("A: {0}", a), b: l10n.t("B: {0}", b), difference };
    this.#compare.update({ page, matrices, names, normalisers: this.#normalisers });
  }
}

function shortenedText(sides: ComparedSides | null): string | null {
  if (sides === null || sides.shortened === null) return null;
  return l10n.t("Compared up to position {0}, where one side ends.", groupDigits(sides.shortened - 1));
}

/** Both sides, if the view draws both. */
export function sidesForView(view: View, comparison: Comparison): ComparedSides | null {
  const sides = readySides(comparison);
  if (sides === null || view.drawsBothSides !== true) return null;
  return view.whyUnavailable(sides.b) === null ? sides : null;
}

function accessibleName(
  { encoding, params }: ResolvedEncoding,
  view: Page["panel"]["view"],
  matrix: MatrixSource,
): string {
  return figureName(localize(fullTitle(encoding)), scalingType({ params }), viewById(view).title(), matrix);
}
