import { t } from "@vscode/l10n";
import { html, nothing, render, svg, type TemplateResult } from "lit-html";
import type { Pair, PairSet } from "../../src/core/measure/pairs.ts";
import { brief, grouped, significant } from "../state/format.ts";

/** What the plot shows. */
interface Content {
  readonly set: PairSet;
  readonly trained: number;
  readonly target: number;
  readonly label: string;
  /** Of the method. */
  readonly name: string;
}

/** The plot's own units; the style stretches them. */
const WIDTH = 300;
const HEIGHT = 120;

interface Scale {
  readonly x: (k: number) => number;
  readonly y: (tokens: number) => number;
}

const turnOf = (omega: number) => (2 * Math.PI) / omega;

function scaleOf({ set: { pairs }, target }: Content): Scale {
  const turns = pairs
    .flatMap(({ omega, plain }) => [omega, plain])
    .filter((omega) => omega > 0)
    .map(turnOf);
  const low = Math.log(Math.min(...turns, target));
  const high = Math.log(Math.max(...turns, target));
  return {
    x: (k) => ((k + 0.5) / pairs.length) * WIDTH,
    y: (tokens) => HEIGHT - 4 - ((Math.log(tokens) - low) / (high - low || 1)) * (HEIGHT - 8),
  };
}

function line(pairs: readonly Pair[], omegaOf: (pair: Pair) => number, { x, y }: Scale): string {
  return pairs
    .filter((pair) => omegaOf(pair) > 0)
    .map((pair) => `${x(pair.k).toFixed(1)},${y(turnOf(omegaOf(pair))).toFixed(1)}`)
    .join(" ");
}

/** How long a turn of each pair takes, as trained and as planned, against both contexts; pairs are read by keyboard. */
class WavelengthsElement extends HTMLElement {
  #content: Content | null = null;
  #pair: number | null = null;

  set content(content: Content) {
    this.#content = content;
    if (this.#pair !== null) this.#pair = Math.min(this.#pair, content.set.pairs.length - 1);
    this.#show();
  }

  connectedCallback(): void {
    this.#show();
  }

  #show(): void {
    if (this.#content !== null && this.isConnected) render(this.#template(this.#content), this);
  }

  #template(content: Content): TemplateResult {
    const { label, name, trained, target } = content;
    return html`<div class="figure" role="figure" aria-label=${label}>
        <div class="plot waves" role="application" tabindex="0" aria-label=${t("Pairs of one head")}
          aria-description=${t("Use the left and right arrow keys to choose a pair.")}
          @keydown=${(event: KeyboardEvent) => this.#press(event)}
          @pointermove=${(event: PointerEvent) => this.#point(event)}
          @pointerleave=${() => this.#read(null)}>
          ${this.#drawing(content)}
          <span class="axis-y" aria-hidden="true">${t("wavelength (tokens)")} ↑</span>
          <span class="axis-x" aria-hidden="true">${t("pair k")} →</span>
        </div>
      </div>
      <p class="reading" role="status" aria-label=${t("Readout")}>${this.#reading(content) ?? nothing}</p>
      <ul class="caption legend">
        <li class="as-trained">${t("unscaled")}</li><li class="as-planned">${name}</li>
        <li class="at-trained">${t("training context, {0}", grouped(trained))}</li>
        <li class="at-target">${t("target context, {0}", grouped(target))}</li>
      </ul>`;
  }

  #drawing(content: Content): TemplateResult {
    const { set, trained, target } = content;
    const scale = scaleOf(content);
    const level = (kind: string, tokens: number) =>
      svg`<line class=${kind} x1="0" x2=${WIDTH} y1=${scale.y(tokens)} y2=${scale.y(tokens)} />`;
    const chosen = this.#pair === null ? null : scale.x(this.#pair);
    return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${level("at-trained", trained)} ${level("at-target", target)}
      ${svg`<polyline class="as-trained" points=${line(set.pairs, ({ plain }) => plain, scale)} />`}
      ${svg`<polyline class="as-planned" points=${line(set.pairs, ({ omega }) => omega, scale)} />`}
      ${chosen === null ? nothing : svg`<line class="chosen" x1=${chosen} x2=${chosen} y1="0" y2=${HEIGHT} />`}
    </svg>`;
  }

  #reading({ set: { pairs } }: Content): string | null {
    const pair = this.#pair === null ? undefined : pairs[this.#pair];
    if (pair === undefined) return null;
    const turn = (omega: number) => (omega > 0 ? brief(turnOf(omega)) : "∞");
    return t(
      "pair {0}: wavelength {1} → {2} tokens, ÷ {3}",
      pair.k,
      turn(pair.plain),
      turn(pair.omega),
      significant(pair.divisor, 3),
    );
  }

  #press(event: KeyboardEvent): void {
    const count = this.#content?.set.pairs.length ?? 0;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || count === 0) return;
    event.preventDefault();
    const from = this.#pair ?? (count >> 1) - step;
    this.#read(Math.min(count - 1, Math.max(0, from + step * (event.shiftKey ? 8 : 1))));
  }

  #point({ offsetX, currentTarget }: PointerEvent): void {
    const count = this.#content?.set.pairs.length ?? 0;
    if (!(currentTarget instanceof HTMLElement) || count === 0) return;
    const pair = Math.floor((offsetX / currentTarget.clientWidth) * count);
    this.#read(Math.min(count - 1, Math.max(0, pair)));
  }

  #read(pair: number | null): void {
    if (this.#pair === pair) return;
    this.#pair = pair;
    this.#show();
  }
}

export function defineWavelengths(): void {
  if (customElements.get("posenc-wavelengths") === undefined)
    customElements.define("posenc-wavelengths", WavelengthsElement);
}
