import { html, svg, type TemplateResult } from "lit-html";

export interface Swatch {
  readonly colour: string;
  readonly label: string;
}

/** What lines of the map's colours are. Drawn as SVG: the page's policy allows no style attributes. */
export function colourKey(entries: readonly Swatch[]): TemplateResult {
  return html`<ul class="chart-key">
    ${entries.map(
      ({ colour, label }) =>
        html`<li><svg class="swatch" width="18" height="8" aria-hidden="true">${svg`<rect width="18" height="3" y="3" fill=${colour} />`}</svg> ${label}</li>`,
    )}
  </ul>`;
}
