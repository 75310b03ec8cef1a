import { html, mathml, type TemplateResult } from "lit-html";
import type { CellReading } from "../../../src/core/terms/engine.ts";
import { resolveScaleParts } from "../../../src/core/terms/softmaxScale.ts";
import { formatSignificant } from "../../ui/format.ts";

/** The logit of a cell written out: every factor of every term, as plain text and as MathML. */

const LOGIT_DIGITS = 8;

type ScalePart = ReturnType<typeof resolveScaleParts>[number];

/** "1.138629² (YaRN)" without the name, for which a formula has no room. */
function withoutName(text: string): string {
  return text.replace(/\s*\([^)]*\)$/, "");
}

function presentTerms({ terms }: CellReading) {
  return terms.flatMap(({ term, value }) => (value === null ? [] : [{ value, parts: resolveScaleParts(term) }]));
}

function inBrackets(value: number): string {
  const number = formatSignificant(value, 6);
  return value < 0 ? `(${number})` : number;
}

/** "logit = 1/√128 × 1.138629² × 69.1243 = 7.9211913" */
export function expansionText(reading: CellReading): string {
  const terms = presentTerms(reading).map(({ value, parts }) =>
    [...parts.map(({ text }) => withoutName(text)), inBrackets(value)].join(" × "),
  );
  return `logit = ${terms.join(" + ")} = ${formatSignificant(reading.logit, LOGIT_DIGITS)}`;
}

function scaleMath({ text }: ScalePart): TemplateResult {
  const root = /^1\/√(\d+)$/.exec(withoutName(text));
  if (root !== null) return mathml`<mfrac><mn>1</mn><msqrt><mn>${root[1]}</mn></msqrt></mfrac>`;
  const square = /^([\d.]+)²$/.exec(withoutName(text));
  return square === null ? mathml`<mn>${withoutName(text)}</mn>` : mathml`<msup><mn>${square[1]}</mn><mn>2</mn></msup>`;
}

function numberMath(value: number): TemplateResult {
  const number = mathml`<mn>${formatSignificant(Math.abs(value), 6)}</mn>`;
  return value < 0 ? mathml`<mrow><mo form="prefix">−</mo>${number}</mrow>` : number;
}

function inBracketsMath(value: number): TemplateResult {
  const number = numberMath(value);
  return value < 0 ? mathml`<mo stretchy="false">(</mo>${number}<mo stretchy="false">)</mo>` : number;
}

/** The same as MathML. Each summand is its own row, so that lines can break between them. */
export function expansionMath(reading: CellReading): TemplateResult {
  const times = mathml`<mo>×</mo>`;
  const terms = presentTerms(reading).map(({ value, parts }, n) => {
    const sign = n === 0 ? "" : mathml`<mo form="infix">+</mo>`;
    return mathml`<mrow>${sign}${parts.map((part) => mathml`${scaleMath(part)}${times}`)}${inBracketsMath(value)}</mrow>`;
  });
  const result = mathml`<mrow><mo form="infix">=</mo>${numberMath(reading.logit)}</mrow>`;
  return html`<math display="block" class="sum"><mrow><mi>logit</mi><mo form="infix">=</mo></mrow>${terms}${result}</math>`;
}
