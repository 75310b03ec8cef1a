import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { summarise } from "../../../src/core/config/report/summarise.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { changePicked, chooseSpec } from "../../state/reducers.ts";
import type { Chart, ChartAxis } from "../../ui/chart/chart.ts";
import { crosshairStep } from "../../ui/chart/chartElement.ts";
import { renderChartsSvg } from "../../ui/chart/exportSvg.ts";
import { groupDigits } from "../../ui/format.ts";
import { button } from "../../ui/toolkit.ts";
import { chartName } from "../chartParts.ts";
import type { View, ViewContext, ViewExport } from "../view.ts";
import {
  buildLayerStacks,
  formatRanges,
  hasDifferentValues,
  type Layer,
  type LayerStack,
  layerAt,
} from "./layerStacks.ts";
import "./layers.css";

interface ShownLayers {
  readonly config: BoundConfig;
  readonly stacks: readonly LayerStack[];
  readonly layers: readonly Layer[];
  /** Number among all layers. */
  readonly selected: number;
}

function resolveShownLayers({ page }: ViewContext): ShownLayers | null {
  const { config, panel } = page;
  if (config === null || panel.config === null) return null;
  const stacks = buildLayerStacks(config.specs);
  const layers = stacks.flatMap((stack) => stack.layers);
  const bound = panel.config.index;
  const firstOfEncoding = Math.max(
    0,
    layers.findIndex(({ spec }) => spec === bound),
  );
  return {
    config,
    stacks,
    layers,
    selected: Math.min(panel.picked.layer ?? firstOfEncoding, Math.max(0, layers.length - 1)),
  };
}

function encodingSummary(spec: EncodingSpec | undefined): string {
  return spec === undefined ? l10n.t("no position encoding") : summarise([{ ...spec, layers: "all", where: "text" }]);
}

function layerText({ config, stacks, layers, selected }: ShownLayers): string {
  const layer = layers[selected];
  if (layer === undefined) return "";
  const { index, stack, spec, window } = layer;
  const parts = [
    stacks.length > 1 ? l10n.t("layer {0} of {1}", index, stack) : l10n.t("layer {0}", index),
    encodingSummary(spec === null ? undefined : config.specs[spec]),
  ];
  parts.push(window === null ? l10n.t("full attention") : l10n.t("sliding window of {0} keys", groupDigits(window)));
  return parts.join(" · ");
}

function chooseLayer({ dispatch }: ViewContext, shown: ShownLayers, number: number): void {
  const spec = layerAt(shown.stacks, number)?.spec;
  dispatch((state) => {
    const picked = changePicked({ layer: number })(state);
    return spec === null || spec === undefined ? picked : chooseSpec(shown.config, spec)(picked);
  });
}

function onLayerKey(context: ViewContext, shown: ShownLayers, event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    chooseLayer(context, shown, shown.selected);
    return;
  }
  const by = crosshairStep(event);
  if (by === null) return;
  event.preventDefault();
  const last = shown.layers.length - 1;
  // Starts from the current state, because keys come faster than frames.
  context.dispatch((state) => {
    const layer = Math.max(0, Math.min(last, (state.picked.layer ?? shown.selected) + by));
    return changePicked({ layer })(state);
  });
}

function layerCell(context: ViewContext, shown: ShownLayers, layer: Layer, number: number): TemplateResult {
  const isChosenEncoding = layer.spec === context.page.panel.config?.index;
  const classes = [
    "layer",
    layer.kind,
    `tone-${layer.indexInStack % 4}`,
    isChosenEncoding ? "own" : "",
    number === shown.selected ? "at" : "",
  ];
  return html`<span class=${classes.join(" ")} aria-hidden="true" @pointerdown=${() => chooseLayer(context, shown, number)}
    @pointerenter=${() => context.dispatch(changePicked({ layer: number }))}><i></i>${layer.index}</span>`;
}

function stackRow(
  context: ViewContext,
  shown: ShownLayers,
  { where, layers }: LayerStack,
  first: number,
): TemplateResult {
  return html`${shown.stacks.length > 1 ? html`<h3>${where}</h3>` : nothing}
    <div class="layer-cells">${layers.map((layer, n) => layerCell(context, shown, layer, first + n))}</div>`;
}

function layerStrips(context: ViewContext, shown: ShownLayers): TemplateResult {
  const name = chartName(context.resolved, l10n.t("Layers"), l10n.t("{0} layers", shown.layers.length));
  let first = 0;
  const rows = shown.stacks.map((stack) => {
    const strip = stackRow(context, shown, stack, first);
    first += stack.layers.length;
    return strip;
  });
  return html`<div role="figure" aria-label=${name} aria-busy="false">
    <div class="layer-strips" role="application" tabindex="0"
      aria-label=${`${name}. ${l10n.t("Use the arrow keys to move between layers; press Enter to show the layer's encoding.")}`}
      @keydown=${(event: KeyboardEvent) => onLayerKey(context, shown, event)}>${rows}</div>
  </div>`;
}

/** Legend: each encoding with its layers and a button that shows it. */
function encodingParts(context: ViewContext, shown: ShownLayers): TemplateResult {
  const used = shown.config.specs.map((spec, index) => ({
    spec,
    index,
    layers: shown.layers.filter((layer) => layer.spec === index),
  }));
  const without = shown.layers.filter(({ spec }) => spec === null);
  const line = (tone: number, kind: string, text: string, numbers: readonly number[], action: unknown) =>
    html`<li><span class=${`layer sample ${kind} tone-${tone % 4}`} aria-hidden="true"><i></i></span>
      <span class="what">${text}<span class="which">${l10n.t("{0} layers: {1}", numbers.length, formatRanges(numbers))}</span></span>${action}</li>`;
  return html`<ul class="layer-parts">
    ${used.flatMap(({ spec, index, layers }) => {
      const [first] = layers;
      if (first === undefined) return [];
      const chosen = index === context.page.panel.config?.index;
      const show = chosen
        ? html`<span class="shown">${l10n.t("shown")}</span>`
        : button({
            label: l10n.t("Show {0}", encodingSummary(spec)),
            glyph: l10n.t("Show"),
            onClick: () => context.dispatch(chooseSpec(shown.config, index)),
          });
      return [
        line(
          first.indexInStack,
          first.kind,
          encodingSummary(spec),
          layers.map((layer) => layer.index),
          show,
        ),
      ];
    })}
    ${
      without.length === 0
        ? nothing
        : line(
            0,
            "none",
            l10n.t("no position encoding"),
            without.map(({ index }) => index),
            nothing,
          )
    }
  </ul>`;
}

/** One dot per layer, for values that differ between layers. */
function dotChart(
  context: ViewContext,
  shown: ShownLayers,
  label: string,
  y: ChartAxis,
  values: readonly (number | null)[],
): Chart {
  // Ends at the last layer with a value: another stack may have none.
  const last = values.findLastIndex((value) => value !== null);
  return {
    name: chartName(context.resolved, l10n.t("Layers"), l10n.t("{0} of {1} layers", label, shown.layers.length)),
    x: { label: l10n.t("layer"), scale: "linear", from: -0.5, to: last + 0.5 },
    y,
    lines: [],
    dots: values.flatMap((value, n) =>
      value === null ? [] : [{ at: [n, value] as const, filled: true, tone: "accent" as const }],
    ),
    crosshair: shown.selected <= last ? shown.selected : null,
    describe: (n) =>
      `${n} · ${values[n] === null || values[n] === undefined ? l10n.t("none") : groupDigits(values[n] ?? 0)}`,
    onPoint: (layer) => context.dispatch(changePicked({ layer })),
    height: 170,
  };
}

function logAxis(label: string, values: readonly (number | null)[]): ChartAxis {
  const present = values.filter((value) => value !== null);
  const low = Math.floor(Math.log10(Math.min(...present)) - 0.1);
  return {
    label,
    scale: "log",
    from: 10 ** low,
    to: 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...present)) + 1e-9)),
  };
}

function charts(context: ViewContext, shown: ShownLayers): Chart[] {
  const bases = shown.layers.map(({ base }) => base);
  const windows = shown.layers.map(({ window }) => window);
  const list: Chart[] = [];
  if (hasDifferentValues(bases)) {
    list.push(dotChart(context, shown, l10n.t("base"), logAxis("θ", bases), bases));
  }
  if (hasDifferentValues(windows)) {
    list.push(dotChart(context, shown, l10n.t("window"), logAxis(l10n.t("window (keys)"), windows), windows));
  }
  return list;
}

function emptyMessage(bound: boolean): TemplateResult {
  return bound
    ? html`<p class="empty why">${l10n.t("The number of layers is not set in this config.")}</p>`
    : html`<p class="empty why">${l10n.t("This view needs a model. Open its config and run “Preview from Config” to see one cell per layer.")}</p>`;
}

function renderBody(context: ViewContext): TemplateResult {
  const shown = resolveShownLayers(context);
  if (shown === null || shown.layers.length === 0) return emptyMessage(shown !== null);
  return html`<div class="chart-view layers-view">
    ${layerStrips(context, shown)}
    <p class="chart-status" role="status" aria-label=${l10n.t("Readout")}>${layerText(shown)}</p>
    ${encodingParts(context, shown)}
    ${charts(context, shown).map((chart) => html`<posenc-chart .chart=${chart}></posenc-chart>`)}
    <p class="chart-note">${l10n.t("Full bar: full attention. Low bar: sliding window. Outline: no position encoding. The other views show the selected layer.")}</p>
  </div>`;
}

function buildExport(context: ViewContext): ViewExport | null {
  const shown = resolveShownLayers(context);
  if (shown === null || shown.layers.length === 0) return null;
  const kinds = { full: 2, sliding: 1, none: 0 } as const;
  const overview = dotChart(
    context,
    shown,
    l10n.t("kind"),
    { label: l10n.t("0 none, 1 window, 2 full"), scale: "linear", from: -0.4, to: 2.4 },
    shown.layers.map(({ kind }) => kinds[kind]),
  );
  return {
    // High enough for its long axis label.
    svg: renderChartsSvg([{ ...overview, height: 250 }, ...charts(context, shown)]),
    table: {
      columns: ["stack", "layer", "encoding", "kind", "rope_theta", "factor", "sliding_window"],
      rows: shown.layers.map(({ stack, index, spec, kind, base, factor, window }) => [
        stack,
        index,
        spec === null ? "none" : (shown.config.specs[spec]?.encoding ?? "none"),
        kind,
        base ?? Number.NaN,
        factor ?? Number.NaN,
        window ?? Number.NaN,
      ]),
    },
  };
}

/** Shows one cell per layer with its encoding and window, and lets the user choose one. */
export const layersView: View = {
  id: "layers",
  title: () => l10n.t("Layers"),
  startsGroup: true,
  whyUnavailable: () => null,
  renderBody,
  buildExport,
};
