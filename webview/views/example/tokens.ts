import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { LONGEST, setField } from "../../state/reducers.ts";
import { numberField, textField } from "../../ui/fields.ts";
import { button } from "../../ui/toolkit.ts";
import type { ViewContext } from "../view.ts";
import { type ExampleToken, orderOf, shuffled, tokensWith } from "./model.ts";

const MOST_TOKENS = 8;

/** The tokens as typed; the order of a shuffle comes on top. */
export function typedTokens({ page }: ViewContext): readonly ExampleToken[] {
  return tokensWith(page.panel.tokens, page.panel.vectors);
}

/** The tokens in the order that is shown. */
export function shownTokens(context: ViewContext): readonly ExampleToken[] {
  const typed = typedTokens(context);
  return orderOf(typed, context.page.panel.order).flatMap((n) => typed[n] ?? []);
}

type Texts = Pick<PanelState, "tokens" | "vectors">;

function setTexts({ dispatch }: ViewContext, change: (state: PanelState) => Texts): void {
  dispatch((state) => ({ ...state, ...change(state), order: [] }));
}

/** A list as long as the tokens, with one entry another. */
function withVector({ tokens, vectors }: Texts, n: number, vector: [number, number] | null): PanelState["vectors"] {
  return tokens.map((_, m) => (m === n ? vector : (vectors[m] ?? null)));
}

function tokenField(context: ViewContext, { text, vector }: ExampleToken, n: number): TemplateResult {
  const own = context.page.panel.vectors[n] ?? null;
  const setPart = (part: 0 | 1, value: number) =>
    setTexts(context, (state) => {
      // From where the state is: the other part may have been written since the page was drawn.
      const [a = 0, b = 0] = tokensWith(state.tokens, state.vectors)[n]?.vector ?? [];
      const next: [number, number] = part === 0 ? [value, b] : [a, value];
      return { tokens: state.tokens, vectors: withVector(state, n, next) };
    });
  const part = (index: 0 | 1) =>
    numberField({
      label: t("Vector of token {0}, component {1}", n + 1, index + 1),
      value: vector[index] ?? 0,
      integer: false,
      min: -1000,
      max: 1000,
      onNumber: (value) => setPart(index, value),
    });
  return html`<div class="token" role="group" aria-label=${t("Token {0}", n + 1)}>
    ${textField({
      label: t("Token {0}", n + 1),
      text,
      onText: (typed) =>
        setTexts(context, (state) => ({
          tokens: state.tokens.map((other, m) => (m === n ? typed : other)),
          vectors: state.vectors,
        })),
    })}
    <span class="token-vector">${part(0)}${part(1)}</span>
    ${
      own === null
        ? ""
        : button({
            label: t("Reset the vector of this token"),
            glyph: "↺",
            look: "icon",
            onClick: () =>
              setTexts(context, (state) => ({ tokens: state.tokens, vectors: withVector(state, n, null) })),
          })
    }
  </div>`;
}

/** Each token with the two numbers of its vector, and what shuffles them. */
export function tokenFields(context: ViewContext): TemplateResult {
  const { dispatch, page } = context;
  const { tokens, order } = page.panel;
  const typed = typedTokens(context);
  const shown = orderOf(typed, order);
  const add = () => setTexts(context, ({ tokens, vectors }) => ({ tokens: [...tokens, "pears"], vectors }));
  const remove = () =>
    setTexts(context, ({ tokens, vectors }) => ({
      tokens: tokens.slice(0, -1),
      vectors: vectors.slice(0, tokens.length - 1),
    }));
  return html`<div class="tokens">
    ${typed.map((token, n) => tokenField(context, token, n))}
    <span class="token-tools">
      ${button({ label: t("Add token"), glyph: "+", look: "icon", disabled: tokens.length >= MOST_TOKENS, onClick: add })}
      ${button({ label: t("Remove token"), glyph: "−", look: "icon", disabled: tokens.length <= 2, onClick: remove })}
      ${button({ label: t("Shuffle tokens"), onClick: () => dispatch(setField("order", shuffled(shown))) })}
      ${button({ label: t("Original order"), disabled: order.length === 0, onClick: () => dispatch(setField("order", [])) })}
      <span class="chart-tools"><span class="tool"><span class="name">${t("shift both by")}</span>${numberField({
        label: t("shift both by"),
        value: page.panel.shift,
        min: 0,
        max: LONGEST,
        onNumber: (by) => dispatch(setField("shift", by)),
      })}</span></span>
    </span>
  </div>`;
}
