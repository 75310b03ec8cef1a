import { html, mathml, type TemplateResult } from "lit-html";
import type { CellReading } from "../../../src/core/terms/engine.ts";
import { scaleParts } from "../../../src/core/terms/softmaxScale.ts";
import { significant } from "../../state/format.ts";

/** The logit of a cell written out: every factor of every term, as plain text and as MathML. */

const DIGITS = 8;

type Part = ReturnType<typeof scaleParts>[number];

/** "1.138629² (YaRN)" without its name: a formula has room for numbers. */
function bare(text: string): string {
  return text.replace(/\s*\([^)]*\)$/, "");
}

function shownTerms({ terms }: CellReading) {
  return terms.flatMap(({ term, value }) => (value === null ? [] : [{ value, parts: scaleParts(term) }]));
}

function inBrackets(value: number): string {
  const number = significant(value, 6);
  return value < 0 ? `(${number})` : number;
}

/** "logit = 1/√128 × 1.138629² × 69.1243 = 7.9211913" */
export function sumText(reading: CellReading): string {
  const terms = shownTerms(reading).map(({ value, parts }) =>
    [...parts.map(({ text }) => bare(text)), inBrackets(value)].join(" × "),
  );
  return `logit = ${terms.join(" + ")} = ${significant(reading.logit, DIGITS)}`;
}

function partMath({ text }: Part): TemplateResult {
  const root = /^1\/√(\d+)$/.exec(bare(text));
  if (root !== null) return mathml`<mfrac><mn>1</mn><msqrt><mn>${root[1]}</mn></msqrt></mfrac>`;
  const square = /^([\d.]+)²$/.exec(bare(text));
  return square === null ? mathml`<mn>${bare(text)}</mn>` : mathml`<msup><mn>${square[1]}</mn><mn>2</mn></msup>`;
}

function numberMath(value: number): TemplateResult {
  const number = mathml`<mn>${significant(Math.abs(value), 6)}</mn>`;
  return value < 0 ? mathml`<mrow><mo form="prefix">−</mo>${number}</mrow>` : number;
}

function inBracketsMath(value: number): TemplateResult {
  const number = numberMath(value);
  return value < 0 ? mathml`<mo stretchy="false">(</mo>${number}<mo stretchy="false">)</mo>` : number;
}

/** The same as MathML, each summand in a row of its own: they go on in a second line where there is little room. */
export function sumMath(reading: CellReading): TemplateResult {
  const times = mathml`<mo>×</mo>`;
  const terms = shownTerms(reading).map(({ value, parts }, n) => {
    const sign = n === 0 ? "" : mathml`<mo form="infix">+</mo>`;
    return mathml`<mrow>${sign}${parts.map((part) => mathml`${partMath(part)}${times}`)}${inBracketsMath(value)}</mrow>`;
  });
  const result = mathml`<mrow><mo form="infix">=</mo>${numberMath(reading.logit)}</mrow>`;
  return html`<math display="block" class="sum"><mrow><mi>logit</mi><mo form="infix">=</mo></mrow>${terms}${result}</math>`;
}
