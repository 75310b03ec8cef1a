import { t } from "@vscode/l10n";
import { svg, type TemplateResult } from "lit-html";
import { type Pair, turnsWithin } from "../../../src/core/measure/pairs.ts";
import { brief, grouped, significant } from "../../state/format.ts";
import { pick } from "../../state/picked.ts";
import { type Chart, type ChartBand, type ChartDot, roomyBounds } from "../../ui/chart/chart.ts";
import { chartName } from "../../ui/chart/parts.ts";
import type { ViewContext } from "../view.ts";
import type { ExtrapolationModel } from "./model.ts";

function unseenBand({ trained, used }: ExtrapolationModel): ChartBand[] {
  return used > trained ? [{ from: trained, to: used, label: t("not seen in training"), tone: "second" }] : [];
}

/** The value of the line at a distance: at the nearest point that was computed. */
function nearest(deltas: readonly number[], values: readonly number[], delta: number): number {
  let best = 0;
  deltas.forEach((each, n) => {
    if (Math.abs(each - delta) < Math.abs((deltas[best] ?? 0) - delta)) best = n;
  });
  return values[best] ?? Number.NaN;
}

export function decayChart({ drawable, page, dispatch }: ViewContext, model: ExtrapolationModel): Chart {
  const { decay, used, trained } = model;
  const { deltas, values, plain } = decay;
  const [low, high] = roomyBounds([...values, ...(plain ?? [])]);
  const last = Math.max(2, used - 1);
  const what = decay.bound ? t("upper bound of the score") : t("logit");
  const points = (of: readonly number[]) => deltas.map((delta, n) => [delta, of[n] ?? Number.NaN] as const);
  return {
    name: chartName(
      drawable,
      t("Extrapolation"),
      t("{0} by distance, training context {1}, current length {2}", what, trained, used),
    ),
    x: { label: t("distance δ = i − j"), scale: "log", from: 1, to: last },
    y: { label: what, scale: "linear", from: decay.bound ? 0 : low, to: high },
    lines: [
      ...(plain === null
        ? []
        : [{ label: t("unscaled"), points: points(plain), tone: "muted" as const, dashed: true }]),
      { label: t("these parameters"), points: points(values), tone: "accent" },
    ],
    bands: unseenBand(model),
    rules: trained < used ? [{ axis: "x", at: trained, label: t("training context, {0}", grouped(trained)) }] : [],
    at: Math.max(1, Math.min(last, page.panel.picked.distance ?? Math.min(64, last))),
    describe: (delta) => `δ ${grouped(delta)} · ${significant(nearest(deltas, values, delta), 5)}`,
    onPoint: (distance) => dispatch(pick({ distance })),
    height: 300,
  };
}

/** A pair meets angles at the used length that it never had in training. */
export function isUnseen({ omega, plain }: Pair, trained: number, used: number): boolean {
  const seen = plain * trained;
  return seen < 2 * Math.PI && omega * used > seen * (1 + 1e-9);
}

/** Turns of each pair in training and now; a filled dot has completed one in training. */
export function turnsChart({ drawable, page, dispatch }: ViewContext, model: ExtrapolationModel): Chart | null {
  const { pairs: set, trained, used } = model;
  const pairs = set?.pairs.filter(({ plain }) => plain > 0) ?? [];
  if (pairs.length === 0) return null;
  const before = pairs.map(({ k, plain }) => [k, turnsWithin(plain, trained)] as const);
  const now = pairs.map(({ k, omega }) => [k, omega > 0 ? turnsWithin(omega, used) : Number.NaN] as const);
  const all = [...before, ...now].map(([, turns]) => turns).filter((turns) => turns > 0);
  const dots = pairs.map(
    (pair): ChartDot => ({
      at: [pair.k, turnsWithin(pair.plain, trained)],
      filled: turnsWithin(pair.plain, trained) >= 1,
      tone: isUnseen(pair, trained, used) ? "second" : "accent",
    }),
  );
  const last = set?.pairs.length ?? 1;
  return {
    name: chartName(drawable, t("Extrapolation"), t("full rotations of {0} pairs", pairs.length)),
    x: { label: t("pair k"), scale: "linear", from: -0.5, to: last - 0.5 },
    y: {
      label: t("full rotations"),
      scale: "log",
      from: 10 ** Math.floor(Math.log10(Math.min(...all, 1))),
      to: 10 ** Math.ceil(Math.log10(Math.max(...all, 10))),
    },
    lines: [
      { label: t("in training"), points: before, tone: "accent" },
      { label: t("at the current length, with these parameters"), points: now, tone: "muted", dashed: true },
    ],
    bands: unseenPairs(pairs, trained, used),
    rules: [{ axis: "y", at: 1, label: t("one full rotation: every angle seen") }],
    dots,
    at: Math.min(page.panel.picked.pair ?? 0, last - 1),
    describe: (k) => describePair(set?.pairs[k], trained, used),
    onPoint: (pair) => dispatch(pick({ pair })),
    height: 280,
  };
}

function unseenPairs(pairs: readonly Pair[], trained: number, used: number): ChartBand[] {
  const unseen = pairs.filter((pair) => isUnseen(pair, trained, used));
  const [first, last] = [unseen[0], unseen.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ from: first.k - 0.5, to: last.k + 0.5, label: t("unseen angles"), tone: "second" }];
}

function describePair(pair: Pair | undefined, trained: number, used: number): string {
  if (pair === undefined) return "";
  return t(
    "k {0} · {1} → {2} full rotations",
    pair.k,
    brief(turnsWithin(pair.plain, trained)),
    brief(turnsWithin(pair.omega, used)),
  );
}

const SIDE = 132;

/** The causal matrix of the used length, with what training never had: by distance, or by position. */
export function seenTriangle(model: ExtrapolationModel, byPosition: boolean): TemplateResult {
  const { trained, used, seen } = model;
  const known = Math.min(1, trained / used) * SIDE;
  const all = seen.rows === 1 && !byPosition;
  const unseen = byPosition ? `M0 ${known}H${known}L${SIDE} ${SIDE}H0Z` : `M0 ${known}L${SIDE - known} ${SIDE}H0Z`;
  return svg`<svg class="seen" viewBox=${`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
    <path class="known" d=${`M0 0L${SIDE} ${SIDE}H0Z`} />
    ${known < SIDE && !all ? svg`<path class="unseen" d=${unseen} />` : ""}
    <rect class="frame" x="0.5" y="0.5" width=${SIDE - 1} height=${SIDE - 1} />
  </svg>`;
}
