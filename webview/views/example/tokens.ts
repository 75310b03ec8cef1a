import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import {
  MAX_SEQUENCE_LENGTH,
  MAX_VECTOR_COMPONENT,
  MAX_WORD_LENGTH,
  type PanelState,
} from "../../../src/core/protocol/state.ts";
import { setField } from "../../state/reducers.ts";
import { numberField, textField } from "../../ui/fields.ts";
import { button } from "../../ui/toolkit.ts";
import type { ViewContext } from "../view.ts";
import { buildTokens, type ExampleToken, nextOrder, validOrder } from "./computeExample.ts";

/** Each pair of tokens has its score in four tables. Further words of the content are left out here. */
const MAX_TOKENS = 8;

/** The tokens as typed, before shuffling. */
export function typedTokens({ page }: ViewContext): readonly ExampleToken[] {
  return buildTokens(page.panel.tokens.slice(0, MAX_TOKENS), page.panel.vectors);
}

/** The tokens in the displayed order. */
export function shownTokens(context: ViewContext): readonly ExampleToken[] {
  const typed = typedTokens(context);
  return validOrder(typed, context.page.panel.order).flatMap((n) => typed[n] ?? []);
}

type TokenInputs = Pick<PanelState, "tokens" | "vectors">;

function setTokens({ dispatch }: ViewContext, change: (state: PanelState) => TokenInputs): void {
  dispatch((state) => ({ ...state, ...change(state), order: [] }));
}

/** The vectors with one entry replaced, as many as tokens. */
function replaceVector(
  { tokens, vectors }: TokenInputs,
  n: number,
  vector: [number, number] | null,
): PanelState["vectors"] {
  return tokens.map((_, m) => (m === n ? vector : (vectors[m] ?? null)));
}

function tokenField(context: ViewContext, { text, vector }: ExampleToken, n: number): TemplateResult {
  const customVector = context.page.panel.vectors[n] ?? null;
  const setPart = (part: 0 | 1, value: number) =>
    setTokens(context, (state) => {
      // Reads the current state, because the other part may have changed since the page was drawn.
      const [a = 0, b = 0] = buildTokens(state.tokens, state.vectors)[n]?.vector ?? [];
      const next: [number, number] = part === 0 ? [value, b] : [a, value];
      return { tokens: state.tokens, vectors: replaceVector(state, n, next) };
    });
  const part = (index: 0 | 1) =>
    numberField({
      label: l10n.t("Vector of token {0}, component {1}", n + 1, index + 1),
      value: vector[index] ?? 0,
      integer: false,
      min: -MAX_VECTOR_COMPONENT,
      max: MAX_VECTOR_COMPONENT,
      onNumber: (value) => setPart(index, value),
    });
  return html`<div class="token" role="group" aria-label=${l10n.t("Token {0}", n + 1)}>
    ${textField({
      label: l10n.t("Token {0}", n + 1),
      text,
      onText: (typed) =>
        setTokens(context, (state) => ({
          tokens: state.tokens.map((other, m) => (m === n ? typed.slice(0, MAX_WORD_LENGTH) : other)),
          vectors: state.vectors,
        })),
    })}
    <span class="token-vector">${part(0)}${part(1)}</span>
    ${
      customVector === null
        ? ""
        : button({
            label: l10n.t("Reset the vector of this token"),
            glyph: "↺",
            look: "icon",
            onClick: () =>
              setTokens(context, (state) => ({ tokens: state.tokens, vectors: replaceVector(state, n, null) })),
          })
    }
  </div>`;
}

/** Fields for each token and its vector, with the buttons to add, remove and shuffle. */
export function tokenFields(context: ViewContext): TemplateResult {
  const { dispatch, page } = context;
  const { tokens, order } = page.panel;
  const typed = typedTokens(context);
  const shown = validOrder(typed, order);
  const add = () => setTokens(context, ({ tokens, vectors }) => ({ tokens: [...tokens, "pears"], vectors }));
  const remove = () =>
    setTokens(context, ({ tokens, vectors }) => ({
      tokens: tokens.slice(0, -1),
      vectors: vectors.slice(0, tokens.length - 1),
    }));
  return html`<div class="tokens">
    ${typed.map((token, n) => tokenField(context, token, n))}
    <span class="token-tools">
      ${button({ label: l10n.t("Add token"), glyph: "+", look: "icon", disabled: tokens.length >= MAX_TOKENS, onClick: add })}
      ${button({ label: l10n.t("Remove token"), glyph: "−", look: "icon", disabled: tokens.length <= 2, onClick: remove })}
      ${button({ label: l10n.t("Shuffle tokens"), onClick: () => dispatch(setField("order", nextOrder(shown))) })}
      ${button({ label: l10n.t("Original order"), disabled: order.length === 0, onClick: () => dispatch(setField("order", [])) })}
      <span class="chart-tools"><span class="tool"><span class="name">${l10n.t("shift both by")}</span>${numberField({
        label: l10n.t("shift both by"),
        value: page.panel.shift,
        min: 0,
        max: MAX_SEQUENCE_LENGTH,
        onNumber: (by) => dispatch(setField("shift", by)),
      })}</span></span>
    </span>
  </div>`;
}
