import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import {
  type AttentionKind,
  buildLayerCells,
  groupByStack,
  type LayerCell,
  type LayerRun,
  mergeCells,
  type StackLayers,
} from "../../src/core/config/report/layerStrip.ts";
import { summarise } from "../../src/core/config/report/summarise.ts";
import type { EncodingSpec } from "../../src/core/spec.ts";
import { css } from "../ui/css.ts";
import type { SectionContext } from "./section.ts";
import "./layers.css";

function kindName(kind: AttentionKind): string {
  switch (kind) {
    case "full":
      return l10n.t("full");
    case "sliding":
      return l10n.t("sliding");
    case "none":
      return l10n.t("without encoding");
  }
}

/** "34 · 29 sliding, 5 full" */
function layerTotals(cells: readonly LayerCell[]): string {
  const counts = (["sliding", "full", "none"] as const)
    .map((kind) => ({ name: kindName(kind), count: cells.filter((cell) => cell.kind === kind).length }))
    .filter(({ count }) => count > 0);
  const [only] = counts;
  if (counts.length === 1 && only !== undefined) return `${cells.length} · ${l10n.t("all {0}", only.name)}`;
  return `${cells.length} · ${counts.map(({ name, count }) => `${count} ${name}`).join(", ")}`;
}

/** "layer 17 · RoPE · linear ×8 · θ 1e6" */
function describeRun({ from, to, cell }: LayerRun, specs: readonly EncodingSpec[]): string {
  const which = from === to ? l10n.t("layer {0}", from) : l10n.t("layers {0}–{1}", from, to);
  const spec = cell.spec === null ? undefined : specs[cell.spec];
  return `${which} · ${spec === undefined ? l10n.t("no position encoding") : summarise([{ ...spec, layers: "all" }])}`;
}

/** Content and actions of the layer strip. */
interface LayerStrip {
  readonly title: string;
  readonly total: string;
  readonly runs: readonly LayerRun[];
  readonly pointed: LayerRun | null;
  /** Described below the strip: the pointed run, else the first of the selected encoding. */
  readonly shown: LayerRun | undefined;
  pointAt(run: number | null): void;
  choose(run: LayerRun): void;
}

function buildLayerStrip(
  stack: StackLayers,
  named: boolean,
  specs: readonly EncodingSpec[],
  context: SectionContext,
): LayerStrip {
  const { pointedRun, pointAtRun, update, selected } = context;
  const cells = buildLayerCells(stack, specs);
  const runs = mergeCells(cells);
  const pointed = pointedRun?.where === stack.where ? (runs[pointedRun.run] ?? null) : null;
  return {
    title: named ? l10n.t("Layers of {0}", stack.where) : l10n.t("Layers"),
    total: layerTotals(cells),
    runs,
    pointed,
    shown: pointed ?? runs.find(({ cell }) => cell.spec === selected.index) ?? runs[0],
    pointAt: (run) => pointAtRun(run === null ? null : { where: stack.where, run }),
    choose: ({ cell: { spec } }) => {
      if (spec !== null) update((state) => ({ ...state, chosen: spec }));
    },
  };
}

function onStripKey(event: KeyboardEvent, { shown, runs, pointAt, choose }: LayerStrip): void {
  const next = nextRun(event.key, shown === undefined ? 0 : runs.indexOf(shown), runs.length);
  if (next === null && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  if (next !== null) pointAt(next);
  else if (shown !== undefined) choose(shown);
}

function nextRun(key: string, now: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(count - 1, now + 1);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(0, now - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

const optionId = ({ from }: LayerRun) => `layer-${from}`;

function stripOption(
  run: LayerRun,
  n: number,
  strip: LayerStrip,
  specs: readonly EncodingSpec[],
  { selected }: SectionContext,
): TemplateResult {
  const { kind, indexInStack, spec } = run.cell;
  return html`<span id=${optionId(run)} role="option" aria-label=${describeRun(run, specs)} aria-selected=${spec === selected.index}
    class=${`cell ${kind} tone-${indexInStack} ${run === strip.pointed ? "pointed" : ""}`}
    ${css({ "flex-grow": String(run.to - run.from + 1) })}
    @pointerenter=${() => strip.pointAt(n)} @click=${() => strip.choose(run)}></span>`;
}

/** The layers of the selected stack as a strip of runs, in which an encoding can be chosen. */
export function layersSection(
  specs: readonly EncodingSpec[],
  context: SectionContext,
): TemplateResult | typeof nothing {
  const stacks = groupByStack(specs);
  const stack = stacks.find(({ where }) => where === context.selected.spec.where);
  if (stack === undefined) return nothing;
  const strip = buildLayerStrip(stack, stacks.length > 1, specs, context);
  const { title, total, runs, shown } = strip;
  return html`<section aria-label=${title}>
    <h2>${title} <span class="total">${total}</span></h2>
    <div class="strip" role="listbox" tabindex="0" aria-orientation="horizontal" aria-label=${`${title}: ${total}`}
      aria-activedescendant=${shown === undefined ? nothing : optionId(shown)}
      @keydown=${(event: KeyboardEvent) => onStripKey(event, strip)}
      @pointerleave=${() => strip.pointAt(null)} @blur=${() => strip.pointAt(null)}>
      ${runs.map((run, n) => stripOption(run, n, strip, specs, context))}
    </div>
    <p class="caption">${shown === undefined ? nothing : describeRun(shown, specs)}</p>
  </section>`;
}
