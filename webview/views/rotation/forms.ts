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
      ? t("Equal to the last digit.")
      : t("Equal: they differ by {0}, the rounding of float64.", significant(difference, 2));
  return html`<p class="verdict">${difference <= 1e-6 * Math.max(1, size) ? text : t("They differ by {0}.", significant(difference, 3))}</p>`;
}

function valueRow(name: unknown, formula: string, value: number): TemplateResult {
  return html`<tr><th scope="row">${name}</th><td class="plain-formula" lang="en">${formula}</td><td class="number" title=${String(value)}>${significant(value, DIGITS)}</td></tr>`;
}

/** The two-dimensional proof, evaluated for the chosen pair. */
export function proofPart({ proof, pair }: RotationModel): TemplateResult {
  const names = {
    rotated_product: t("as vectors"),
    complex_product: t("as complex numbers"),
    relative: t("only m − n is left"),
  };
  return html`<section aria-label=${t("Proof in two dimensions")}>
    <h3>${t("Proof in two dimensions, pair {0}", pair)}</h3>
    <table class="forms">${proof.map(({ id, text, value }) => valueRow(names[id], text, value))}</table>
    ${equality(proof.map(({ value }) => value))}
  </section>`;
}

/** The score of all pairs in each of the equal forms. */
export function formsPart({ forms, pairCount }: RotationModel): TemplateResult {
  return html`<section aria-label=${t("Equal forms of the whole head")}>
    <h3>${t("All {0} pairs, in each form", pairCount)}</h3>
    <table class="forms">
      ${valueRow(t("block-diagonal matrices"), "(R_m q) · (R_n k)", forms.matrix)}
      ${valueRow(t("element by element"), "(q ⊙ cos + swap(q) ⊙ sin) · …", forms.elementwise)}
      ${valueRow(t("one matrix of n − m"), "q · (R_(n−m) k)", forms.relative)}
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
    <p class="chart-note">${t("Two numbers a row are not zero, so code never builds it: {0} products in place of {1}.", 2 * size, size * size)}</p>
    <div class="wide-table">
      <table class="matrix" aria-label=${t("Element-wise form")}>
        ${numbers("q", small.q)} ${numbers("cos mω", small.cos)} ${numbers("swap(q)", small.swapped)} ${numbers("sin mω", small.sin)}
        ${numbers("q ⊙ cos + swap(q) ⊙ sin", small.byElements, "result")} ${numbers("R_m q", small.byMatrix, "result")}
      </table>
    </div>
    ${equality([0, ...small.byMatrix.map((value, c) => value - (small.byElements[c] ?? 0))])}
  </section>`;
}

const CELL = 13;

/** Which numbers of a head are a pair, in both layouts. */
export function layoutPart(model: RotationModel): TemplateResult {
  const shown = Math.min(model.pairCount, 16);
  return html`<section aria-label=${t("Pairs of a head")}>
    <h3>${t("Which numbers turn together")}</h3>
    ${(["half", "interleaved"] as const).map((layout) => layoutStrip(model, layout, shown))}
    ${shown < model.pairCount ? html`<p class="chart-note">${t("Drawn for a head of {0} pairs; this one has {1}.", shown, model.pairCount)}</p>` : nothing}
  </section>`;
}

function layoutStrip(model: RotationModel, layout: Layout, shown: number): TemplateResult {
  const { first, second } = pairsOf(layout, shown);
  const chosen = model.pair < shown ? model.pair : null;
  const own = model.layout === layout;
  const name = layout === "half" ? t("half: k with k + d/2") : t("interleaved: 2k with 2k + 1");
  const middle = (index: number | undefined) => (index ?? 0) * CELL + CELL / 2;
  const width = 2 * shown * CELL;
  return html`<figure class=${`layout ${own ? "own" : ""}`}>
    <figcaption>${name}${own ? html` <span class="badge">${t("this encoding")}</span>` : nothing}</figcaption>
    <svg class="pairs" viewBox=${`-1 -34 ${width + 2} ${CELL + 36}`} aria-hidden="true">
      ${first.map((a, k) => {
        const b = second[k];
        const bow = layout === "half" ? 30 : 12;
        return svg`<path class=${k === chosen ? "link chosen" : "link"} d=${`M${middle(a)} 0Q${(middle(a) + middle(b)) / 2} ${-2 * bow} ${middle(b)} 0`} />`;
      })}
      ${Array.from({ length: 2 * shown }, (_, c) => {
        const k = first.includes(c) ? first.indexOf(c) : second.indexOf(c);
        return svg`<rect class=${k === chosen ? "number chosen" : "number"} x=${c * CELL} y="0" width=${CELL} height=${CELL} />`;
      })}
    </svg>
  </figure>`;
}
