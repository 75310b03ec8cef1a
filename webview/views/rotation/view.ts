import * as l10n from "@vscode/l10n";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { effectiveCrosshair, effectiveViewport, type MatrixCell } from "../../matrix/viewport.ts";
import { memoizeLast } from "../../state/memoize.ts";
import { changeCrosshair, changePicked } from "../../state/reducers.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { crosshairStep } from "../../ui/chart/chartElement.ts";
import { serialiseFigure } from "../../ui/chart/exportSvg.ts";
import { numberField, slider } from "../../ui/fields.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartName } from "../chartParts.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import { type Arc, type Arrow, circleSvg, complexAngle, shortestRotation } from "./circle.ts";
import { computeRotation, type RotationData, rotatesByPosition, rotationFraction } from "./computeRotation.ts";
import { formsSection, layoutSection, proofSection, smallHeadSection } from "./forms.ts";
import "./rotation.css";

type RotationNote = TemplateResult | typeof nothing;

const cachedRotation = memoizeLast((resolved: ResolvedEncoding, row: number, column: number, pair: number) =>
  computeRotation(resolved, { row, column }, pair),
);

function crosshairCell({ page, resolved }: ViewContext): MatrixCell {
  const extent = { rows: resolved.scene.queryLength, columns: resolved.scene.keyLength };
  return effectiveCrosshair(page.panel.crosshair, effectiveViewport(page.panel.viewport, extent), extent);
}

function rotationTools(context: ViewContext, data: RotationData, cell: MatrixCell): TemplateResult {
  const { resolved, dispatch } = context;
  const { queryLength, keyLength, shift } = resolved.scene;
  const first = shift + keyLength - queryLength;
  const go = (change: Partial<MatrixCell>) => dispatch(changeCrosshair({ ...cell, ...change }));
  const pair = { label: l10n.t("pair k"), value: data.pair, min: 0, max: data.pairCount - 1, integer: true } as const;
  const choose = (value: number) => dispatch(changePicked({ pair: value }));
  const names =
    resolved.scene.numbering === undefined
      ? { query: l10n.t("query at m"), key: l10n.t("key at n") }
      : { query: l10n.t("query token"), key: l10n.t("key token") };
  return html`<div class="chart-tools" role="group" aria-label=${l10n.t("Tokens and pair")}>
    <span class="tool"><span class="name">${names.query}</span>${numberField({
      label: names.query,
      value: data.queryPlace,
      min: first,
      max: first + queryLength - 1,
      onNumber: (m) => go({ row: m - first }),
    })}</span>
    <span class="tool"><span class="name">${names.key}</span>${numberField({
      label: names.key,
      value: data.keyPlace,
      min: shift,
      max: shift + keyLength - 1,
      onNumber: (n) => go({ column: n - shift }),
    })}</span>
    <span class="tool"><span class="name">${l10n.t("pair k")}</span>${numberField({ ...pair, onNumber: choose })}
      ${slider({ ...pair, scale: "linear", onValue: choose })}</span>
  </div>`;
}

function degrees(angle: number): string {
  return `${formatSignificant(360 * rotationFraction(angle), 4)}°`;
}

function shortestArc(from: number, to: number): Arc {
  return { from, to, label: degrees(Math.abs(shortestRotation(from, to))) };
}

interface CircleFigure {
  readonly caption: string;
  readonly arrows: readonly Arrow[];
  readonly arc: Arc;
  readonly below: string;
}

/** Two figures: both vectors rotated, and only one rotated, by the difference. */
function describeCircles({ m, n, omega, q, k }: RotationData): readonly CircleFigure[] {
  const angleQ = complexAngle(q);
  const angleK = complexAngle(k);
  return [
    {
      caption: l10n.t("rotate both: q′ by mω, k′ by nω"),
      arrows: [
        { angle: angleQ, label: "q", kind: "faint" },
        { angle: angleK, label: angleK === angleQ ? "" : "k", kind: "faint" },
        { angle: angleK + n * omega, label: "k′", kind: "key" },
        { angle: angleQ + m * omega, label: "q′", kind: "query" },
      ],
      arc: shortestArc(angleK + n * omega, angleQ + m * omega),
      below: l10n.t("mω = {0}, nω = {1}", degrees(m * omega), degrees(n * omega)),
    },
    {
      caption: l10n.t("rotate q only: q″ by (m − n)ω, same angle"),
      arrows: [
        { angle: angleQ, label: angleK === angleQ ? "" : "q", kind: "faint" },
        { angle: angleK, label: "k", kind: "key" },
        { angle: angleQ + (m - n) * omega, label: "q″", kind: "query" },
      ],
      arc: shortestArc(angleK, angleQ + (m - n) * omega),
      below: l10n.t("(m − n)ω = {0}", degrees((m - n) * omega)),
    },
  ];
}

function rotationName({ resolved }: ViewContext, { pair, m, n }: RotationData): string {
  return chartName(resolved, l10n.t("Rotation"), l10n.t("pair {0}, m = {1}, n = {2}", pair, m, n));
}

function circlesTemplate(context: ViewContext, data: RotationData): TemplateResult {
  const name = rotationName(context, data);
  const step = (event: KeyboardEvent) => {
    const by = crosshairStep(event);
    if (by === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const pair = Math.max(0, Math.min(data.pairCount - 1, data.pair + by));
    context.dispatch(changePicked({ pair }));
  };
  return html`<div class="circles" role="figure" aria-label=${name} aria-busy="false">
    <div class="circle-pair" role="application" tabindex="0" aria-label=${`${name}. ${l10n.t("Use the left and right arrow keys to choose a pair.")}`} @keydown=${step}>
      ${describeCircles(data).map(
        ({ caption, arrows, arc, below }) =>
          html`<figure><figcaption>${caption}</figcaption>${circleSvg(arrows, arc)}<p>${below}</p></figure>`,
      )}
    </div>
  </div>`;
}

/** What the encoding does in addition to rotation by position. */
function otherEffectsNote({ encoding, params }: ResolvedEncoding): RotationNote {
  const note = encoding.viewNotes?.(params).rotation;
  return note === undefined ? nothing : html`<p class="chart-note">${localize(note)}</p>`;
}

/** Explains ids that differ from the tokens' positions. */
function numberingNote({ scene }: ResolvedEncoding, { m, n, queryPlace, keyPlace }: RotationData): RotationNote {
  if (scene.numbering === undefined) return nothing;
  const [i, j] = [groupDigits(queryPlace), groupDigits(keyPlace)];
  return html`<p class="chart-note">${l10n.t("Tokens are numbered as in the Positions view: token {0} has id m = {1}, token {2} has id n = {3}.", i, m, j, n)}</p>`;
}

function currentRotation(context: ViewContext): RotationData | null {
  const { row, column } = crosshairCell(context);
  return cachedRotation(context.resolved, row, column, context.page.panel.picked.pair ?? 0);
}

/** Width of a circle with its captions in exported SVG. */
const EXPORT_COLUMN_WIDTH = 320;

function buildExport(context: ViewContext): ViewExport | null {
  const data = currentRotation(context);
  if (data === null) return null;
  const { m, n, omegas } = data;
  const content = describeCircles(data).map(
    (
      { caption, arrows, arc, below },
      at,
    ) => svg`<svg class="chart" x=${at * EXPORT_COLUMN_WIDTH} width=${EXPORT_COLUMN_WIDTH} height="340" viewBox="0 0 320 340">
      <text class="tick" x="160" y="24" text-anchor="middle">${caption}</text>
      <svg x="30" y="34" width="260" height="260" viewBox="0 0 260 260">${circleSvg(arrows, arc)}</svg>
      <text class="tick" x="160" y="318" text-anchor="middle">${below}</text>
    </svg>`,
  );
  return {
    svg: serialiseFigure({
      name: rotationName(context, data),
      width: 2 * EXPORT_COLUMN_WIDTH,
      height: 340,
      kind: "chart",
      content: svg`${content}`,
    }),
    table: {
      columns: ["k", "omega", "m_omega", "n_omega", "difference"],
      rows: omegas.map((omega, k) => [k, omega, m * omega, n * omega, (m - n) * omega]),
    },
  };
}

function renderBody(context: ViewContext): TemplateResult {
  const cell = crosshairCell(context);
  const data = currentRotation(context);
  if (data === null) return html``;
  const rotations = ((data.m - data.n) * data.omega) / (2 * Math.PI);
  return html`<div class="chart-view rotation">
    ${rotationTools(context, data, cell)} ${circlesTemplate(context, data)}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>
      ${l10n.t("pair {0}: ω = {1} rad per token; m − n = {2} tokens = {3} full rotations", data.pair, formatSignificant(data.omega, 6), data.m - data.n, formatSignificant(rotations, 5))}
    </p>
    ${numberingNote(context.resolved, data)} ${otherEffectsNote(context.resolved)}
    <div class="rotation-parts">${proofSection(data)} ${formsSection(data)}</div>
    ${smallHeadSection(data)} ${layoutSection(data)}
  </div>`;
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  if (rotatesByPosition(resolved)) return null;
  const title = localize(resolved.encoding.name);
  return resolved.encoding.rotation?.by(resolved.params) === "axes"
    ? l10n.t("{0} rotates each pair by a row or a column, not by a single position. See the Grid view.", title)
    : l10n.t("{0} does not rotate: position enters in another way. See the Terms view.", title);
}

/** Shows a pair in the complex plane: both vectors rotate, and only the difference of positions matters. */
export const rotationView: View = {
  id: "rotation",
  title: () => l10n.t("Rotation"),
  whyUnavailable: whyUnavailable,
  renderBody,
  buildExport,
};
