import { html, nothing, type TemplateResult } from "lit-html";
import "./settingLine.css";

/** A line of the left column: a name and its control. */
export function settingLine(
  name: string,
  entry: TemplateResult,
  below: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<div class="parameter setting"><div class="line"><span class="label"><span class="name">${name}</span></span><span class="entry">${entry}</span></div>${below}</div>`;
}
