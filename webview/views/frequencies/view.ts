import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  type Pair,
  type PairFate,
  type PairSet,
  pairsWithUnseenAngles,
  turnsWithin,
} from "../../../src/core/measure/pairs.ts";
import { brief, grouped, significant } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { memo } from "../../state/store.ts";
import type { Chart, ChartBand, ChartDot, ChartRule, Tone } from "../../ui/chart/chart.ts";
import { chartKey, chartName, type KeyEntry } from "../../ui/chart/parts.ts";
import { chartsSvg } from "../../ui/chart/svgText.ts";
import type { Exportable, View, ViewContext } from "../view.ts";
import { type ComparedPairs, comparedBody, comparedChart, comparedTable, longer } from "./compared.ts";
import { drawablePairs, fateRuns, wavelengthBounds } from "./model.ts";

const pairsOf = memo((drawable: Drawable) => drawablePairs(drawable));

function fateText(fate: PairFate, factor: number): string {
  switch (fate) {
    case "kept":
      return t("unchanged");
    case "blended":
      return t("changed");
    case "divided":
      return t("divided by {0}", significant(factor, 4));
    case "still":
      return t("not rotated");
  }
}

const FATE_TONES: Readonly<Record<PairFate, Tone>> = {
  kept: "third",
  blended: "second",
  divided: "accent",
  still: "muted",
};

function wavelength(omega: number): number {
  return omega > 0 ? (2 * Math.PI) / omega : Number.NaN;
}

function isScaled(set: PairSet): boolean {
  return set.pairs.some(({ fate }) => fate === "blended" || fate === "divided");
}

function bands(set: PairSet): ChartBand[] {
  const runs = fateRuns(set);
  if (runs.every(({ fate }) => fate === "kept")) return [];
  return runs.map(({ fate, from, to }) => ({
    from: from - 0.5,
    to: to + 0.5,
    label: fateText(fate, set.factor),
    tone: FATE_TONES[fate],
  }));
}

/** Of an image, rows and columns are counted, not tokens. */
function onGrid({ encoding, params }: Drawable): boolean {
  return encoding.grid?.(params) !== undefined;
}

function contextRules({ trained, extended }: PairSet): ChartRule[] {
  const rules: ChartRule[] = [];
  if (trained !== null) rules.push({ axis: "y", at: trained, label: t("training context, {0}", grouped(trained)) });
  if (extended !== null) rules.push({ axis: "y", at: extended, label: t("extended context, {0}", grouped(extended)) });
  return rules;
}

function dots({ pairs, trained }: PairSet): ChartDot[] {
  return pairs.map(({ k, omega, plain }) => ({
    at: [k, wavelength(omega)],
    filled: trained !== null && turnsWithin(plain, trained) >= 1,
    tone: "accent",
  }));
}

function wavelengthChart(context: ViewContext, set: PairSet, chosen: number): Chart {
  const { drawable, dispatch } = context;
  const [low, high] = wavelengthBounds(set);
  const scaled = isScaled(set);
  const last = set.pairs.length - 1;
  return {
    name: chartName(drawable, t("Frequencies"), t("wavelength of {0} pairs", set.pairs.length)),
    x: { label: t("pair k"), scale: "linear", from: -0.5, to: last + 0.5 },
    y: {
      label: onGrid(drawable) ? t("wavelength (patches)") : t("wavelength (tokens)"),
      scale: "log",
      from: low,
      to: high,
    },
    lines: [
      ...(scaled
        ? [
            {
              label: t("unscaled"),
              points: set.pairs.map(({ k, plain }) => [k, wavelength(plain)] as const),
              tone: "muted" as const,
              dashed: true,
            },
          ]
        : []),
      {
        label: t("wavelength"),
        points: set.pairs.map(({ k, omega }) => [k, wavelength(omega)] as const),
        tone: "accent",
      },
    ],
    bands: bands(set),
    rules: contextRules(set),
    dots: dots(set),
    at: chosen,
    describe: (k) => {
      const length = brief(wavelength(set.pairs[k]?.omega ?? 0));
      return onGrid(drawable) ? t("k {0} · {1} patches", k, length) : t("k {0} · {1} tokens", k, length);
    },
    onPoint: (pair) => dispatch(pick({ pair })),
    height: 380,
  };
}

function divisorChart(context: ViewContext, set: PairSet, chosen: number): Chart {
  const largest = Math.max(...set.pairs.map(({ divisor }) => divisor));
  return {
    name: chartName(context.drawable, t("Frequencies"), t("divisor of {0} pairs", set.pairs.length)),
    x: { label: t("pair k"), scale: "linear", from: -0.5, to: set.pairs.length - 0.5 },
    y: { label: t("frequency divisor"), scale: "linear", from: 0.8, to: largest * 1.25 },
    lines: [{ label: t("divisor"), points: set.pairs.map(({ k, divisor }) => [k, divisor] as const), tone: "second" }],
    bands: bands(set),
    at: chosen,
    describe: (k) => `k ${k} · ÷ ${significant(set.pairs[k]?.divisor ?? 1, 5)}`,
    onPoint: (pair) => context.dispatch(pick({ pair })),
    height: 190,
  };
}

/** How fast a pair turns. */
function turnTexts(omega: number, grid: boolean): string[] {
  const rate = significant(omega, 6);
  const turn = brief(wavelength(omega));
  const texts = grid
    ? [t("ω = {0} rad per row or column", rate), t("full rotation in {0} patches", turn)]
    : [t("ω = {0} rad per token", rate), t("full rotation in {0} tokens", turn)];
  return omega > 0 ? texts : texts.slice(0, 1);
}

function statusText(set: PairSet, { k, omega, plain, divisor, fate }: Pair, grid: boolean): string {
  const parts = [`k = ${k}`, ...turnTexts(omega, grid)];
  if (set.trained !== null) {
    parts.push(t("{0} full rotations in training", brief(turnsWithin(plain, set.trained))));
  }
  if (set.extended !== null) {
    parts.push(t("{0} full rotations in {1} tokens", brief(turnsWithin(omega, set.extended)), grouped(set.extended)));
  }
  if (isScaled(set))
    parts.push(`${fateText(fate, set.factor)}${fate === "blended" ? ` (÷ ${significant(divisor, 5)})` : ""}`);
  return parts.join(" · ");
}

function note(set: PairSet): TemplateResult | typeof nothing {
  const { trained, extended, pairs } = set;
  if (trained === null) return nothing;
  const full = pairs.filter(({ plain }) => turnsWithin(plain, trained) >= 1).length;
  const first = t(
    "{0} of {1} pairs complete a full rotation within the training context of {2} tokens, so all their angles were seen in training; the others cover only part of the circle.",
    full,
    pairs.length,
    grouped(trained),
  );
  const length = extended ?? trained;
  const unseen = pairsWithUnseenAngles(set, length);
  const second =
    extended === null
      ? ""
      : t("At {0} tokens, {1} of {2} pairs reach unseen angles.", grouped(length), unseen, pairs.length);
  return html`<p class="chart-note">${first} ${second}</p>`;
}

function keyOf(set: PairSet): KeyEntry[] {
  const entries: KeyEntry[] = [{ label: t("these parameters"), tone: "accent" }];
  if (isScaled(set)) entries.push({ label: t("unscaled"), tone: "muted", dashed: true });
  if (set.trained !== null) entries.push({ label: t("● full rotation in training, ○ less than one"), tone: null });
  return entries;
}

function chosenPair({ page }: ViewContext, { pairs }: PairSet): number {
  return Math.min(page.panel.picked.pair ?? 0, pairs.length - 1);
}

const otherPairsOf = memo((drawable: Drawable) => drawablePairs(drawable));

function comparedOf({ other = null }: ViewContext): ComparedPairs | null {
  if (other === null) return null;
  const [a, b] = [pairsOf(other.a), otherPairsOf(other.b)];
  return a === null || b === null ? null : { a, b, other: other.model };
}

function exportable(context: ViewContext): Exportable | null {
  const compared = comparedOf(context);
  if (compared !== null) {
    const chart = comparedChart(context, compared, chosenPair(context, longer(compared)));
    return { svg: chartsSvg([chart]), table: comparedTable(compared) };
  }
  const set = pairsOf(context.drawable);
  if (set === null) return null;
  const chosen = chosenPair(context, set);
  const charts = [wavelengthChart(context, set, chosen)];
  if (isScaled(set)) charts.push(divisorChart(context, set, chosen));
  return {
    svg: chartsSvg(charts),
    table: {
      columns: ["k", "omega", "wavelength", "omega_unscaled", "divided_by", "full_rotations_in_training_context"],
      rows: set.pairs.map(({ k, omega, plain, divisor }) => [
        k,
        omega,
        wavelength(omega),
        plain,
        divisor,
        set.trained === null ? Number.NaN : turnsWithin(plain, set.trained),
      ]),
    },
  };
}

function body(context: ViewContext): TemplateResult {
  const compared = comparedOf(context);
  if (compared !== null) return comparedBody(context, compared, chosenPair(context, longer(compared)));
  const set = pairsOf(context.drawable);
  if (set === null) return html``;
  const chosen = chosenPair(context, set);
  const pair = set.pairs[chosen];
  return html`<div class="chart-view">
    <posenc-chart .chart=${wavelengthChart(context, set, chosen)}></posenc-chart>
    ${chartKey(keyOf(set))}
    <p class="chart-status" role="status" aria-label=${t("Readout")}>${pair === undefined ? nothing : statusText(set, pair, onGrid(context.drawable))}</p>
    ${note(set)}
    ${isScaled(set) ? html`<posenc-chart .chart=${divisorChart(context, set, chosen)}></posenc-chart>` : nothing}
  </div>`;
}

function whyNot(drawable: Drawable): string | null {
  if (pairsOf(drawable) !== null) return null;
  const title = localize(drawable.encoding.title);
  return drawable.encoding.grid?.(drawable.params) === undefined
    ? t("{0} has no fixed frequencies. See the Curves view for its logits by distance.", title)
    : t("{0} has no fixed frequencies. See the Grid view for its effect on rows and columns.", title);
}

/** Wavelength of each pair against the context, and what scaling makes of it. */
export const frequenciesView: View = {
  id: "frequencies",
  title: () => t("Frequencies"),
  unavailable: whyNot,
  body,
  exportable,
  compares: true,
};
