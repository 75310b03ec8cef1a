import * as l10n from "@vscode/l10n";
import type { EncodingPart } from "../../encodings/encoding.ts";
import type { EncodingId } from "../../spec.ts";
import type { RopeScaling } from "../recognise/recognition.ts";

/** A formula of a position encoding. */
export interface RecognisedFormula {
  readonly recogniser: string;
  readonly encoding: EncodingId;
  readonly part: EncodingPart;
  readonly ropeType: RopeScaling | null;
  /** Offsets of the formula in the text, without its delimiters. */
  readonly from: number;
  readonly to: number;
  /** The base, if it is written as a number. */
  readonly base: number | null;
}

interface TexRecogniser {
  readonly id: string;
  readonly encoding: EncodingId;
  readonly part: EncodingPart;
  readonly ropeType?: RopeScaling;
  /** All must match the formula after `normaliseTex`. */
  readonly patterns: readonly RegExp[];
}

/** base^{2i/d}, base^{-2(i-1)/d}, base^{\frac{2i}{d}}, 1/base^{…} */
const BASE_POWER =
  /(?:10\^\{?4\}?|\d[\d,{}]{0,20}|\\?[A-Za-z]{1,20})\^\{?-?(?:\\[dt]?frac)?\{?2\(?[a-zA-Z](?:-1\)?)?\}?[/{]*\{?d/;
const TRIGONOMETRY = /\\(?:sin|cos)/;

/** Common forms of the formulas, most specific first. */
const TEX_RECOGNISERS: readonly TexRecogniser[] = [
  { id: "tex/yarn", encoding: "rope", ropeType: "yarn", part: "scaling", patterns: [/0\.1\\(?:ln|log)\(?s\)?\+1/] },
  {
    id: "tex/ntk",
    encoding: "rope",
    ropeType: "ntk",
    part: "scaling",
    patterns: [/\^\{?(?:\\[dt]?frac\{(?:\|?d\|?|d_[a-z])\}\{(?:\|?d\|?|d_[a-z])-2\}|\(?d\/\(d-2\)\)?)/],
  },
  { id: "tex/alibi", encoding: "alibi", part: "slopes", patterns: [/2\^\{?-(?:8|\\[dt]?frac\{8)/] },
  { id: "tex/alibi-bias", encoding: "alibi", part: "bias", patterns: [/m\\?(?:cdot)?\[-\(i-1\)/] },
  { id: "tex/fire", encoding: "fire", part: "bias", patterns: [/\\psi\((?:i-j|c\(i-j\))\)/, /\\psi\(\\max/] },
  {
    id: "tex/kerple",
    encoding: "kerple",
    part: "bias",
    patterns: [/r_\{?1\}?(?:\\cdot)?\\log\(1\+r_\{?2\}?\|?[a-z]-[a-z]/],
  },
  { id: "tex/shaw", encoding: "shaw", part: "relative table", patterns: [/clip\([ji]-[ij],-?k/] },
  { id: "tex/transformer-xl", encoding: "transformer_xl", part: "distances", patterns: [/R_\{?i-j\}?/] },
  {
    id: "tex/t5",
    encoding: "t5_bias",
    part: "buckets",
    patterns: [/\\(?:ln|log)/, /max\\?_?\{?distance|num\\?_?\{?buckets/],
  },
  {
    id: "tex/rope-frequencies",
    encoding: "rope",
    part: "inverse frequencies",
    patterns: [/\\(?:theta|Theta|omega)_?\{?[a-z]?\}?=/, BASE_POWER],
  },
  {
    id: "tex/rope-matrix",
    encoding: "rope",
    part: "rotation",
    patterns: [/R(?:\^d)?_\{(?:\\Theta,)?[mnji](?:-[mnij])?\}|\\cos(?:\()?[mn]\\theta/, /\\(?:theta|Theta)/],
  },
  {
    id: "tex/rope-complex",
    encoding: "rope",
    part: "rotation",
    patterns: [/e\^\{(?:i|\\mathrm\{i\}|j)(?:[mn]|\([mn]-[mn]\))\\(?:theta|omega)/],
  },
  { id: "tex/sinusoidal", encoding: "sinusoidal", part: "table", patterns: [TRIGONOMETRY, BASE_POWER] },
];

const MAX_FORMULA_LENGTH = 3000;

/** Recognises the formula around an offset of a TeX or Markdown text; null if it is not a position encoding. */
export function recogniseFormulaAt(text: string, offset: number): RecognisedFormula | null {
  const span = findFormulaAround(text, offset);
  if (span === null) return null;
  const plain = normaliseTex(text.slice(span.from, span.to));
  const recogniser = TEX_RECOGNISERS.find((candidate) => candidate.patterns.every((pattern) => pattern.test(plain)));
  if (recogniser === undefined) return null;
  return {
    recogniser: recogniser.id,
    encoding: recogniser.encoding,
    part: recogniser.part,
    ropeType: recogniser.ropeType ?? null,
    ...span,
    base: parseBase(plain),
  };
}

/** Removes spaces, sizes and upright fonts, which do not change a formula. */
function normaliseTex(tex: string): string {
  return tex
    .replace(/(?<!\\)%.*$/gm, "")
    .replace(
      /\\(?:left|right|big|Big|bigg|Bigg|displaystyle|limits|quad|qquad|boldsymbol|mathbf|bm|,|;|!|:)(?![A-Za-z])/g,
      "",
    )
    .replace(/\\(?:mathrm|text|operatorname|mathit|mathsf|textrm|textit|rm)\*?\s*\{([^{}]*)\}/g, "$1")
    .replace(/[\s&]+/g, "")
    .replace(/d_\{?(?:model|head|k|h|text\{model\})\}?/g, "d")
    .replace(/\{\\(?:theta|Theta)\}/g, "\\theta");
}

function parseBase(plain: string): number | null {
  const match = /(10\^\{?4\}?|\d[\d,{}]{2,20})\^/.exec(plain);
  if (match === null) return null;
  const digits = (match[1] ?? "").replace(/[^\d^]/g, "");
  return digits === "10^4" ? 10_000 : Number(digits);
}

const FORMULA_ENVIRONMENT =
  /\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math|aligned|split|cases)(\*?)\}/g;

/** Offsets of the formula around an offset; null outside of formulas. */
function findFormulaAround(text: string, offset: number): { from: number; to: number } | null {
  const start = Math.max(0, offset - MAX_FORMULA_LENGTH);
  const near = text.slice(start, Math.min(text.length, offset + MAX_FORMULA_LENGTH));
  const at = offset - start;
  for (const { from, to } of [...findEnvironments(near), ...findDelimited(near)]) {
    if (from <= at && at <= to) return { from: from + start, to: to + start };
  }
  return null;
}

function* findEnvironments(text: string): Iterable<{ from: number; to: number }> {
  for (const match of text.matchAll(FORMULA_ENVIRONMENT)) {
    const from = match.index + match[0].length;
    const to = text.indexOf(`\\end{${match[1] ?? ""}${match[2] ?? ""}}`, from);
    if (to >= 0) yield { from, to };
  }
}

const DELIMITED_FORMULA =
  /\\\[([\s\S]*?)\\\]|\\\(([\s\S]*?)\\\)|(?<!\\)\$\$([\s\S]*?)(?<!\\)\$\$|(?<![\\$])\$(?!\$)((?:[^$\n]|\n(?!\n))*?)(?<!\\)\$(?!\$)/g;

function* findDelimited(text: string): Iterable<{ from: number; to: number }> {
  for (const match of text.matchAll(DELIMITED_FORMULA)) {
    const inner = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
    const from = match.index + match[0].indexOf(inner, 1);
    yield { from, to: from + inner.length };
  }
}

/** Note for a value that was read from a formula. */
export function formulaNote(): string {
  return l10n.t("in the formula");
}
