import type { LiteElement } from "@mathjax/src/js/adaptors/lite/Element.js";
import { liteAdaptor } from "@mathjax/src/js/adaptors/liteAdaptor.js";
import { STATE } from "@mathjax/src/js/core/MathItem.js";
import { SerializedMmlVisitor } from "@mathjax/src/js/core/MmlTree/SerializedMmlVisitor.js";
import { RegisterHTMLHandler } from "@mathjax/src/js/handlers/html.js";
import { TeX } from "@mathjax/src/js/input/tex.js";
import { mathjax } from "@mathjax/src/js/mathjax.js";
import { SVG } from "@mathjax/src/js/output/svg.js";
import "@mathjax/src/js/util/asyncLoad/esm.js";
import "@mathjax/src/js/input/tex/ams/AmsConfiguration.js";
import "@mathjax/src/js/input/tex/base/BaseConfiguration.js";
import { minifySvg, type SizedSvg } from "./minifySvg.ts";

/** A hover beside an open panel is about 500 px wide, with text 13 px high. */
const PIXELS_PER_EM = 17;
const MAX_WIDTH = 440;

export interface Typeset extends SizedSvg {
  /** Content of a `math` element. */
  readonly mathml: string;
}

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const document = mathjax.document("", {
  InputJax: new TeX({
    packages: ["base", "ams"],
    formatError: (_: unknown, error: Error) => {
      throw error;
    },
  }),
  OutputJax: new SVG({ fontCache: "local", displayOverflow: "overflow", linebreaks: { inline: false } }),
});

/** Browsers support mathematical alphabets only as code points. */
const ALPHABETS: Readonly<Record<string, { readonly upper: number; readonly lower: number }>> = {
  bold: { upper: 0x1d400, lower: 0x1d41a },
  "double-struck": { upper: 0x1d538, lower: 0x1d552 },
  script: { upper: 0x1d49c, lower: 0x1d4b6 },
};

/** Letters that Unicode encodes outside the mathematical alphabets. */
const LETTERLIKE_SYMBOLS: Readonly<Record<string, string>> = {
  "double-struck C": "ℂ",
  "double-struck N": "ℕ",
  "double-struck R": "ℝ",
  "double-struck Z": "ℤ",
  "script B": "ℬ",
  "script L": "ℒ",
  "script R": "ℛ",
};

function mathLetter(variant: string, letter: string): string {
  const alphabet = ALPHABETS[variant];
  if (alphabet === undefined) throw new Error(`MathML has no letters for mathvariant ${variant}`);
  const code = letter.charCodeAt(0);
  const upper = code < 97;
  const shifted = upper ? alphabet.upper + code - 65 : alphabet.lower + code - 97;
  return LETTERLIKE_SYMBOLS[`${variant} ${letter}`] ?? String.fromCodePoint(shifted);
}

/** Adds TeX's thin spaces around functions ("0.1 ln s"), which browsers omit. */
function addFunctionSpaces(text: string): string {
  return text
    .replace(/<mo>&#x2061;<\/mo>(?!<mo[^>]*>\()/g, '<mo rspace="0.167em">&#x2061;</mo>')
    .replace(/(<\/m(?:i|n|sub)>)(<mi>\w{2,}<\/mi><mo[^>]*>&#x2061;)/g, '$1<mspace width="0.167em"></mspace>$2');
}

/**
 * The content of a `math` element, in as few bytes as mean the same: the page has all formulas.
 * @param text MathML in HTML syntax, where elements without content close themselves
 */
function shortenMathml(text: string): string {
  return (
    text
      .replace(/^<math[^>]*>|<\/math>$/g, "")
      .replace(/&#x([0-9A-F]+);/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      // Only letters are slanted.
      .replace(/<mi mathvariant="normal">(\P{L})<\/mi>/gu, "<mi>$1</mi>")
      .replace(/<mrow>(<m[in](?: [^>]*)?>[^<]*<\/m[in]>)<\/mrow>/g, "$1")
      .replace(/<(mspace|mi|mtd)([^>]*)><\/\1>/g, "<$1$2/>")
      .replace(/<mstyle scriptlevel="0">(<mspace[^>]*\/>)<\/mstyle>/g, "$1")
  );
}

function compactMathml(text: string): string {
  const compact = text
    .replace(/ data-[a-z-]+="[^"]*"/g, "")
    .replace(/<mi mathvariant="(?!normal)([a-z-]+)">([A-Za-z])<\/mi>/g, (_, variant, letter) => {
      return `<mi>${mathLetter(variant, letter)}</mi>`;
    })
    .replace(/>\s+</g, "><")
    .trim();
  return shortenMathml(addFunctionSpaces(compact));
}

/** @throws Error with TeX's message */
export async function typeset(tex: string): Promise<Typeset> {
  const options = { display: true, em: 16, ex: 8, containerWidth: 1e6 };
  const container: LiteElement = await document.convertPromise(tex, options);
  const picture = adaptor.tags(container, "svg")[0];
  if (picture === undefined) throw new Error(`MathJax made no picture of ${tex}`);
  const tree = await document.convertPromise(tex, { ...options, end: STATE.CONVERT });
  const mathml = compactMathml(new SerializedMmlVisitor().visitTree(tree));
  return { ...minifySvg(adaptor.outerHTML(picture), PIXELS_PER_EM, MAX_WIDTH), mathml };
}
