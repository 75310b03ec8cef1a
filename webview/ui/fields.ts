import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { css } from "./css.ts";
import { fieldText, groupDigits, parseNumber } from "./format.ts";
import "./fields.css";

export interface TextProps {
  readonly label: string;
  readonly text: string;
  readonly invalid?: boolean;
  readonly hint?: string;
  readonly onText: (text: string) => void;
}

export function textField({ label, text, invalid = false, hint = "", onText }: TextProps): TemplateResult {
  const typed = (event: CustomEvent<string>) => onText(event.detail);
  return html`<posenc-text .label=${label} .hint=${hint} .invalid=${invalid} .text=${text} @typed=${typed}></posenc-text>`;
}

export interface NumberProps {
  readonly label: string;
  readonly value: number | null;
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
  readonly hint?: string;
  /** Not called for text that is not a number within the bounds. */
  readonly onNumber: (value: number) => void;
  /** Called when the field is emptied. */
  readonly onEmpty?: () => void;
}

/** A number field. Invalid text stays in the field and is not reported. */
export function numberField(props: NumberProps): TemplateResult {
  const { label, value, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = true } = props;
  const onText = (text: string) => {
    if (text.trim() === "") props.onEmpty?.();
    const number = parseNumber(text);
    if (number === undefined || number < min || number > max || (integer && !Number.isInteger(number))) return;
    if (number !== value) props.onNumber(number);
  };
  return textField({
    label,
    text: groupDigits(fieldText(value)),
    onText,
    ...(props.hint === undefined ? {} : { hint: props.hint }),
  });
}

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly scale: "linear" | "log";
  readonly integer: boolean;
  readonly onValue: (value: number) => void;
}

const LOG_SLIDER_STEPS = 1000;

function sliderToValue(position: number, { min, max, integer }: SliderProps): number {
  const value = min * (max / min) ** (position / LOG_SLIDER_STEPS);
  if (position <= 0) return min;
  if (position >= LOG_SLIDER_STEPS) return max;
  // The slider is not finer than four digits.
  const rounded = Number(value.toPrecision(4));
  return integer ? Math.round(rounded) : rounded;
}

function valueToSlider(value: number, { min, max }: SliderProps): number {
  const inside = Math.min(max, Math.max(min, value));
  return Math.round((LOG_SLIDER_STEPS * Math.log(inside / min)) / Math.log(max / min));
}

/** A native range input, for keyboard, touch and screen readers. */
export function slider(props: SliderProps): TemplateResult {
  const log = props.scale === "log" && props.min > 0;
  const onInput = (event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const position = event.target.valueAsNumber;
    const value = log ? sliderToValue(position, props) : position;
    if (value !== props.value) props.onValue(value);
  };
  const step = props.step ?? (props.integer ? 1 : (props.max - props.min) / 1000);
  const position = log ? valueToSlider(props.value, props) : Math.min(props.max, Math.max(props.min, props.value));
  const [low, high] = log ? [0, LOG_SLIDER_STEPS] : [props.min, props.max];
  const filled = high > low ? (100 * (position - low)) / (high - low) : 0;
  return html`<input
    type="range"
    aria-label=${props.label}
    aria-valuetext=${groupDigits(props.value)}
    min=${low}
    max=${high}
    step=${log ? 1 : step}
    .value=${live(String(position))}
    @input=${onInput}
    ${css({ "--fill": `${filled.toFixed(2)}%` })}
  />`;
}

/** The rule that a value violates, below its control. */
export function problemText(problem: string | null): TemplateResult | typeof nothing {
  return problem === null ? nothing : html`<p class="problem" role="alert">${l10n.t("This value {0}.", problem)}</p>`;
}
