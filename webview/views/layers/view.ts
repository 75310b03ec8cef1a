import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { summarise } from "../../../src/core/config/report/summarise.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { grouped } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import { chooseSpec } from "../../state/reducers.ts";
import type { Chart, ChartAxis } from "../../ui/chart/chart.ts";
import { chartStep } from "../../ui/chart/chartElement.ts";
import { chartName } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import { button } from "../../ui/toolkit.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { differ, type Layer, type LayerStack, layerAt, layerStacks, ranges } from "./model.ts";

interface Shown {
  readonly config: BoundConfig;
  readonly stacks: readonly LayerStack[];
  readonly layers: readonly Layer[];
  /** Number among all layers. */
  readonly at: number;
}

function shownOf({ page }: ViewContext): Shown | null {
  const { config, panel } = page;
  if (config === null || panel.config === null) return null;
  const stacks = layerStacks(config.specs);
  const layers = stacks.flatMap((stack) => stack.layers);
  const bound = panel.config.index;
  const own = Math.max(
    0,
    layers.findIndex(({ spec }) => spec === bound),
  );
  return { config, stacks, layers, at: Math.min(panel.picked.layer ?? own, Math.max(0, layers.length - 1)) };
}

function summaryOf(spec: EncodingSpec | undefined): string {
  return spec === undefined ? t("no position encoding") : summarise([{ ...spec, layers: "all", where: "text" }]);
}

function layerText({ config, stacks, layers, at }: Shown): string {
  const layer = layers[at];
  if (layer === undefined) return "";
  const { index, stack, spec, window } = layer;
  const parts = [
    stacks.length > 1 ? t("layer {0} of {1}", index, stack) : t("layer {0}", index),
    summaryOf(spec === null ? undefined : config.specs[spec]),
  ];
  parts.push(window === null ? t("full attention") : t("sliding window of {0} keys", grouped(window)));
  return parts.join(" · ");
}

function choose({ dispatch }: ViewContext, shown: Shown, number: number): void {
  const spec = layerAt(shown.stacks, number)?.spec;
  dispatch((state) => {
    const picked = pick({ layer: number })(state);
    return spec === null || spec === undefined ? picked : chooseSpec(shown.config, spec)(picked);
  });
}

function press(context: ViewContext, shown: Shown, event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(context, shown, shown.at);
    return;
  }
  const by = chartStep(event);
  if (by === null) return;
  event.preventDefault();
  const last = shown.layers.length - 1;
  // From where the state is, not from where the page drew it: keys come faster than frames.
  context.dispatch((state) => {
    const layer = Math.max(0, Math.min(last, (state.picked.layer ?? shown.at) + by));
    return pick({ layer })(state);
  });
}

function cell(context: ViewContext, shown: Shown, layer: Layer, number: number): TemplateResult {
  const own = layer.spec === context.page.panel.config?.index;
  const classes = ["layer", layer.kind, `tone-${layer.tone % 4}`, own ? "own" : "", number === shown.at ? "at" : ""];
  return html`<span class=${classes.join(" ")} aria-hidden="true" @pointerdown=${() => choose(context, shown, number)}
    @pointerenter=${() => context.dispatch(pick({ layer: number }))}><i></i>${layer.index}</span>`;
}

function stackStrip(context: ViewContext, shown: Shown, { where, layers }: LayerStack, first: number): TemplateResult {
  return html`${shown.stacks.length > 1 ? html`<h3>${where}</h3>` : nothing}
    <div class="layer-cells">${layers.map((layer, n) => cell(context, shown, layer, first + n))}</div>`;
}

function strips(context: ViewContext, shown: Shown): TemplateResult {
  const name = chartName(context.drawable, t("Layers"), t("{0} layers", shown.layers.length));
  let first = 0;
  const each = shown.stacks.map((stack) => {
    const strip = stackStrip(context, shown, stack, first);
    first += stack.layers.length;
    return strip;
  });
  return html`<div role="figure" aria-label=${name} aria-busy="false">
    <div class="layer-strips" role="application" tabindex="0"
      aria-label=${`${name}. ${t("Use the arrow keys to move between layers; press Enter to show the layer's encoding.")}`}
      @keydown=${(event: KeyboardEvent) => press(context, shown, event)}>${each}</div>
  </div>`;
}

/** What the colours are, with the layers of each, and a button that shows it. */
function parts(context: ViewContext, shown: Shown): TemplateResult {
  const used = shown.config.specs.map((spec, index) => ({
    spec,
    index,
    layers: shown.layers.filter((layer) => layer.spec === index),
  }));
  const without = shown.layers.filter(({ spec }) => spec === null);
  const line = (tone: number, kind: string, text: string, numbers: readonly number[], action: unknown) =>
    html`<li><span class=${`layer sample ${kind} tone-${tone % 4}`} aria-hidden="true"><i></i></span>
      <span class="what">${text}<span class="which">${t("{0} layers: {1}", numbers.length, ranges(numbers))}</span></span>${action}</li>`;
  return html`<ul class="layer-parts">
    ${used.flatMap(({ spec, index, layers }) => {
      const [first] = layers;
      if (first === undefined) return [];
      const chosen = index === context.page.panel.config?.index;
      const show = chosen
        ? html`<span class="shown">${t("shown")}</span>`
        : button({
            label: t("Show {0}", summaryOf(spec)),
            glyph: t("Show"),
            onClick: () => context.dispatch(chooseSpec(shown.config, index)),
          });
      return [
        line(
          first.tone,
          first.kind,
          summaryOf(spec),
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
            t("no position encoding"),
            without.map(({ index }) => index),
            nothing,
          )
    }
  </ul>`;
}

/** A dot a layer, for what differs between layers. */
function dotChart(
  context: ViewContext,
  shown: Shown,
  label: string,
  y: ChartAxis,
  values: readonly (number | null)[],
): Chart {
  // As far as there is something to draw: the layers of another stack may have none of it.
  const last = values.findLastIndex((value) => value !== null);
  return {
    name: chartName(context.drawable, t("Layers"), t("{0} of {1} layers", label, shown.layers.length)),
    x: { label: t("layer"), scale: "linear", from: -0.5, to: last + 0.5 },
    y,
    lines: [],
    dots: values.flatMap((value, n) =>
      value === null ? [] : [{ at: [n, value] as const, filled: true, tone: "accent" as const }],
    ),
    at: shown.at <= last ? shown.at : null,
    describe: (n) => `${n} · ${values[n] === null || values[n] === undefined ? t("none") : grouped(values[n] ?? 0)}`,
    onPoint: (layer) => context.dispatch(pick({ layer })),
    height: 170,
  };
}

function logAxis(label: string, values: readonly (number | null)[]): ChartAxis {
  const known = values.filter((value) => value !== null);
  const low = Math.floor(Math.log10(Math.min(...known)) - 0.1);
  return {
    label,
    scale: "log",
    from: 10 ** low,
    to: 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known)) + 1e-9)),
  };
}

function charts(context: ViewContext, shown: Shown): Chart[] {
  const bases = shown.layers.map(({ base }) => base);
  const windows = shown.layers.map(({ window }) => window);
  const list: Chart[] = [];
  if (differ(bases)) {
    list.push(dotChart(context, shown, t("base"), logAxis("θ", bases), bases));
  }
  if (differ(windows)) {
    list.push(dotChart(context, shown, t("window"), logAxis(t("window (keys)"), windows), windows));
  }
  return list;
}

function empty(bound: boolean): TemplateResult {
  return bound
    ? html`<p class="empty why">${t("The number of layers is not set in this config.")}</p>`
    : html`<p class="empty why">${t("This view needs a model. Open its config and run “Preview from Config” to see one cell per layer.")}</p>`;
}

function body(context: ViewContext): TemplateResult {
  const shown = shownOf(context);
  if (shown === null || shown.layers.length === 0) return empty(shown !== null);
  return html`<div class="chart-view layers-view">
    ${strips(context, shown)}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${layerText(shown)}</p>
    ${parts(context, shown)}
    ${charts(context, shown).map((chart) => html`<posenc-chart .chart=${chart}></posenc-chart>`)}
    <p class="chart-note">${t("Full bar: full attention. Low bar: sliding window. Outline: no position encoding. The other views show the selected layer.")}</p>
  </div>`;
}

function exportable(context: ViewContext): Exportable | null {
  const shown = shownOf(context);
  if (shown === null || shown.layers.length === 0) return null;
  const kinds = { full: 2, sliding: 1, none: 0 } as const;
  const overview = dotChart(
    context,
    shown,
    t("kind"),
    { label: t("0 none, 1 window, 2 full"), scale: "linear", from: -0.4, to: 2.4 },
    shown.layers.map(({ kind }) => kinds[kind]),
  );
  return {
    // As high as the words along its axis are long.
    svg: chartsSvg([{ ...overview, height: 250 }, ...charts(context, shown)]),
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

/** A cell a layer: which encoding it has, how far it sees, and a way to show it. */
export const layersView: View = {
  id: "layers",
  title: () => t("Layers"),
  starts: true,
  unavailable: () => null,
  body,
  exportable,
};
