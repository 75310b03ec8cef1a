import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { Miniature } from "../../src/core/export/miniature.ts";
import { themeColourMap } from "../ui/palette.ts";
import { encodingTitle } from "./pageState.ts";
import type { SectionContext } from "./section.ts";
import "./miniature.css";

function viewName(view: Miniature["view"]): string {
  switch (view) {
    case "scores":
      return l10n.t("Scores");
    case "bias":
      return l10n.t("Bias");
    case "table":
      return l10n.t("Table");
  }
}

/** Text below the picture. */
function miniatureCaption({ selected }: SectionContext, { view, rows }: Miniature): string {
  return [
    viewName(view),
    l10n.t("positions 0 … {0}", rows - 1),
    ...(view === "scores" ? [l10n.t("content: ones")] : []),
    ...(selected.encoding.learnedArrays.length > 0 ? [l10n.t("example values for learned parameters")] : []),
  ].join(" · ");
}

/** The miniature, which opens the panel with this encoding. */
export function miniatureSection(context: SectionContext): TemplateResult {
  const { numbers, selected, page, stale, send } = context;
  if (selected.problem !== null)
    return html`<p class="notice">${l10n.t("Cannot draw this encoding: {0}", selected.problem)}</p>`;
  const miniature = numbers?.picture ?? null;
  if (miniature === null)
    return html`<p class="caption" aria-busy=${stale}>${stale ? l10n.t("measuring…") : l10n.t("Too large for a thumbnail.")}</p>`;
  const label = `${encodingTitle(selected)}, ${viewName(miniature.view)}, ${miniature.rows} × ${miniature.columns.length}`;
  const map = themeColourMap(page.theme);
  const props = { picture: miniature, map, label, caption: miniatureCaption(context, miniature), busy: stale };
  return html`<posenc-miniature
      class=${stale ? "stale" : ""}
      .props=${props}
      @open=${() => send({ type: "openPanel", index: selected.index })}
    ></posenc-miniature>`;
}
