import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import {
  type Divergence,
  findFirstDivergence,
  VISIBLE_SHARE,
} from "../../../src/core/config/compare/firstDivergence.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { groupDigits } from "../../ui/format.ts";

/** Dragging a slider changes the state dozens of times a second; only the state after a pause is searched. */
const SEARCH_DELAY_MS = 150;

interface DivergenceSides {
  readonly a: EncodingSpec;
  readonly b: EncodingSpec;
}

function causeText(cause: Extract<Divergence, { kind: "diverges" }>["cause"]): string {
  switch (cause) {
    case "angles":
      return l10n.t("the rotation angles differ");
    case "scale":
      return l10n.t("the scales differ");
    case "window":
      return l10n.t("the shorter window ends");
    case "bias":
      return l10n.t("the biases differ");
  }
}

function describeDivergence(divergence: Divergence): string {
  const share = `${VISIBLE_SHARE * 100} %`;
  switch (divergence.kind) {
    case "diverges":
      return l10n.t(
        "Divergence at distance {1}: for random q and k, the scores differ by more than {0} of their spread, because {2}.",
        share,
        groupDigits(divergence.distance),
        causeText(divergence.cause),
      );
    case "never":
      return l10n.t(
        "No divergence up to distance {1}: for random q and k, the scores differ by less than {0} of their spread.",
        share,
        groupDigits(divergence.searched),
      );
    case "incomparable":
      return l10n.t("Divergence not computed: {0}.", localize(divergence.reason));
  }
}

/** Shows the first distance at which the two sides' scores visibly differ, computed after a pause. */
class DivergenceElement extends HTMLElement {
  #sides: DivergenceSides | null = null;
  #key = "";
  #timer = 0;

  set sides(sides: DivergenceSides) {
    const key = JSON.stringify([sides.a.encoding, sides.a.params, sides.b.encoding, sides.b.params]);
    this.#sides = sides;
    if (key === this.#key) return;
    this.#key = key;
    this.#render(null);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#search(), SEARCH_DELAY_MS);
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
    this.#key = "";
  }

  #search(): void {
    if (this.#sides !== null && this.isConnected) this.#render(findFirstDivergence(this.#sides.a, this.#sides.b));
  }

  #render(divergence: Divergence | null): void {
    render(divergence === null ? nothing : html`<p class="aside-note">${describeDivergence(divergence)}</p>`, this);
  }
}

export function defineDivergence(): void {
  if (customElements.get("posenc-parting") === undefined) customElements.define("posenc-parting", DivergenceElement);
}

export function divergenceNote(a: EncodingSpec, b: EncodingSpec): TemplateResult {
  return html`<posenc-parting .sides=${{ a, b }}></posenc-parting>`;
}
