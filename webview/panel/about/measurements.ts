import { t } from "@vscode/l10n";
import { html, type nothing, render, type TemplateResult } from "lit-html";
import type { Encoding } from "../../../src/core/encodings/encoding.ts";
import { type Measurement, measurements } from "../../../src/core/measure/measurements.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";

/** A slider that moves sends dozens of states a second; what it comes to rest at is measured. */
const REST = 150;

/** Below this share of the largest logit a difference is rounding. */
const ROUNDING = 1e-9;

interface Result {
  readonly encoding: Encoding;
  /** Encoding and parameters: what the numbers are of. */
  readonly key: string;
  readonly list: readonly Measurement[];
}

function keyOf({ encoding, params }: Drawable): string {
  return JSON.stringify([encoding.id, params]);
}

/** What the measured shift says of the logit, in a sentence. */
export function shiftVerdict(list: readonly Measurement[]): string {
  const error = list.find(({ id }) => id === "shift_invariance")?.value;
  if (error === undefined) return t("Shift invariance cannot be measured: the position table is too short.");
  return error <= ROUNDING
    ? t("The logit is g(x_m, x_n, m − n): shifting both positions does not change it.")
    : t("The logit is not g(x_m, x_n, m − n): shifting both positions changes it.");
}

/** Numbers about an encoding, measured while the page is idle so that dragging stays smooth. */
export class MeasurementsElement extends HTMLElement {
  #drawable: Drawable | null = null;
  #result: Result | null = null;
  #timer = 0;

  set drawable(drawable: Drawable) {
    const known = this.#drawable;
    this.#drawable = drawable;
    if (known !== null && keyOf(known) === keyOf(drawable)) return;
    this.#show();
    this.#schedule();
  }

  connectedCallback(): void {
    this.#show();
    this.#schedule();
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
  }

  #schedule(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (typeof requestIdleCallback === "function") requestIdleCallback(() => this.#measure(), { timeout: 1000 });
      else this.#measure();
    }, REST);
  }

  #measure(): void {
    const of = this.#drawable;
    if (of === null || !this.isConnected || this.#result?.key === keyOf(of)) return;
    this.#result = { encoding: of.encoding, key: keyOf(of), list: measurements(of.encoding, of.params) };
    this.#show();
  }

  #show(): void {
    if (this.#drawable === null) return;
    const result = this.#result?.encoding === this.#drawable.encoding ? this.#result : null;
    render(template(result, result?.key !== keyOf(this.#drawable)), this);
  }
}

function template(result: Result | null, stale: boolean): TemplateResult {
  return html`<section class=${`measurements ${stale ? "stale" : ""}`} aria-label=${t("Measurements")} aria-busy=${stale}>
    <h2>${t("Measurements")}</h2>
    ${
      result === null
        ? html`<p class="aside-note">${t("measuring…")}</p>`
        : html`<dl>${result.list.map(entry)}</dl>
          <p class="verdict">${shiftVerdict(result.list)}</p>`
    }
  </section>`;
}

function entry({ label, value, text }: Measurement): TemplateResult | typeof nothing {
  return html`<div class="entry"><dt>${label}</dt><dd title=${String(value)}>${text}</dd></div>`;
}

export function defineMeasurements(): void {
  if (customElements.get("posenc-measurements") === undefined) {
    customElements.define("posenc-measurements", MeasurementsElement);
  }
}
