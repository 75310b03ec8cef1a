import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { SideCalls, SideDisplay, SideSubject } from "../../src/core/protocol/side.ts";
import { memoizeLast } from "../state/memoize.ts";
import type { Store } from "../state/store.ts";
import { defineFormula } from "../ui/formulaElement.ts";
import { codeBody } from "./codePage.ts";
import { configBody } from "./configPage.ts";
import { emptyState } from "./emptyState.ts";
import { defineMiniature } from "./miniatureElement.ts";
import {
  type ComputedNumbers,
  computeNumbers,
  numbersKey,
  type SelectedEncoding,
  type SidePageState,
  selectEncoding,
} from "./pageState.ts";
import { PLAN_SECTION } from "./plan.ts";
import type { ActionOutcome, PointedRun, SectionContext, Send } from "./section.ts";
import { defineWavelengths } from "./wavelengths.ts";
import { nativeButton, revealMessage } from "./widgets.ts";

interface SidePageOptions {
  readonly root: HTMLElement;
  readonly store: Store<SidePageState>;
  readonly send: Send;
  readonly calls: SideCalls;
}

/** The side page. It is rendered on every change; slow results are computed while the page is idle. */
export class SidePage {
  readonly #options: SidePageOptions;
  readonly #selectEncoding = memoizeLast(selectEncoding);
  #numbers: ComputedNumbers | null = null;
  #computingKey = "";
  #outdated = false;
  #pointedRun: PointedRun | null = null;
  #outcome: ActionOutcome | null = null;
  #focusPlan = false;
  #shownUri: string | undefined;

  constructor(options: SidePageOptions) {
    this.#options = options;
    defineFormula();
    defineMiniature();
    defineWavelengths();
    options.store.subscribe(() => this.#render());
    this.#render();
  }

  /** Opens the planner and focuses it as soon as a file is shown. */
  openPlan(): void {
    this.#focusPlan = true;
    this.#options.store.update((now) => {
      const { toggled } = now.state;
      return toggled.includes(PLAN_SECTION)
        ? { ...now }
        : { ...now, state: { ...now.state, toggled: [...toggled, PLAN_SECTION] } };
    });
  }

  /** Shown if host and page have different versions. */
  askForReload(): void {
    this.#outdated = true;
    this.#render();
  }

  #render(): void {
    const { root } = this.#options;
    render(this.#content(), root);
    this.#startAtTop();
    const field = this.#focusPlan ? root.querySelector<HTMLInputElement>(".plan input[name=target]") : null;
    if (field === null) return;
    this.#focusPlan = false;
    field.closest("details")?.scrollIntoView();
    field.select();
  }

  /** Scrolls to the top when another file is shown. */
  #startAtTop(): void {
    const uri = this.#options.store.get().shown?.subject?.uri;
    if (uri === this.#shownUri) return;
    this.#shownUri = uri;
    window.scrollTo(0, 0);
  }

  #content(): TemplateResult {
    const page = this.#options.store.get();
    if (this.#outdated)
      return html`<p class="notice" role="alert">${l10n.t("Posenc was updated. Reload the window to continue.")}</p>`;
    if (page.shown === null) return html`<p class="empty">…</p>`;
    const { subject } = page.shown;
    return subject === null ? emptyState(this.#options.send) : this.#subjectTemplate(page, page.shown, subject);
  }

  #subjectTemplate(page: SidePageState, shown: SideDisplay, subject: SideSubject): TemplateResult {
    const selected = this.#selectEncoding(subject, page.state.chosen);
    return html`${shown.current ? nothing : this.#lastShownTemplate(subject)}
      ${shown.problem === null ? nothing : html`<p class="notice" role="alert">${shown.problem}</p>`}
      ${selected === null ? this.#noEncodingTemplate(subject) : this.#encodingTemplate(page, subject, selected)}`;
  }

  #encodingTemplate(page: SidePageState, subject: SideSubject, selected: SelectedEncoding): TemplateResult {
    const stale = this.#numbers?.key !== numbersKey(selected, page.language);
    if (stale) this.#compute(selected, page);
    const { store, send, calls } = this.#options;
    const update: SectionContext["update"] = (change) => store.update((now) => ({ ...now, state: change(now.state) }));
    const pointAtRun = (at: PointedRun | null) => {
      this.#pointedRun = at;
      this.#render();
    };
    const report = (outcome: ActionOutcome | null) => {
      this.#outcome = outcome;
      this.#render();
    };
    const context: SectionContext = {
      page,
      selected,
      numbers: this.#numbers,
      stale,
      send,
      update,
      pointedRun: this.#pointedRun,
      pointAtRun,
      calls,
      outcome: this.#outcome,
      report,
    };
    return subject.kind === "config" ? configBody(subject, context) : codeBody(subject, context);
  }

  #noEncodingTemplate(subject: SideSubject): TemplateResult {
    const { title } = subject;
    if (subject.kind === "code" || subject.findings.some(({ severity }) => severity === "error"))
      return html`<p class="empty">${l10n.t("No position encoding found in {0}.", title)}</p>`;
    return html`<p class="empty">${l10n.t("The position encoding of {0} is unknown: neither its model type nor its keys determine one.", title)}</p>`;
  }

  #lastShownTemplate(subject: SideSubject): TemplateResult {
    const { send } = this.#options;
    const place = subject.kind === "code" ? subject : { range: subject.specs[0]?.evidence[0]?.range ?? FILE_START };
    return html`<p class="last">
      <span>${l10n.t("Last shown:")} ${subject.title}</span>
      ${nativeButton({ label: l10n.t("Return to file"), look: "link", onClick: () => send(revealMessage(place)) })}
    </p>`;
  }

  /** While the user types, only the newest state is computed, when the page is idle. */
  #compute(selected: SelectedEncoding, { language }: SidePageState): void {
    const key = numbersKey(selected, language);
    if (this.#computingKey === key) return;
    this.#computingKey = key;
    whenIdle(() => {
      if (this.#computingKey !== key) return;
      this.#computingKey = "";
      this.#numbers = computeNumbers(selected, language);
      this.#render();
    });
  }
}

const FILE_START = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Safari has no requestIdleCallback. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 200 });
  else window.setTimeout(run, 0);
}
