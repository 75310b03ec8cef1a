import { t } from "@vscode/l10n";
import { html, svg, type TemplateResult } from "lit-html";
import { svgText } from "../../ui/chart/svgText.ts";
import { mapFor } from "../../ui/figure/palette.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { arithmetic } from "./arithmetic.ts";
import { CELL, cardSvg, cards, cardTemplate, cellOf } from "./cards.ts";
import { type ExampleToken, exampleOf } from "./model.ts";
import { shownTokens, tokenFields } from "./tokens.ts";

function steps(context: ViewContext, tokens: readonly ExampleToken[]): TemplateResult {
  const cell = cellOf(context, tokens.length) ?? { row: 0, column: Math.min(1, tokens.length - 1) };
  const name = (n: number) => `“${tokens[n]?.text ?? ""}”`;
  return html`<section class="steps" role="status" aria-label=${t("Step by step")}>
    <h3>${t("Step by step: query {0}, key {1}", name(cell.row), name(cell.column))}</h3>
    <dl>
      ${cards().map(
        ({ kind, title }) =>
          html`<div><dt>${title}</dt><dd lang="en">${arithmetic(kind, tokens, cell, context.page.panel.shift).map((line) => html`<p>${line}</p>`)}</dd></div>`,
      )}
    </dl>
  </section>`;
}

function exportable(context: ViewContext): Exportable {
  const tokens = shownTokens(context);
  const width = 110 + tokens.length * CELL[0];
  const height = 90 + tokens.length * CELL[1];
  const map = mapFor(context.page.theme);
  const { shift } = context.page.panel;
  const content = cards().map((card, n) =>
    cardSvg(card, tokens, { place: [12 + (n % 2) * width, 8 + (n >> 1) * height], map, shift }),
  );
  return {
    svg: svgText({
      name: t("Example"),
      width: 12 + 2 * width,
      height: 8 + 2 * height,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["scores", "query", ...tokens.map(({ text }) => text)],
      rows: cards().flatMap(({ kind, title }) =>
        exampleOf(kind, tokens, shift).scores.map((row, n) => [title, tokens[n]?.text ?? "", ...row]),
      ),
    },
  };
}

function body(context: ViewContext): TemplateResult {
  const tokens = shownTokens(context);
  return html`<section class="example">
    <p class="lead">${t("Without positions, attention cannot distinguish “I like apples” from “apples like I”. Below, four methods score the same tokens (W = 1, no scaling). Edit or shuffle the tokens, or edit their vectors, to see which scores change.")}</p>
    ${tokenFields(context)}
    <div class="cards">${cards().map((card) => cardTemplate(context, card, tokens))}</div>
    ${steps(context, tokens)}
  </section>`;
}

/** The three tokens of the worked example, with digits in the cells. */
export const exampleView: View = {
  id: "example",
  title: () => t("Example"),
  starts: true,
  unavailable: () => null,
  body,
  exportable,
  ownInputs: true,
};
