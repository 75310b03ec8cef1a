import { t } from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { pairsOf } from "../../../src/core/encodings/rope/rotation.ts";
import type { Layout } from "../../../src/core/spec.ts";
import { significant } from "../../state/format.ts";
import { type RotationModel, type SmallHead, spread } from "./model.ts";

const DIGITS = 10;

function equality(values: readonly number[]): TemplateResult {
  const difference = spread(values);
  const size = Math.max(...values.map(Math.abs));
  const text =
    difference === 0
      ? t("Bit-identical.")
      : t("Equal up to float64 rounding (difference {0}).", significant(difference, 2));
  return html`<p class="verdict">${difference <= 1e-6 * Math.max(1, size) ? text : t("Not equal (difference {0}).", significant(difference, 3))}</p>`;
}

function valueRow(name: unknown, formula: string, value: number): TemplateResult {
  return html`<tr><th scope="row">${name}</th><td class="plain-formula" lang="en">${formula}</td><td class="number" title=${String(value)}>${significant(value, DIGITS)}</td></tr>`;
}

/** The two-dimensional proof, evaluated for the chosen pair. */
export function proofPart({ proof, pair }: RotationModel): TemplateResult {
  const names = {
    rotated_product: t("as vectors"),
    complex_product: t("as complex numbers"),
    relative: t("only m − n remains"),
  };
  return html`<section aria-label=${t("Proof in two dimensions")}>
    <h3>${t("Proof in two dimensions, pair {0}", pair)}</h3>
    <table class="forms">${proof.map(({ id, text, value }) => valueRow(names[id], text, value))}</table>
    ${equality(proof.map(({ value }) => value))}
  </section>`;
}

/** The score of all pairs in each of the equal forms. */
export function formsPart({ forms, pairCount }: RotationModel): TemplateResult {
  return html`<section aria-label=${t("Equivalent forms of the whole head")}>
    <h3>${t("All {0} pairs, in each form", pairCount)}</h3>
    <table class="forms">
      ${valueRow(t("block-diagonal matrices"), "(R_m q) · (R_n k)", forms.matrix)}
      ${valueRow(t("element by element"), "(q ⊙ cos + swap(q) ⊙ sin) · …", forms.elementwise)}
      ${valueRow(t("single matrix R_(n−m)"), "q · (R_(n−m) k)", forms.relative)}
      ${valueRow(t("complex numbers"), "Σ Re[q k* e^(i(m−n)ω)]", forms.complex)}
    </table>
    ${equality(Object.values(forms))}
  </section>`;
}

function numbers(name: string, values: readonly number[], kind = ""): TemplateResult {
  return html`<tr class=${kind}><th scope="row" lang="en">${name}</th>${values.map((value) => html`<td class="number" title=${String(value)}>${value.toFixed(3).replace("-", "−")}</td>`)}</tr>`;
}

function matrixTable({ matrix }: SmallHead): TemplateResult {
  return html`<table class="matrix" aria-label=${t("Rotation matrix R_m")}>
    ${matrix.map((row) => html`<tr>${row.map((value) => html`<td class=${value === 0 ? "number zero" : "number block"} title=${String(value)}>${value === 0 ? "0" : value.toFixed(3).replace("-", "−")}</td>`)}</tr>`)}
  </table>`;
}

/** A head of few pairs: its matrix, and the products that code makes in its place. */
export function smallPart({ small, m }: RotationModel): TemplateResult {
  const size = small.q.length;
  const first = small.pairs[0] ?? 0;
  const last = small.pairs.at(-1) ?? 0;
  return html`<section aria-label=${t("Matrix and element-wise form")}>
    <h3>${t("R_m for pairs {0} … {1} at m = {2}", first, last, m)}</h3>
    <div class="wide-table">${matrixTable(small)}</div>
    <p class="chart-note">${t("Each row has only two non-zero entries, so code never builds this matrix: {0} multiplications instead of {1}.", 2 * size, size * size)}</p>
    <div class="wide-table">
      <table class="matrix" aria-label=${t("Element-wise form")}>
        ${numbers("q", small.q)} ${numbers("cos mω", small.cos)} ${numbers("swap(q)", small.swapped)} ${numbers("sin mω", small.sin)}
        ${numbers("q ⊙ cos + swap(q) ⊙ sin", small.byElements, "result")} ${numbers("R_m q", small.byMatrix, "result")}
      </table>
    </div>
    ${equality([0, ...small.byMatrix.map((value, c) => value - (small.byElements[c] ?? 0))])}
  </section>`;
}

/** Widest drawing of a head, and the widest of its numbers. */
const STRIP = 660;
const WIDEST = 20;
/** Up to here every link can be told from its neighbours. */
const LINKS = 16;

/** Which numbers of a head are a pair, in both layouts. */
export function layoutPart(model: RotationModel): TemplateResult {
  return html`<section aria-label=${t("Pairs of one head")}>
    <h3>${t("Dimensions rotated together")}</h3>
    ${(["half", "interleaved"] as const).map((layout) => layoutStrip(model, layout))}
  </section>`;
}

function layoutStrip({ pair, pairCount, layout: ownLayout }: RotationModel, layout: Layout): TemplateResult {
  const { first, second } = pairsOf(layout, pairCount);
  const name = layout === "half" ? t("half: k with k + d/2") : t("interleaved: 2k with 2k + 1");
  const own = ownLayout === layout;
  const cell = Math.min(WIDEST, STRIP / (2 * pairCount));
  const middle = (index: number | undefined) => ((index ?? 0) + 0.5) * cell;
  const links = first.map((a, k) => ({ k, a, b: second[k] })).filter(({ k }) => pairCount <= LINKS || k === pair);
  const chosen = [first[pair], second[pair]];
  const width = 2 * pairCount * cell;
  const mark = chosen.map((index) => t("dimension {0}", index ?? 0)).join(", ");
  return html`<figure class=${`layout ${own ? "own" : ""}`}>
    <figcaption>${name} · ${mark}${own ? html` <span class="badge">${t("this encoding")}</span>` : nothing}</figcaption>
    <svg class="pairs" width=${width + 2} viewBox=${`-1 -32 ${width + 2} 47`} aria-hidden="true">
      ${links.map(({ k, a, b }) => svg`<path class=${k === pair ? "link chosen" : "link"} d=${bow(middle(a), middle(b), layout)} />`)}
      ${Array.from({ length: 2 * pairCount }, (_, c) => svg`<rect class=${chosen.includes(c) ? "number chosen" : "number"} x=${c * cell} y="0" width=${cell} height="13" />`)}
    </svg>
  </figure>`;
}

function bow(from: number, to: number, layout: Layout): string {
  const height = layout === "half" ? 58 : 26;
  return `M${from} 0Q${(from + to) / 2} ${-height} ${to} 0`;
}
