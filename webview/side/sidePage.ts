import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { SideCalls, SideShown, SideState, SideSubject, SideToHost } from "../../src/core/protocol/side.ts";
import { memo, type Store } from "../state/store.ts";
import { defineFormula } from "../ui/mathml.ts";
import { codeBody } from "./code.ts";
import { configBody } from "./config.ts";
import { empty } from "./empty.ts";
import type { LayerAt } from "./layers.ts";
import { defineMiniature } from "./miniatureElement.ts";
import { keyOf, type Numbers, numbersOf, type Part, partOf, type SidePageState } from "./model.ts";
import { button, revealing } from "./parts.ts";
import { PLAN } from "./plan.ts";
import { defineWavelengths } from "./wavelengths.ts";

export type Send = (message: SideToHost) => void;

/** What the sections of the page need. */
export interface Sight {
  readonly page: SidePageState;
  readonly part: Part;
  /** Of this part, or stale ones of the one before; null before the first. */
  readonly numbers: Numbers | null;
  readonly stale: boolean;
  readonly send: Send;
  readonly update: (change: (state: SideState) => SideState) => void;
  /** The layer that is pointed at, and how that is told. */
  readonly layerAt: LayerAt | null;
  readonly atLayer: (at: LayerAt | null) => void;
  readonly calls: SideCalls;
  /** How the last thing that the page asked for ended. */
  readonly outcome: Outcome | null;
  readonly report: (outcome: Outcome | null) => void;
}

interface Outcome {
  readonly kind: "status" | "alert";
  readonly text: string;
}

interface PageOptions {
  readonly root: HTMLElement;
  readonly store: Store<SidePageState>;
  readonly send: Send;
  readonly calls: SideCalls;
}

/** The whole page, rendered anew at each change; what takes long is computed while the page is idle. */
export class SidePage {
  readonly #options: PageOptions;
  readonly #part = memo(partOf);
  #numbers: Numbers | null = null;
  #computing = "";
  #outdated = false;
  #layerAt: LayerAt | null = null;
  #outcome: Outcome | null = null;
  #toPlan = false;
  #uri: string | undefined;

  constructor(options: PageOptions) {
    this.#options = options;
    defineFormula();
    defineMiniature();
    defineWavelengths();
    options.store.subscribe(() => this.#render());
    this.#render();
  }

  /** Opens the planner, and puts the keyboard there as soon as there is a file to plan for. */
  openPlan(): void {
    this.#toPlan = true;
    this.#options.store.update((now) => {
      const { toggled } = now.state;
      return toggled.includes(PLAN) ? { ...now } : { ...now, state: { ...now.state, toggled: [...toggled, PLAN] } };
    });
  }

  /** The host is of another version than this page. */
  askForReload(): void {
    this.#outdated = true;
    this.#render();
  }

  #render(): void {
    const { root } = this.#options;
    render(this.#content(), root);
    this.#startAtTop();
    const field = this.#toPlan ? root.querySelector<HTMLInputElement>(".plan input[name=target]") : null;
    if (field === null) return;
    this.#toPlan = false;
    field.closest("details")?.scrollIntoView();
    field.select();
  }

  /** Another file is read from its beginning. */
  #startAtTop(): void {
    const uri = this.#options.store.get().shown?.subject?.uri;
    if (uri === this.#uri) return;
    this.#uri = uri;
    window.scrollTo(0, 0);
  }

  #content(): TemplateResult {
    const page = this.#options.store.get();
    if (this.#outdated)
      return html`<p class="notice" role="alert">${t("Posenc was updated. Reload the window to continue.")}</p>`;
    if (page.shown === null) return html`<p class="empty">…</p>`;
    const { subject } = page.shown;
    return subject === null ? empty(this.#options.send) : this.#about(page, page.shown, subject);
  }

  #about(page: SidePageState, shown: SideShown, subject: SideSubject): TemplateResult {
    const part = this.#part(subject, page.state.chosen);
    return html`${shown.current ? nothing : this.#lastShown(subject)}
      ${shown.problem === null ? nothing : html`<p class="notice" role="alert">${shown.problem}</p>`}
      ${part === null ? this.#withoutPart(subject) : this.#ofPart(page, subject, part)}`;
  }

  #ofPart(page: SidePageState, subject: SideSubject, part: Part): TemplateResult {
    const stale = this.#numbers?.key !== keyOf(part, page.language);
    if (stale) this.#compute(part, page);
    const { store, send, calls } = this.#options;
    const update: Sight["update"] = (change) => store.update((now) => ({ ...now, state: change(now.state) }));
    const atLayer = (at: LayerAt | null) => {
      this.#layerAt = at;
      this.#render();
    };
    const report = (outcome: Outcome | null) => {
      this.#outcome = outcome;
      this.#render();
    };
    const sight: Sight = {
      page,
      part,
      numbers: this.#numbers,
      stale,
      send,
      update,
      layerAt: this.#layerAt,
      atLayer,
      calls,
      outcome: this.#outcome,
      report,
    };
    return subject.kind === "config" ? configBody(subject, sight) : codeBody(subject, sight);
  }

  #withoutPart({ title }: SideSubject): TemplateResult {
    return html`<p class="empty">${t("No position encoding found in {0}.", title)}</p>`;
  }

  #lastShown(subject: SideSubject): TemplateResult {
    const { send } = this.#options;
    const place = subject.kind === "code" ? subject : { range: subject.specs[0]?.evidence[0]?.range ?? START };
    return html`<p class="last">
      <span>${t("Last shown:")} ${subject.title}</span>
      ${button({ label: t("Return to file"), look: "link", onClick: () => send(revealing(place)) })}
    </p>`;
  }

  /** Typing sends many states a second; the newest is computed when the page has time. */
  #compute(part: Part, { language }: SidePageState): void {
    const key = keyOf(part, language);
    if (this.#computing === key) return;
    this.#computing = key;
    whenIdle(() => {
      if (this.#computing !== key) return;
      this.#computing = "";
      this.#numbers = numbersOf(part, language);
      this.#render();
    });
  }
}

const START = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 200 });
  else window.setTimeout(run, 0);
}
