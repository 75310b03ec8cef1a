import * as l10n from "@vscode/l10n";
import { html, render } from "lit-html";
import { type Chart, clampWhole, nearestWhole } from "./chart.ts";
import { chartSvg, plotBox } from "./chartSvg.ts";
import "./chart.css";

/** A pointer that rests this long moves the crosshair. */
const HOVER_DELAY_MS = 300;

/** The crosshair's step for a key; null for other keys. */
export function crosshairStep(event: Pick<KeyboardEvent, "key" | "shiftKey">): number | null {
  const by = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case "ArrowRight":
    case "ArrowUp":
      return by;
    case "ArrowLeft":
    case "ArrowDown":
      return -by;
    case "PageUp":
      return 10;
    case "PageDown":
      return -10;
    case "Home":
      return Number.NEGATIVE_INFINITY;
    case "End":
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}

/** A chart as large as the page allows, but at least as high as requested, with a crosshair for pointer and keys. */
export class ChartElement extends HTMLElement {
  #chart: Chart | null = null;
  #width = 0;
  #height = 0;
  #hover: number | null = null;
  #timer = 0;
  readonly #resizeObserver = new ResizeObserver(([entry]) => {
    this.#width = Math.floor(entry?.contentRect.width ?? 0);
    this.#height = Math.floor(entry?.contentRect.height ?? 0);
    this.#render();
  });

  set chart(chart: Chart) {
    this.#chart = chart;
    this.#render();
  }

  connectedCallback(): void {
    this.#resizeObserver.observe(this);
  }

  disconnectedCallback(): void {
    this.#resizeObserver.disconnect();
    window.clearTimeout(this.#timer);
  }

  #chartWithHeight(): Chart | null {
    return this.#chart && { ...this.#chart, height: Math.max(this.#chart.height, this.#height) };
  }

  #render(): void {
    const chart = this.#chartWithHeight();
    if (chart === null) return;
    this.style.minHeight = `${this.#chart?.height}px`;
    this.setAttribute("role", "figure");
    this.setAttribute("aria-label", chart.name);
    this.setAttribute("aria-busy", this.#width > 0 ? "false" : "true");
    if (this.#width === 0) return;
    const { height } = chart;
    render(
      html`<div
        role="application"
        tabindex="0"
        class="chart-plot"
        aria-label=${`${chart.name}. ${l10n.t("Use the left and right arrow keys to move the crosshair.")}`}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
        @pointermove=${(event: PointerEvent) => this.#onPointerMove(event)}
        @pointerdown=${(event: PointerEvent) => this.#choose(this.#xOf(event))}
        @pointerleave=${() => this.#onPointerLeave()}
      >
        <svg class="chart" aria-hidden="true" width=${this.#width} height=${height} viewBox=${`0 0 ${this.#width} ${height}`}>
          ${chartSvg(chart, plotBox(chart, this.#width), this.#hover)}
        </svg>
      </div>`,
      this,
    );
  }

  #xOf(event: PointerEvent): number | null {
    if (this.#chart === null) return null;
    const box = plotBox(this.#chart, this.#width);
    const fraction = (event.clientX - this.getBoundingClientRect().left - box.x) / box.width;
    return fraction < -0.02 || fraction > 1.02 ? null : nearestWhole(this.#chart.x, fraction);
  }

  #onPointerMove(event: PointerEvent): void {
    const at = this.#xOf(event);
    if (at === this.#hover) return;
    this.#hover = at;
    this.#render();
    window.clearTimeout(this.#timer);
    if (at !== null) this.#timer = window.setTimeout(() => this.#choose(at), HOVER_DELAY_MS);
  }

  #onPointerLeave(): void {
    window.clearTimeout(this.#timer);
    this.#hover = null;
    this.#render();
  }

  #choose(at: number | null): void {
    window.clearTimeout(this.#timer);
    if (at !== null && at !== this.#chart?.crosshair) this.#chart?.onPoint(at);
  }

  #onKey(event: KeyboardEvent): void {
    const chart = this.#chart;
    const by = crosshairStep(event);
    if (chart === null || by === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#hover = null;
    const crosshair = clampWhole(chart.x, (chart.crosshair ?? Math.ceil(chart.x.from)) + by);
    // Keys may come faster than frames, so the next one must start here.
    this.#chart = { ...chart, crosshair };
    chart.onPoint(crosshair);
  }
}

export function defineChart(): void {
  if (customElements.get("posenc-chart") === undefined) customElements.define("posenc-chart", ChartElement);
}
