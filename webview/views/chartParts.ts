import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { fullTitle } from "../../src/core/encodings/support/title.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import { scalingType } from "../state/panelEncoding.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import type { Tone } from "../ui/chart/chart.ts";

export interface LegendEntry {
  readonly label: string;
  /** null: no line is shown beside the label. */
  readonly tone: Tone | null;
  readonly dashed?: boolean;
}

/** Legend of a chart's lines. */
export function chartLegend(entries: readonly LegendEntry[]): TemplateResult {
  return html`<ul class="chart-key">
    ${entries.map(({ label, tone, dashed }) => html`<li class=${tone === null ? "" : `key-line ${tone} ${dashed === true ? "dashed" : ""}`}>${label}</li>`)}
  </ul>`;
}

/** For charts over distances: explains that a shift of both positions changes nothing. */
export function shiftNote({ scene }: ResolvedEncoding): string {
  return scene.shift === 0
    ? ""
    : l10n.t(
        "Both positions are shifted by {0}. Distances do not change, so this plot does not change either.",
        scene.shift,
      );
}

/** Accessible name of a drawing: encoding (with its scaling), view, shape. */
export function chartName(resolved: ResolvedEncoding, view: string, shape: string): string {
  const title = localize(fullTitle(resolved.encoding));
  const scaling = scalingType(resolved);
  return `${scaling === null ? title : `${title} (${scaling})`}, ${view}, ${shape}`;
}
