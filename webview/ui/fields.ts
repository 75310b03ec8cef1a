import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { fieldText, grouped, parseNumber } from "../state/format.ts";
import { fill } from "./fill.ts";

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
  /** Text that is no number within the bounds goes nowhere. */
  readonly onNumber: (value: number) => void;
  /** An emptied field; absent: nothing happens. */
  readonly onEmpty?: () => void;
}

/** A field for the page's own numbers (lengths, cells): what does not fit stays typed and is not taken. */
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
    text: grouped(fieldText(value)),
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

const LOG_STEPS = 1000;

function fromLog(position: number, { min, max, integer }: SliderProps): number {
  const value = min * (max / min) ** (position / LOG_STEPS);
  if (position <= 0) return min;
  if (position >= LOG_STEPS) return max;
  // Four digits are as fine as the slider is; more would be noise in the field.
  const rounded = Number(value.toPrecision(4));
  return integer ? Math.round(rounded) : rounded;
}

function toLog(value: number, { min, max }: SliderProps): number {
  const inside = Math.min(max, Math.max(min, value));
  return Math.round((LOG_STEPS * Math.log(inside / min)) / Math.log(max / min));
}

/** A native range input: keyboard, touch and screen readers know it. */
export function slider(props: SliderProps): TemplateResult {
  const log = props.scale === "log" && props.min > 0;
  const moved = (event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const position = event.target.valueAsNumber;
    const value = log ? fromLog(position, props) : position;
    if (value !== props.value) props.onValue(value);
  };
  const step = props.step ?? (props.integer ? 1 : (props.max - props.min) / 1000);
  const position = log ? toLog(props.value, props) : Math.min(props.max, Math.max(props.min, props.value));
  const [low, high] = log ? [0, LOG_STEPS] : [props.min, props.max];
  return html`<input
    type="range"
    aria-label=${props.label}
    aria-valuetext=${grouped(props.value)}
    min=${low}
    max=${high}
    step=${log ? 1 : step}
    .value=${live(String(position))}
    @input=${moved}
    ${fill(high > low ? (position - low) / (high - low) : 0)}
  />`;
}

/** The rule that a value breaks, at its control. */
export function problemText(problem: string | null): TemplateResult | typeof nothing {
  return problem === null ? nothing : html`<p class="problem" role="alert">${t("This value {0}.", problem)}</p>`;
}
