import { t } from "@vscode/l10n";
import type { EncodingId } from "../../spec.ts";
import type { RopeType, Subject } from "../recognise/recogniser.ts";

/** What a formula is about. */
export interface TexFinding {
  readonly recogniser: string;
  readonly encoding: EncodingId;
  readonly subject: Subject;
  readonly ropeType: RopeType | null;
  /** Offsets of the formula in the text, without its delimiters. */
  readonly from: number;
  readonly to: number;
  /** A number for the base, where one is written. */
  readonly base: number | null;
}

interface TexRecogniser {
  readonly id: string;
  readonly encoding: EncodingId;
  readonly subject: Subject;
  readonly ropeType?: RopeType;
  /** All of them must occur in the formula without spaces and sizes. */
  readonly shapes: readonly RegExp[];
}

/** base^{2i/d}, base^{-2(i-1)/d}, base^{\frac{2i}{d}}, 1/base^{…} */
const POWER = /(?:10\^\{?4\}?|\d[\d,{}]*|\\?[A-Za-z]+)\^\{?-?(?:\\[dt]?frac)?\{?2\(?[a-zA-Z](?:-1\)?)?\}?[/{]*\{?d/;
const TRIGONOMETRY = /\\(?:sin|cos)/;

/** Common forms of the formulas, most telling first. */
const TEX_RECOGNISERS: readonly TexRecogniser[] = [
  { id: "tex/yarn", encoding: "rope", ropeType: "yarn", subject: "scaling", shapes: [/0\.1\\(?:ln|log)\(?s\)?\+1/] },
  {
    id: "tex/ntk",
    encoding: "rope",
    ropeType: "ntk",
    subject: "scaling",
    shapes: [/\^\{?(?:\\[dt]?frac\{(?:\|?d\|?|d_[a-z])\}\{(?:\|?d\|?|d_[a-z])-2\}|\(?d\/\(d-2\)\)?)/],
  },
  { id: "tex/alibi", encoding: "alibi", subject: "slopes", shapes: [/2\^\{?-(?:8|\\[dt]?frac\{8)/] },
  { id: "tex/alibi-bias", encoding: "alibi", subject: "bias", shapes: [/m\\?(?:cdot)?\[-\(i-1\)/] },
  { id: "tex/fire", encoding: "fire", subject: "bias", shapes: [/\\psi\((?:i-j|c\(i-j\))\)/, /\\psi\(\\max/] },
  {
    id: "tex/kerple",
    encoding: "kerple",
    subject: "bias",
    shapes: [/r_\{?1\}?(?:\\cdot)?\\log\(1\+r_\{?2\}?\|?[a-z]-[a-z]/],
  },
  { id: "tex/shaw", encoding: "shaw", subject: "relative table", shapes: [/clip\([ji]-[ij],-?k/] },
  { id: "tex/transformer-xl", encoding: "transformer_xl", subject: "distances", shapes: [/R_\{?i-j\}?/] },
  {
    id: "tex/t5",
    encoding: "t5_bias",
    subject: "buckets",
    shapes: [/\\(?:ln|log)/, /max\\?_?\{?distance|num\\?_?\{?buckets/],
  },
  {
    id: "tex/rope-frequencies",
    encoding: "rope",
    subject: "inverse frequencies",
    shapes: [/\\(?:theta|Theta|omega)_?\{?[a-z]?\}?=/, POWER],
  },
  {
    id: "tex/rope-matrix",
    encoding: "rope",
    subject: "rotation",
    shapes: [/R(?:\^d)?_\{(?:\\Theta,)?[mnji](?:-[mnij])?\}|\\cos(?:\()?[mn]\\theta/, /\\(?:theta|Theta)/],
  },
  {
    id: "tex/rope-complex",
    encoding: "rope",
    subject: "rotation",
    shapes: [/e\^\{(?:i|\\mathrm\{i\}|j)(?:[mn]|\([mn]-[mn]\))\\(?:theta|omega)/],
  },
  { id: "tex/sinusoidal", encoding: "sinusoidal", subject: "table", shapes: [TRIGONOMETRY, POWER] },
];

const MAX_FORMULA = 3000;

/** The formula of a position encoding around an offset of a TeX or Markdown text. */
export function texAt(text: string, offset: number): TexFinding | null {
  const span = formulaAround(text, offset);
  if (span === null) return null;
  const plain = normalised(text.slice(span.from, span.to));
  const found = TEX_RECOGNISERS.find((candidate) => candidate.shapes.every((shape) => shape.test(plain)));
  if (found === undefined) return null;
  return {
    recogniser: found.id,
    encoding: found.encoding,
    subject: found.subject,
    ropeType: found.ropeType ?? null,
    ...span,
    base: baseOf(plain),
  };
}

/** Spaces, sizes and upright fonts do not change a formula. */
function normalised(tex: string): string {
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

function baseOf(plain: string): number | null {
  const match = /(10\^\{?4\}?|\d[\d,{}]{2,})\^/.exec(plain);
  if (match === null) return null;
  const digits = (match[1] ?? "").replace(/[^\d^]/g, "");
  return digits === "10^4" ? 10_000 : Number(digits);
}

const ENVIRONMENT = /\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math|aligned|split|cases)(\*?)\}/g;

/** Offsets of the formula that an offset lies in; null outside of formulas, in comments and in code. */
function formulaAround(text: string, offset: number): { from: number; to: number } | null {
  const start = Math.max(0, offset - MAX_FORMULA);
  const near = text.slice(start, Math.min(text.length, offset + MAX_FORMULA));
  const at = offset - start;
  for (const { from, to } of [...environments(near), ...delimited(near)]) {
    if (from <= at && at <= to) return { from: from + start, to: to + start };
  }
  return null;
}

function* environments(text: string): Iterable<{ from: number; to: number }> {
  for (const match of text.matchAll(ENVIRONMENT)) {
    const from = match.index + match[0].length;
    const to = text.indexOf(`\\end{${match[1] ?? ""}${match[2] ?? ""}}`, from);
    if (to >= 0) yield { from, to };
  }
}

const DELIMITED =
  /\\\[([\s\S]*?)\\\]|\\\(([\s\S]*?)\\\)|(?<!\\)\$\$([\s\S]*?)(?<!\\)\$\$|(?<![\\$])\$(?!\$)((?:[^$\n]|\n(?!\n))*?)(?<!\\)\$(?!\$)/g;

function* delimited(text: string): Iterable<{ from: number; to: number }> {
  for (const match of text.matchAll(DELIMITED)) {
    const inner = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
    const from = match.index + match[0].indexOf(inner, 1);
    yield { from, to: from + inner.length };
  }
}

/** The note beside a value that was read from a formula. */
export function texNote(): string {
  return t("in the formula");
}
