import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { scalingType } from "../../state/panelEncoding.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Tone } from "./chart.ts";

export interface KeyEntry {
  readonly label: string;
  /** null: the label tells by itself. */
  readonly tone: Tone | null;
  readonly dashed?: boolean;
}

/** What the lines of a chart are. */
export function chartKey(entries: readonly KeyEntry[]): TemplateResult {
  return html`<ul class="chart-key">
    ${entries.map(({ label, tone, dashed }) => html`<li class=${tone === null ? "" : `key-line ${tone} ${dashed === true ? "dashed" : ""}`}>${label}</li>`)}
  </ul>`;
}

/** For drawings of distances alone: a shift of both positions is answered, not ignored. */
export function unshifted({ scene }: Drawable): string {
  return scene.shift === 0
    ? ""
    : t(
        "Both positions are shifted by {0}. Distances do not change, so this plot does not change either.",
        scene.shift,
      );
}

/** Accessible name of a drawing: encoding (with its scaling), view, shape. */
export function chartName(drawable: Drawable, view: string, shape: string): string {
  const title = localize(drawable.encoding.title);
  const scaling = scalingType(drawable);
  return `${scaling === null ? title : `${title} (${scaling})`}, ${view}, ${shape}`;
}
