import { t } from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { type ColourMap, valueDomain } from "../../../src/core/export/colourMaps.ts";
import { significant } from "../../state/format.ts";
import { changeCrosshair, setField } from "../../state/reducers.ts";
import type { Cell } from "../../state/viewport.ts";
import { clampCell } from "../../state/viewport.ts";
import { svgText } from "../../ui/chart/svgText.ts";
import { textField } from "../../ui/fields.ts";
import { keyAction } from "../../ui/figure/gestures.ts";
import { mapFor } from "../../ui/figure/palette.ts";
import { tint, tintOf } from "../../ui/tint.ts";
import { button } from "../../ui/toolkit.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { arithmetic } from "./arithmetic.ts";
import { changedScores, type ExampleKind, exampleOf, orderOf, shuffled, vectorOf } from "./model.ts";

const MOST_TOKENS = 8;

interface Card {
  readonly kind: ExampleKind;
  readonly title: string;
  readonly formula: string;
}

function cards(): readonly Card[] {
  return [
    { kind: "none", title: t("No position"), formula: "xᵢ · xⱼ" },
    { kind: "absolute", title: t("Absolute"), formula: "(xᵢ + pᵢ) · (xⱼ + pⱼ)" },
    { kind: "bias", title: t("T5-style bias"), formula: "xᵢ · xⱼ + b(|i − j|)" },
    { kind: "rope", title: "RoPE", formula: "Rᵢxᵢ · Rⱼxⱼ" },
  ];
}

/** The tokens that count: empty fields are left out. */
function tokensOf({ page }: ViewContext): readonly string[] {
  const { tokens, order } = page.panel;
  return orderOf(tokens, order).map((n) => tokens[n] ?? "");
}

function matrixTable(context: ViewContext, card: Card, tokens: readonly string[]): TemplateResult {
  const n = tokens.length;
  const { scores } = exampleOf(card.kind, tokens);
  const domain = valueDomain(scores.flat());
  const at = cellOf(context, n);
  const map = mapFor(context.page.theme);
  const cell = (row: number, column: number) => {
    const value = scores[row]?.[column] ?? 0;
    const chosen = at?.row === row && at.column === column;
    const choose = () => context.dispatch(changeCrosshair({ row, column }));
    return html`<td class=${chosen ? "chosen" : ""} title=${String(value)} @click=${choose} ${tint(value, domain, map)}>
      ${significant(Number(value.toFixed(3)), 4)}
    </td>`;
  };
  return html`<table>
    <tr><td class="corner"></td>${tokens.map((token) => html`<th scope="col">${token}</th>`)}</tr>
    ${tokens.map((token, row) => html`<tr><th scope="row">${token}</th>${tokens.map((_, column) => cell(row, column))}</tr>`)}
  </table>`;
}

function cellOf({ page }: ViewContext, length: number): Cell | null {
  const { crosshair } = page.panel;
  return crosshair === null ? null : clampCell(crosshair, { rows: length, columns: length });
}

function move(context: ViewContext, length: number, event: KeyboardEvent): void {
  const action = keyAction(event);
  if (action?.kind !== "move") return;
  event.preventDefault();
  const from = cellOf(context, length) ?? { row: 0, column: 0 };
  const to = { row: from.row + action.by.row, column: from.column + action.by.column };
  context.dispatch(changeCrosshair(clampCell(to, { rows: length, columns: length })));
}

/** What shuffling did to the scores of this kind. */
function verdict({ page }: ViewContext, kind: ExampleKind): TemplateResult | typeof nothing {
  const { tokens, order } = page.panel;
  const shown = orderOf(tokens, order);
  if (shown.every((n, at) => n === at)) return nothing;
  const changed = changedScores(kind, tokens, shown);
  const total = tokens.length ** 2;
  return changed === 0
    ? html`<p class="verdict">${t("Shuffled: the same {0} numbers, rows and columns only permuted.", total)}</p>`
    : html`<p class="verdict">${t("Shuffled: {0} of {1} numbers changed, so order is seen.", changed, total)}</p>`;
}

function cardTemplate(context: ViewContext, card: Card, tokens: readonly string[]): TemplateResult {
  const n = tokens.length;
  const label = t("Example, {0}, scores, {1} × {1}", card.title, n);
  return html`<div class="card" role="figure" aria-label=${label}>
    <h3>${card.title}</h3>
    <p class="small-formula" lang="en">${card.formula}</p>
    <div
      class="example-cells"
      role="application"
      tabindex="0"
      aria-label=${`${label}. ${t("Arrow keys move between the cells.")}`}
      @keydown=${(event: KeyboardEvent) => move(context, n, event)}
    >
      ${matrixTable(context, card, tokens)}
    </div>
    ${verdict(context, card.kind)}
  </div>`;
}

function tokenFields(context: ViewContext): TemplateResult {
  const { dispatch, page } = context;
  const { tokens, order } = page.panel;
  const set = (next: readonly string[]) =>
    dispatch((state) => ({ ...setField("tokens", [...next])(state), order: [] }));
  const shown = orderOf(tokens, order);
  return html`<div class="tokens">
    ${tokens.map((token, n) => {
      const label = t("Token {0}", n + 1);
      return textField({
        label,
        text: token,
        onText: (text) => set(tokens.map((other, m) => (m === n ? text : other))),
      });
    })}
    ${button({ label: t("Add token"), glyph: "+", look: "icon", disabled: tokens.length >= MOST_TOKENS, onClick: () => set([...tokens, "pears"]) })}
    ${button({ label: t("Remove token"), glyph: "−", look: "icon", disabled: tokens.length <= 2, onClick: () => set(tokens.slice(0, -1)) })}
    ${button({ label: t("Shuffle tokens"), onClick: () => dispatch(setField("order", shuffled(shown))) })}
    ${button({ label: t("As typed"), disabled: order.length === 0, onClick: () => dispatch(setField("order", [])) })}
  </div>`;
}

function steps(context: ViewContext, tokens: readonly string[]): TemplateResult {
  const cell = cellOf(context, tokens.length) ?? { row: 0, column: Math.min(1, tokens.length - 1) };
  return html`<section class="steps" role="status" aria-label=${t("Step by step")}>
    <h3>${t("Step by step: {0} asks, {1} answers", `“${tokens[cell.row] ?? ""}”`, `“${tokens[cell.column] ?? ""}”`)}</h3>
    <dl>${cards().map(({ kind, title }) => html`<div><dt>${title}</dt><dd>${arithmetic(kind, tokens, cell)}</dd></div>`)}</dl>
  </section>`;
}

/** Width and height of a cell in a file. */
const CELL = [62, 32] as const;

function cardSvg(
  card: Card,
  tokens: readonly string[],
  place: readonly [number, number],
  map: ColourMap,
): TemplateResult {
  const { scores } = exampleOf(card.kind, tokens);
  const domain = valueDomain(scores.flat());
  const [width, height] = CELL;
  const middle = (n: number) => 70 + (n + 0.5) * width;
  const cell = (row: number, column: number) => {
    const value = scores[row]?.[column] ?? 0;
    const { background, text } = tintOf(value, domain, map);
    const y = 66 + row * height;
    return svg`<rect x=${71 + column * width} y=${y + 1} width=${width - 2} height=${height - 2} fill=${background} />
      <text class="digits" x=${middle(column)} y=${y + 20} text-anchor="middle" fill=${text}>${significant(Number(value.toFixed(3)), 4)}</text>`;
  };
  return svg`<svg class="chart" x=${place[0]} y=${place[1]} width=${90 + tokens.length * width} height=${80 + tokens.length * height}>
    <text class="tag-text" x="0" y="18">${card.title}</text><text class="tick" x="0" y="36">${card.formula}</text>
    ${tokens.map(
      (token, n) => svg`<text class="tick" x=${middle(n)} y="58" text-anchor="middle">${token}</text>
      <text class="tick" x="62" y=${66 + n * height + 20} text-anchor="end">${token}</text>`,
    )}
    ${tokens.map((_, row) => tokens.map((__, column) => cell(row, column)))}
  </svg>`;
}

function exportable(context: ViewContext): Exportable {
  const tokens = tokensOf(context);
  const width = 110 + tokens.length * CELL[0];
  const height = 90 + tokens.length * CELL[1];
  const map = mapFor(context.page.theme);
  const content = cards().map((card, n) => cardSvg(card, tokens, [12 + (n % 2) * width, 8 + (n >> 1) * height], map));
  return {
    svg: svgText({
      name: t("Example"),
      width: 12 + 2 * width,
      height: 8 + 2 * height,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["scores", "query", ...tokens],
      rows: cards().flatMap(({ kind, title }) =>
        exampleOf(kind, tokens).scores.map((row, n) => [title, tokens[n] ?? "", ...row]),
      ),
    },
  };
}

function body(context: ViewContext): TemplateResult {
  const tokens = tokensOf(context);
  return html`<section class="example">
    <p class="lead">${t("Attention without positions cannot tell “I like apples” from “apples like I”. Four ways to score the same tokens, with W = 1 and no scaling; change the tokens, shuffle them and see which numbers notice.")}</p>
    ${tokenFields(context)}
    <p class="vectors">${tokens.map((token) => html`<span>${token} = [${vectorOf(token).join(", ")}]</span>`)}</p>
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
