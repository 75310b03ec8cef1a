import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { Miniature } from "../../src/core/export/miniature.ts";
import { mapFor } from "../ui/figure/palette.ts";
import { partTitle } from "./model.ts";
import type { Sight } from "./sidePage.ts";

function viewName(view: Miniature["view"]): string {
  switch (view) {
    case "scores":
      return t("Scores");
    case "bias":
      return t("Bias");
    case "table":
      return t("Table");
  }
}

/** What a person must know to read the picture. */
function caption({ part }: Sight, { view, rows }: Miniature): string {
  return [
    viewName(view),
    t("positions 0 … {0}", rows - 1),
    ...(view === "scores" ? [t("content: ones")] : []),
    ...(part.encoding.learned.length > 0 ? [t("example values for learned parameters")] : []),
  ].join(" · ");
}

/** The small matrix; opens the panel with this encoding. */
export function picture(sight: Sight): TemplateResult {
  const { numbers, part, page, stale, send } = sight;
  if (part.problem !== null) return html`<p class="notice">${t("Cannot draw this encoding: {0}", part.problem)}</p>`;
  const small = numbers?.picture ?? null;
  if (small === null)
    return html`<p class="caption" aria-busy=${stale}>${stale ? t("measuring…") : t("Too large for a thumbnail.")}</p>`;
  const label = `${partTitle(part)}, ${viewName(small.view)}, ${small.rows} × ${small.columns.length}`;
  return html`<posenc-miniature
      class=${stale ? "stale" : ""}
      .picture=${small}
      .map=${mapFor(page.theme)}
      .label=${label}
      .caption=${caption(sight, small)}
      .busy=${stale}
      @open=${() => send({ type: "openPanel", index: part.index })}
    ></posenc-miniature>`;
}
