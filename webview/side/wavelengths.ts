import * as l10n from "@vscode/l10n";
import { line } from "d3-shape";
import { html, nothing, render, svg, type TemplateResult } from "lit-html";
import type { FrequencyPair, PairSet } from "../../src/core/measure/pairs.ts";
import { formatBrief, formatSignificant, groupDigits } from "../ui/format.ts";
import { mapScale } from "../ui/scale.ts";
import "./wavelengths.css";

/** Content of the plot. */
interface WavelengthContent {
  readonly set: PairSet;
  readonly trained: number;
  readonly target: number;
  readonly label: string;
  /** Name of the method. */
  readonly name: string;
}

/** Size of the viewBox; the style stretches it. */
const PLOT_WIDTH = 300;
const PLOT_HEIGHT = 120;

interface PlotScale {
  readonly x: (k: number) => number;
  readonly y: (tokens: number) => number;
}

const wavelengthOf = (omega: number) => (2 * Math.PI) / omega;

function createScale({ set: { pairs }, target }: WavelengthContent): PlotScale {
  const wavelengths = pairs
    .flatMap(({ omega, unscaledOmega }) => [omega, unscaledOmega])
    .filter((omega) => omega > 0)
    .map(wavelengthOf);
  const shown = [...wavelengths, target];
  const axis = { scale: "log", from: Math.min(...shown), to: Math.max(...shown) } as const;
  return {
    x: (k) => ((k + 0.5) / pairs.length) * PLOT_WIDTH,
    y: mapScale(axis, [PLOT_HEIGHT - 4, 4]),
  };
}

function wavelengthPath(
  pairs: readonly FrequencyPair[],
  omegaOf: (pair: FrequencyPair) => number,
  { x, y }: PlotScale,
): string | null {
  return line<FrequencyPair>(
    ({ k }) => x(k),
    (pair) => y(wavelengthOf(omegaOf(pair))),
  )
    .defined((pair) => omegaOf(pair) > 0)
    .digits(1)(pairs);
}

/** Wavelength of each pair, without scaling and as planned, with both contexts. Arrow keys choose a pair. */
class WavelengthsElement extends HTMLElement {
  #content: WavelengthContent | null = null;
  #pair: number | null = null;

  set content(content: WavelengthContent) {
    this.#content = content;
    if (this.#pair !== null) this.#pair = Math.min(this.#pair, content.set.pairs.length - 1);
    this.#render();
  }

  connectedCallback(): void {
    this.#render();
  }

  #render(): void {
    if (this.#content !== null && this.isConnected) render(this.#template(this.#content), this);
  }

  #template(content: WavelengthContent): TemplateResult {
    const { label, name, trained, target } = content;
    return html`<div class="figure" role="figure" aria-label=${label}>
        <div class="plot waves" role="application" tabindex="0" aria-label=${l10n.t("Pairs of one head")}
          aria-description=${l10n.t("Use the left and right arrow keys to choose a pair.")}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
          @pointermove=${(event: PointerEvent) => this.#onPointerMove(event)}
          @pointerleave=${() => this.#choosePair(null)}>
          ${this.#plotSvg(content)}
          <span class="axis-y" aria-hidden="true">${l10n.t("wavelength (tokens)")} ↑</span>
          <span class="axis-x" aria-hidden="true">${l10n.t("pair k")} →</span>
        </div>
      </div>
      <p class="reading" role="status" aria-label=${l10n.t("Readout")}>${this.#readoutText(content) ?? nothing}</p>
      <ul class="caption legend">
        <li class="as-trained">${l10n.t("unscaled")}</li><li class="as-planned">${name}</li>
        <li class="at-trained">${l10n.t("training context, {0}", groupDigits(trained))}</li>
        <li class="at-target">${l10n.t("target context, {0}", groupDigits(target))}</li>
      </ul>`;
  }

  #plotSvg(content: WavelengthContent): TemplateResult {
    const { set, trained, target } = content;
    const scale = createScale(content);
    const level = (kind: string, tokens: number) =>
      svg`<line class=${kind} x1="0" x2=${PLOT_WIDTH} y1=${scale.y(tokens)} y2=${scale.y(tokens)} />`;
    const chosen = this.#pair === null ? null : scale.x(this.#pair);
    return html`<svg viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${level("at-trained", trained)} ${level("at-target", target)}
      ${svg`<path class="as-trained" d=${wavelengthPath(set.pairs, ({ unscaledOmega }) => unscaledOmega, scale)} />`}
      ${svg`<path class="as-planned" d=${wavelengthPath(set.pairs, ({ omega }) => omega, scale)} />`}
      ${chosen === null ? nothing : svg`<line class="chosen" x1=${chosen} x2=${chosen} y1="0" y2=${PLOT_HEIGHT} />`}
    </svg>`;
  }

  #readoutText({ set: { pairs } }: WavelengthContent): string | null {
    const pair = this.#pair === null ? undefined : pairs[this.#pair];
    if (pair === undefined) return null;
    const turn = (omega: number) => (omega > 0 ? formatBrief(wavelengthOf(omega)) : "∞");
    return l10n.t(
      "pair {0}: wavelength {1} → {2} tokens, ÷ {3}",
      pair.k,
      turn(pair.unscaledOmega),
      turn(pair.omega),
      formatSignificant(pair.divisor, 3),
    );
  }

  #onKey(event: KeyboardEvent): void {
    const count = this.#content?.set.pairs.length ?? 0;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || count === 0) return;
    event.preventDefault();
    const from = this.#pair ?? (count >> 1) - step;
    this.#choosePair(Math.min(count - 1, Math.max(0, from + step * (event.shiftKey ? 8 : 1))));
  }

  #onPointerMove({ offsetX, currentTarget }: PointerEvent): void {
    const count = this.#content?.set.pairs.length ?? 0;
    if (!(currentTarget instanceof HTMLElement) || count === 0) return;
    const pair = Math.floor((offsetX / currentTarget.clientWidth) * count);
    this.#choosePair(Math.min(count - 1, Math.max(0, pair)));
  }

  #choosePair(pair: number | null): void {
    if (this.#pair === pair) return;
    this.#pair = pair;
    this.#render();
  }
}

export function defineWavelengths(): void {
  if (customElements.get("posenc-wavelengths") === undefined)
    customElements.define("posenc-wavelengths", WavelengthsElement);
}
