import { html, svg, type TemplateResult } from "lit-html";

export interface Swatch {
  readonly colour: string;
  readonly label: string;
}

/**
 * Legend for lines in colours of the map. Drawn as SVG because the content security policy forbids style attributes.
 */
export function colourLegend(entries: readonly Swatch[]): TemplateResult {
  return html`<ul class="chart-key">
    ${entries.map(
      ({ colour, label }) =>
        html`<li><svg class="swatch" width="18" height="8" aria-hidden="true">${svg`<rect width="18" height="3" y="3" fill=${colour} />`}</svg> ${label}</li>`,
    )}
  </ul>`;
}
