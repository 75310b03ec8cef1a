import { t } from "@vscode/l10n";
import { html, render } from "lit-html";
import { type Chart, clampWhole, wholeAt } from "./chart.ts";
import { chartSvg, plotBox } from "./chartSvg.ts";

/** A pointer that rests has chosen. */
const REST = 300;

/** Steps of the crosshair by key; null: not ours. */
export function chartStep(event: Pick<KeyboardEvent, "key" | "shiftKey">): number | null {
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

/** A chart in the room that the page gives it, no lower than it asks for, with a crosshair by pointer and keys. */
export class ChartElement extends HTMLElement {
  #chart: Chart | null = null;
  #width = 0;
  #height = 0;
  #hover: number | null = null;
  #timer = 0;
  readonly #sizes = new ResizeObserver(([entry]) => {
    this.#width = Math.floor(entry?.contentRect.width ?? 0);
    this.#height = Math.floor(entry?.contentRect.height ?? 0);
    this.#draw();
  });

  set chart(chart: Chart) {
    this.#chart = chart;
    this.#draw();
  }

  connectedCallback(): void {
    this.#sizes.observe(this);
  }

  disconnectedCallback(): void {
    this.#sizes.disconnect();
    window.clearTimeout(this.#timer);
  }

  #sized(): Chart | null {
    return this.#chart && { ...this.#chart, height: Math.max(this.#chart.height, this.#height) };
  }

  #draw(): void {
    const chart = this.#sized();
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
        aria-label=${`${chart.name}. ${t("Use the left and right arrow keys to move the crosshair.")}`}
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
        @pointermove=${(event: PointerEvent) => this.#point(event)}
        @pointerdown=${(event: PointerEvent) => this.#choose(this.#at(event))}
        @pointerleave=${() => this.#leave()}
      >
        <svg class="chart" aria-hidden="true" width=${this.#width} height=${height} viewBox=${`0 0 ${this.#width} ${height}`}>
          ${chartSvg(chart, plotBox(chart, this.#width), this.#hover)}
        </svg>
      </div>`,
      this,
    );
  }

  #at(event: PointerEvent): number | null {
    if (this.#chart === null) return null;
    const box = plotBox(this.#chart, this.#width);
    const fraction = (event.clientX - this.getBoundingClientRect().left - box.x) / box.width;
    return fraction < -0.02 || fraction > 1.02 ? null : wholeAt(this.#chart.x, fraction);
  }

  #point(event: PointerEvent): void {
    const at = this.#at(event);
    if (at === this.#hover) return;
    this.#hover = at;
    this.#draw();
    window.clearTimeout(this.#timer);
    if (at !== null) this.#timer = window.setTimeout(() => this.#choose(at), REST);
  }

  #leave(): void {
    window.clearTimeout(this.#timer);
    this.#hover = null;
    this.#draw();
  }

  #choose(at: number | null): void {
    window.clearTimeout(this.#timer);
    if (at !== null && at !== this.#chart?.at) this.#chart?.onPoint(at);
  }

  #key(event: KeyboardEvent): void {
    const chart = this.#chart;
    const by = chartStep(event);
    if (chart === null || by === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#hover = null;
    const at = clampWhole(chart.x, (chart.at ?? Math.ceil(chart.x.from)) + by);
    // Keys come faster than frames: the next one goes on from here.
    this.#chart = { ...chart, at };
    chart.onPoint(at);
  }
}

export function defineChart(): void {
  if (customElements.get("posenc-chart") === undefined) customElements.define("posenc-chart", ChartElement);
}
