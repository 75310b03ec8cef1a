import * as l10n from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { type ColourMap, valueDomain } from "../../../src/core/export/colourMaps.ts";
import { keyAction } from "../../figure/gestures.ts";
import { clampCell, type MatrixCell } from "../../matrix/viewport.ts";
import { changeCrosshair } from "../../state/reducers.ts";
import { css } from "../../ui/css.ts";
import { formatSignificant } from "../../ui/format.ts";
import { themeColourMap } from "../../ui/palette.ts";
import { tintColours } from "../../ui/tint.ts";
import type { ViewContext } from "../view.ts";
import {
  computeExample,
  countChangedByOrder,
  countChangedByShift,
  type ExampleKind,
  type ExampleToken,
  validOrder,
} from "./computeExample.ts";
import { typedTokens } from "./tokens.ts";

export interface ExampleCard {
  readonly kind: ExampleKind;
  readonly title: string;
  readonly formula: string;
}

export function exampleCards(): readonly ExampleCard[] {
  return [
    { kind: "none", title: l10n.t("No position"), formula: "xᵢ · xⱼ" },
    { kind: "absolute", title: l10n.t("Absolute"), formula: "(xᵢ + pᵢ) · (xⱼ + pⱼ)" },
    { kind: "bias", title: l10n.t("T5-style bias"), formula: "xᵢ · xⱼ + b(|i − j|)" },
    { kind: "rope", title: "RoPE", formula: "Rᵢxᵢ · Rⱼxⱼ" },
  ];
}

type ScoreMatrix = readonly (readonly number[])[];

function cellDigits(value: number): string {
  return formatSignificant(Number(value.toFixed(3)), 4);
}

/** A matrix of numbers; a click moves the crosshair. */
function scoreTable(context: ViewContext, values: ScoreMatrix, tokens: readonly ExampleToken[]): TemplateResult {
  const domain = valueDomain(values.flat());
  const at = chosenCell(context, tokens.length);
  const map = themeColourMap(context.page.theme);
  const cell = (row: number, column: number) => {
    const value = values[row]?.[column] ?? 0;
    const chosen = at?.row === row && at.column === column;
    const choose = () => context.dispatch(changeCrosshair({ row, column }));
    const { background, text } = tintColours(value, domain, map);
    const tint = css({ "background-color": background, color: text });
    return html`<td class=${chosen ? "chosen" : ""} title=${String(value)} @click=${choose} ${tint}>
      ${cellDigits(value)}
    </td>`;
  };
  return html`<table>
    <tr><td class="corner"></td>${tokens.map(({ text }) => html`<th scope="col">${text}</th>`)}</tr>
    ${tokens.map(({ text }, row) => html`<tr><th scope="row">${text}</th>${tokens.map((_, column) => cell(row, column))}</tr>`)}
  </table>`;
}

export function chosenCell({ page }: ViewContext, length: number): MatrixCell | null {
  const { crosshair } = page.panel;
  return crosshair === null ? null : clampCell(crosshair, { rows: length, columns: length });
}

function moveCell(context: ViewContext, length: number, event: KeyboardEvent): void {
  const action = keyAction(event);
  if (action?.kind !== "move") return;
  event.preventDefault();
  const from = chosenCell(context, length) ?? { row: 0, column: 0 };
  const to = { row: from.row + action.by.row, column: from.column + action.by.column };
  context.dispatch(changeCrosshair(clampCell(to, { rows: length, columns: length })));
}

/** How a shift of all positions changed the scores. */
function shiftEffect(context: ViewContext, kind: ExampleKind): TemplateResult | typeof nothing {
  const { shift } = context.page.panel;
  if (shift === 0) return nothing;
  const typed = typedTokens(context);
  const changed = countChangedByShift(kind, typed, shift);
  const total = typed.length ** 2;
  return html`<p class="verdict">${
    changed === 0
      ? l10n.t("Shifted by {0}: no scores changed.", shift)
      : l10n.t("Shifted by {0}: {1} of {2} scores changed.", shift, changed, total)
  }</p>`;
}

/** How shuffling changed the scores. */
function shuffleEffect(context: ViewContext, kind: ExampleKind): TemplateResult | typeof nothing {
  const typed = typedTokens(context);
  const shown = validOrder(typed, context.page.panel.order);
  if (shown.every((n, at) => n === at)) return nothing;
  const changed = countChangedByOrder(kind, typed, shown);
  const total = typed.length ** 2;
  return changed === 0
    ? html`<p class="verdict">${l10n.t("Shuffled: the same {0} scores, with rows and columns permuted.", total)}</p>`
    : html`<p class="verdict">${l10n.t("Shuffled: {0} of {1} scores changed, so the scores depend on order.", changed, total)}</p>`;
}

/** The bias matrix, which does not depend on the tokens. */
function biasMatrix(
  context: ViewContext,
  bias: ScoreMatrix | undefined,
  tokens: readonly ExampleToken[],
): TemplateResult | typeof nothing {
  if (bias === undefined) return nothing;
  return html`<div class="bias-part"><p class="small-formula" lang="en">b(|i − j|)</p>${scoreTable(context, bias, tokens)}</div>`;
}

export function cardTemplate(context: ViewContext, card: ExampleCard, tokens: readonly ExampleToken[]): TemplateResult {
  const n = tokens.length;
  const { scores, bias } = computeExample(card.kind, tokens, context.page.panel.shift);
  const label = l10n.t("Example, {0}, scores, {1} × {1}", card.title, n);
  return html`<div class="card" role="figure" aria-label=${label} aria-busy="false">
    <h3>${card.title}</h3>
    <div
      class="example-cells"
      role="application"
      tabindex="0"
      aria-label=${`${label}. ${l10n.t("Use the arrow keys to move between cells.")}`}
      @keydown=${(event: KeyboardEvent) => moveCell(context, n, event)}
    >
      <div><p class="small-formula" lang="en">${card.formula}</p>${scoreTable(context, scores, tokens)}</div>
      ${biasMatrix(context, bias, tokens)}
    </div>
    ${shuffleEffect(context, card.kind)} ${shiftEffect(context, card.kind)}
  </div>`;
}

/** Width and height of a cell in exported SVG. */
export const CELL_SIZE = [62, 32] as const;

/** A card as exported SVG. */
export function cardSvg(
  card: ExampleCard,
  tokens: readonly ExampleToken[],
  { place, map, shift }: { readonly place: readonly [number, number]; readonly map: ColourMap; readonly shift: number },
): TemplateResult {
  const { scores } = computeExample(card.kind, tokens, shift);
  const domain = valueDomain(scores.flat());
  const [width, height] = CELL_SIZE;
  const middle = (n: number) => 70 + (n + 0.5) * width;
  const cell = (row: number, column: number) => {
    const value = scores[row]?.[column] ?? 0;
    const { background, text } = tintColours(value, domain, map);
    const y = 66 + row * height;
    return svg`<rect x=${71 + column * width} y=${y + 1} width=${width - 2} height=${height - 2} fill=${background} />
      <text class="digits" x=${middle(column)} y=${y + 20} text-anchor="middle" fill=${text}>${cellDigits(value)}</text>`;
  };
  return svg`<svg class="chart" x=${place[0]} y=${place[1]} width=${90 + tokens.length * width} height=${80 + tokens.length * height}>
    <text class="heading" x="0" y="18">${card.title}</text><text class="tick" x="0" y="36">${card.formula}</text>
    ${tokens.map(
      ({ text }, n) => svg`<text class="tick" x=${middle(n)} y="58" text-anchor="middle">${text}</text>
      <text class="tick" x="62" y=${66 + n * height + 20} text-anchor="end">${text}</text>`,
    )}
    ${tokens.map((_, row) => tokens.map((__, column) => cell(row, column)))}
  </svg>`;
}
