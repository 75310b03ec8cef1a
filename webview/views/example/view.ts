import * as l10n from "@vscode/l10n";
import { html, svg, type TemplateResult } from "lit-html";
import { serialiseFigure } from "../../ui/chart/exportSvg.ts";
import { themeColourMap } from "../../ui/palette.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import { CELL_SIZE, cardSvg, cardTemplate, chosenCell, exampleCards } from "./cards.ts";
import { computeExample, type ExampleToken } from "./computeExample.ts";
import { scoreSteps } from "./scoreSteps.ts";
import { shownTokens, tokenFields } from "./tokens.ts";
import "./example.css";

function stepsSection(context: ViewContext, tokens: readonly ExampleToken[]): TemplateResult {
  const cell = chosenCell(context, tokens.length) ?? { row: 0, column: Math.min(1, tokens.length - 1) };
  const name = (n: number) => `“${tokens[n]?.text ?? ""}”`;
  return html`<section class="steps" role="status" aria-label=${l10n.t("Step by step")}>
    <h3>${l10n.t("Step by step: query {0}, key {1}", name(cell.row), name(cell.column))}</h3>
    <dl>
      ${exampleCards().map(
        ({ kind, title }) =>
          html`<div><dt>${title}</dt><dd lang="en">${scoreSteps(kind, tokens, cell, context.page.panel.shift).map((line) => html`<p>${line}</p>`)}</dd></div>`,
      )}
    </dl>
  </section>`;
}

function buildExport(context: ViewContext): ViewExport {
  const tokens = shownTokens(context);
  const width = 110 + tokens.length * CELL_SIZE[0];
  const height = 90 + tokens.length * CELL_SIZE[1];
  const map = themeColourMap(context.page.theme);
  const { shift } = context.page.panel;
  const content = exampleCards().map((card, n) =>
    cardSvg(card, tokens, { place: [12 + (n % 2) * width, 8 + (n >> 1) * height], map, shift }),
  );
  return {
    svg: serialiseFigure({
      name: l10n.t("Example"),
      width: 12 + 2 * width,
      height: 8 + 2 * height,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["scores", "query", ...tokens.map(({ text }) => text)],
      rows: exampleCards().flatMap(({ kind, title }) =>
        computeExample(kind, tokens, shift).scores.map((row, n) => [title, tokens[n]?.text ?? "", ...row]),
      ),
    },
  };
}

function renderBody(context: ViewContext): TemplateResult {
  const tokens = shownTokens(context);
  return html`<section class="example">
    <p class="lead">${l10n.t("Without positions, attention cannot distinguish “I like apples” from “apples like I”. Below, four methods score the same tokens (W = 1, no scaling): absolute positions are put into the input, T5's bias and RoPE's rotation into the attention. Edit or shuffle the tokens, or edit their vectors, to see which scores change.")}</p>
    ${tokenFields(context)}
    <div class="cards">${exampleCards().map((card) => cardTemplate(context, card, tokens))}</div>
    ${stepsSection(context, tokens)}
  </section>`;
}

/** The worked example: scores of a few tokens as numbers. */
export const exampleView: View = {
  id: "example",
  title: () => l10n.t("Example"),
  startsGroup: true,
  whyUnavailable: () => null,
  renderBody,
  buildExport,
  ownInputs: true,
};
