import * as l10n from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { MATRIX_FORMULAS } from "../../../src/core/encodings/rope/detailFormulas.ts";
import { pairIndices } from "../../../src/core/encodings/rope/rotation.ts";
import type { PairLayout } from "../../../src/core/spec.ts";
import { badge } from "../../ui/badge.ts";
import { formatSignificant } from "../../ui/format.ts";
import { largestDifference, type RotationData, type SmallHead } from "./computeRotation.ts";

const SCORE_DIGITS = 10;

function equalityNote(values: readonly number[]): TemplateResult {
  const difference = largestDifference(values);
  const size = Math.max(...values.map(Math.abs));
  const text =
    difference === 0
      ? l10n.t("Bit-identical.")
      : l10n.t("Equal up to float64 rounding (difference {0}).", formatSignificant(difference, 2));
  return html`<p class="verdict">${difference <= 1e-6 * Math.max(1, size) ? text : l10n.t("Not equal (difference {0}).", formatSignificant(difference, 3))}</p>`;
}

function formRow(name: unknown, formula: string, value: number): TemplateResult {
  return html`<tr><th scope="row">${name}</th><td class="plain-formula" lang="en">${formula}</td><td class="number" title=${String(value)}>${formatSignificant(value, SCORE_DIGITS)}</td></tr>`;
}

/** The two-dimensional proof, evaluated for the chosen pair. */
export function proofSection({ proof, pair }: RotationData): TemplateResult {
  const names = {
    rotated_product: l10n.t("as vectors"),
    complex_product: l10n.t("as complex numbers"),
    relative: l10n.t("only m − n remains"),
  };
  return html`<section aria-label=${l10n.t("Proof in two dimensions")}>
    <h3>${l10n.t("Proof in two dimensions, pair {0}", pair)}</h3>
    <table class="forms">${proof.map(({ id, text, value }) => formRow(names[id], text, value))}</table>
    ${equalityNote(proof.map(({ value }) => value))}
  </section>`;
}

/** The score of all pairs in each of the equal forms. */
export function formsSection({ forms, pairCount, layout }: RotationData): TemplateResult {
  const matrices = layout === "half" ? l10n.t("block-diagonal matrices, permuted") : l10n.t("block-diagonal matrices");
  return html`<section aria-label=${l10n.t("Equivalent forms of the whole head")}>
    <h3>${l10n.t("All {0} pairs, in each form", pairCount)}</h3>
    <table class="forms">
      ${formRow(matrices, "(R_m q) · (R_n k)", forms.matrix)}
      ${formRow(l10n.t("element by element"), "(q ⊙ cos + swap(q) ⊙ sin) · …", forms.elementwise)}
      ${formRow(l10n.t("single matrix R_(n−m)"), "q · (R_(n−m) k)", forms.relative)}
      ${formRow(l10n.t("complex numbers"), "Σ Re[q k* e^(i(m−n)ω)]", forms.complex)}
    </table>
    ${equalityNote(Object.values(forms))}
  </section>`;
}

function numberRow(name: string, values: readonly number[], kind = ""): TemplateResult {
  return html`<tr class=${kind}><th scope="row" lang="en">${name}</th>${values.map((value) => html`<td class="number" title=${String(value)}>${value.toFixed(3).replace("-", "−")}</td>`)}</tr>`;
}

/** R_m in symbols: block-diagonal if the two dimensions of a pair are neighbours, else after a permutation. */
function matrixFormulas(layout: PairLayout): TemplateResult {
  return html`<h3>${l10n.t("R_m in symbols")}</h3>
    <posenc-formula .formula=${MATRIX_FORMULAS.interleaved.id}></posenc-formula>
    ${
      layout === "interleaved"
        ? nothing
        : html`<p class="chart-note">${l10n.t("That is the interleaved layout, whose pairs are neighbours. In the half layout the same numbers are in four diagonal blocks, C = diag(cos mω) and S = diag(sin mω); the permutation Π sorts its dimensions into neighbours:")}</p>
          <posenc-formula .formula=${MATRIX_FORMULAS.half.id}></posenc-formula>`
    }`;
}

/** The half layout's matrix after the permutation: block-diagonal. */
function permutedMatrix({ permuted }: SmallHead): TemplateResult {
  return html`<p class="chart-note">${l10n.t("Π R_m Πᵀ: the same matrix with rows and columns in the order k, k + d/2, k + 1, … is block-diagonal.")}</p>
    <div class="wide-table">${rotationMatrixTable(permuted, l10n.t("Permuted rotation matrix"))}</div>`;
}

function rotationMatrixTable(matrix: SmallHead["matrix"], name: string): TemplateResult {
  return html`<table class="matrix" aria-label=${name}>
    ${matrix.map((row) => html`<tr>${row.map((value) => html`<td class=${value === 0 ? "number zero" : "number block"} title=${String(value)}>${value === 0 ? "0" : value.toFixed(3).replace("-", "−")}</td>`)}</tr>`)}
  </table>`;
}

/** A head with few pairs: its rotation matrix, and the element-wise products that code computes instead. */
export function smallHeadSection({ small, m, layout }: RotationData): TemplateResult {
  const size = small.q.length;
  const first = small.pairs[0] ?? 0;
  const last = small.pairs.at(-1) ?? 0;
  return html`<section aria-label=${l10n.t("Matrix and element-wise form")}>
    ${matrixFormulas(layout)}
    <h3>${l10n.t("R_m for pairs {0} … {1} at m = {2}", first, last, m)}</h3>
    <div class="wide-table">${rotationMatrixTable(small.matrix, l10n.t("Rotation matrix R_m"))}</div>
    ${layout === "half" ? permutedMatrix(small) : nothing}
    <p class="chart-note">${l10n.t("Each row has only two non-zero entries, so code never builds this matrix: {0} multiplications instead of {1}.", 2 * size, size * size)}</p>
    <div class="wide-table">
      <table class="matrix" aria-label=${l10n.t("Element-wise form")}>
        ${numberRow("q", small.q)} ${numberRow("cos mω", small.cos)} ${numberRow("swap(q)", small.swapped)} ${numberRow("sin mω", small.sin)}
        ${numberRow("q ⊙ cos + swap(q) ⊙ sin", small.byElements, "result")} ${numberRow("R_m q", small.byMatrix, "result")}
      </table>
    </div>
    ${equalityNote([0, ...small.byMatrix.map((value, c) => value - (small.byElements[c] ?? 0))])}
  </section>`;
}

/** Largest widths of the drawing of a head and of one of its dimensions. */
const MAX_STRIP_WIDTH = 660;
const MAX_CELL_WIDTH = 20;
/** With more pairs only the chosen pair's link is drawn. */
const MAX_LINKED_PAIRS = 16;

/** Which dimensions of a head form a pair, in both layouts. */
export function layoutSection(data: RotationData): TemplateResult {
  return html`<section aria-label=${l10n.t("Pairs of one head")}>
    <h3>${l10n.t("Dimensions rotated together")}</h3>
    ${(["half", "interleaved"] as const).map((layout) => layoutStrip(data, layout))}
  </section>`;
}

function layoutStrip({ pair, pairCount, layout: ownLayout }: RotationData, layout: PairLayout): TemplateResult {
  const { first, second } = pairIndices(layout, pairCount);
  const name = layout === "half" ? l10n.t("half: k with k + d/2") : l10n.t("interleaved: 2k with 2k + 1");
  const isOwnLayout = ownLayout === layout;
  const cell = Math.min(MAX_CELL_WIDTH, MAX_STRIP_WIDTH / (2 * pairCount));
  const middle = (index: number | undefined) => ((index ?? 0) + 0.5) * cell;
  const links = first
    .map((a, k) => ({ k, a, b: second[k] }))
    .filter(({ k }) => pairCount <= MAX_LINKED_PAIRS || k === pair);
  const chosen = [first[pair], second[pair]];
  const width = 2 * pairCount * cell;
  const mark = chosen.map((index) => l10n.t("dimension {0}", index ?? 0)).join(", ");
  return html`<figure class=${`layout ${isOwnLayout ? "own" : ""}`}>
    <figcaption>${name} · ${mark}${isOwnLayout ? html` ${badge(l10n.t("this encoding"), "default")}` : nothing}</figcaption>
    <svg class="pairs" width=${width + 2} viewBox=${`-1 -32 ${width + 2} 47`} aria-hidden="true">
      ${links.map(({ k, a, b }) => svg`<path class=${k === pair ? "link chosen" : "link"} d=${linkPath(middle(a), middle(b), layout)} />`)}
      ${Array.from({ length: 2 * pairCount }, (_, c) => svg`<rect class=${chosen.includes(c) ? "number chosen" : "number"} x=${c * cell} y="0" width=${cell} height="13" />`)}
    </svg>
  </figure>`;
}

function linkPath(from: number, to: number, layout: PairLayout): string {
  const height = layout === "half" ? 58 : 26;
  return `M${from} 0Q${(from + to) / 2} ${-height} ${to} 0`;
}
