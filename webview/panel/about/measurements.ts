import * as l10n from "@vscode/l10n";
import { html, type nothing, render, type TemplateResult } from "lit-html";
import type { Encoding } from "../../../src/core/encodings/encoding.ts";
import { type Measurement, measureEncoding } from "../../../src/core/measure/measurements.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import "./measurements.css";

/** Dragging a slider changes the state dozens of times a second; only the state after a pause is measured. */
const MEASURE_DELAY_MS = 150;

/** Differences below this share of the largest logit are rounding. */
const MAX_ROUNDING_ERROR = 1e-9;

interface MeasurementResult {
  readonly encoding: Encoding;
  /** Identifies the measured encoding and parameters. */
  readonly key: string;
  readonly list: readonly Measurement[];
}

function measurementKey({ encoding, params }: ResolvedEncoding): string {
  return JSON.stringify([encoding.id, params]);
}

/** Says in one sentence whether the logit depends on the distance alone. */
export function shiftVerdict(list: readonly Measurement[]): string {
  const error = list.find(({ id }) => id === "shift_invariance")?.value;
  if (error === undefined) return l10n.t("Shift invariance cannot be measured: the position table is too short.");
  return error <= MAX_ROUNDING_ERROR
    ? l10n.t("The logit is g(x_m, x_n, m − n): shifting both positions does not change it.")
    : l10n.t("The logit is not g(x_m, x_n, m − n): shifting both positions changes it.");
}

/** Shows measurements of an encoding, computed while the page is idle so that dragging stays smooth. */
export class MeasurementsElement extends HTMLElement {
  #resolved: ResolvedEncoding | null = null;
  #result: MeasurementResult | null = null;
  #timer = 0;

  set drawable(resolved: ResolvedEncoding) {
    const previous = this.#resolved;
    this.#resolved = resolved;
    if (previous !== null && measurementKey(previous) === measurementKey(resolved)) return;
    this.#render();
    this.#schedule();
  }

  connectedCallback(): void {
    this.#render();
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
    }, MEASURE_DELAY_MS);
  }

  #measure(): void {
    const resolved = this.#resolved;
    if (resolved === null || !this.isConnected || this.#result?.key === measurementKey(resolved)) return;
    this.#result = {
      encoding: resolved.encoding,
      key: measurementKey(resolved),
      list: measureEncoding(resolved.encoding, resolved.params),
    };
    this.#render();
  }

  #render(): void {
    if (this.#resolved === null) return;
    const result = this.#result?.encoding === this.#resolved.encoding ? this.#result : null;
    render(measurementsTemplate(result, result?.key !== measurementKey(this.#resolved)), this);
  }
}

function measurementsTemplate(result: MeasurementResult | null, stale: boolean): TemplateResult {
  return html`<section class=${`measurements ${stale ? "stale" : ""}`} aria-label=${l10n.t("Measurements")} aria-busy=${stale}>
    <h2>${l10n.t("Measurements")}</h2>
    ${
      result === null
        ? html`<p class="aside-note">${l10n.t("measuring…")}</p>`
        : html`<dl>${result.list.map(measurementEntry)}</dl>
          <p class="verdict">${shiftVerdict(result.list)}</p>`
    }
  </section>`;
}

function measurementEntry({ label, value, text }: Measurement): TemplateResult | typeof nothing {
  return html`<div class="entry"><dt>${label}</dt><dd title=${String(value)}>${text}</dd></div>`;
}

export function defineMeasurements(): void {
  if (customElements.get("posenc-measurements") === undefined) {
    customElements.define("posenc-measurements", MeasurementsElement);
  }
}
