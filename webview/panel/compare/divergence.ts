import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { firstParting, type Parting, VISIBLE } from "../../../src/core/config/compare/firstDivergence.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { grouped } from "../../state/format.ts";

/** A slider that moves sends dozens of states a second; what it comes to rest at is searched. */
const REST = 150;

interface Sides {
  readonly a: EncodingSpec;
  readonly b: EncodingSpec;
}

function causeText(cause: Extract<Parting, { kind: "parts" }>["cause"]): string {
  switch (cause) {
    case "angles":
      return t("the rotation angles differ");
    case "scale":
      return t("the scales differ");
    case "window":
      return t("the shorter window ends");
    case "bias":
      return t("the biases differ");
  }
}

function partingText(parting: Parting): string {
  const share = `${VISIBLE * 100} %`;
  switch (parting.kind) {
    case "parts":
      return t(
        "Divergence at distance {1}: for random q and k, the scores differ by more than {0} of their spread, because {2}.",
        share,
        grouped(parting.distance),
        causeText(parting.cause),
      );
    case "never":
      return t(
        "No divergence up to distance {1}: for random q and k, the scores differ by less than {0} of their spread.",
        share,
        grouped(parting.searched),
      );
    case "incomparable":
      return t("Divergence not computed: {0}.", localize(parting.reason));
  }
}

/** From which distance on two sides give visibly other scores, searched while the page is at rest. */
class PartingElement extends HTMLElement {
  #sides: Sides | null = null;
  #key = "";
  #timer = 0;

  set sides(sides: Sides) {
    const key = JSON.stringify([sides.a.encoding, sides.a.params, sides.b.encoding, sides.b.params]);
    this.#sides = sides;
    if (key === this.#key) return;
    this.#key = key;
    this.#show(null);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#search(), REST);
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
    this.#key = "";
  }

  #search(): void {
    if (this.#sides !== null && this.isConnected) this.#show(firstParting(this.#sides.a, this.#sides.b));
  }

  #show(parting: Parting | null): void {
    render(parting === null ? nothing : html`<p class="aside-note">${partingText(parting)}</p>`, this);
  }
}

export function defineParting(): void {
  if (customElements.get("posenc-parting") === undefined) customElements.define("posenc-parting", PartingElement);
}

export function partingPart(a: EncodingSpec, b: EncodingSpec): TemplateResult {
  return html`<posenc-parting .sides=${{ a, b }}></posenc-parting>`;
}
