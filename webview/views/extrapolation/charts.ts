import * as l10n from "@vscode/l10n";
import { svg, type TemplateResult } from "lit-html";
import { type FrequencyPair, rotationsWithin } from "../../../src/core/measure/pairs.ts";
import { changePicked } from "../../state/reducers.ts";
import { type Chart, type ChartBand, type ChartDot, roomyBounds } from "../../ui/chart/chart.ts";
import { formatBrief, formatSignificant, groupDigits } from "../../ui/format.ts";
import { chartName } from "../chartParts.ts";
import type { ViewContext } from "../view.ts";
import type { ExtrapolationData } from "./computeExtrapolation.ts";

function unseenDistanceBand({ trainingContext, currentLength }: ExtrapolationData): ChartBand[] {
  return currentLength > trainingContext
    ? [{ from: trainingContext, to: currentLength, label: l10n.t("not seen in training"), tone: "second" }]
    : [];
}

/** The value at the nearest distance that was computed. */
function nearestValue(deltas: readonly number[], values: readonly number[], delta: number): number {
  let best = 0;
  deltas.forEach((each, n) => {
    if (Math.abs(each - delta) < Math.abs((deltas[best] ?? 0) - delta)) best = n;
  });
  return values[best] ?? Number.NaN;
}

export function decayChart({ resolved, page, dispatch }: ViewContext, data: ExtrapolationData): Chart {
  const { decay, currentLength, trainingContext } = data;
  const { deltas, values, unscaled } = decay;
  const [low, high] = roomyBounds([...values, ...(unscaled ?? [])]);
  const last = Math.max(2, currentLength - 1);
  const quantity = decay.isBound ? l10n.t("upper bound of the score") : l10n.t("logit");
  const points = (of: readonly number[]) => deltas.map((delta, n) => [delta, of[n] ?? Number.NaN] as const);
  return {
    name: chartName(
      resolved,
      l10n.t("Extrapolation"),
      l10n.t("{0} by distance, training context {1}, current length {2}", quantity, trainingContext, currentLength),
    ),
    x: { label: l10n.t("distance δ = i − j"), scale: "log", from: 1, to: last },
    y: { label: quantity, scale: "linear", from: decay.isBound ? 0 : low, to: high },
    lines: [
      ...(unscaled === null
        ? []
        : [{ label: l10n.t("unscaled"), points: points(unscaled), tone: "muted" as const, dashed: true }]),
      { label: l10n.t("these parameters"), points: points(values), tone: "accent" },
    ],
    bands: unseenDistanceBand(data),
    rules:
      trainingContext < currentLength
        ? [{ axis: "x", at: trainingContext, label: l10n.t("training context, {0}", groupDigits(trainingContext)) }]
        : [],
    crosshair: Math.max(1, Math.min(last, page.panel.picked.distance ?? Math.min(64, last))),
    describe: (delta) => `δ ${groupDigits(delta)} · ${formatSignificant(nearestValue(deltas, values, delta), 5)}`,
    onPoint: (distance) => dispatch(changePicked({ distance })),
    height: 300,
  };
}

/** Whether a pair reaches unseen angles at the current length. */
export function reachesUnseenAngles(
  { omega, unscaledOmega }: FrequencyPair,
  trainingContext: number,
  currentLength: number,
): boolean {
  const seen = unscaledOmega * trainingContext;
  return seen < 2 * Math.PI && omega * currentLength > seen * (1 + 1e-9);
}

/**
 * Rotations of each pair within the training context and at the current length; a filled dot marks at least one full
 * rotation in training.
 */
export function rotationsChart({ resolved, page, dispatch }: ViewContext, data: ExtrapolationData): Chart | null {
  const { pairs: set, trainingContext, currentLength } = data;
  const pairs = set?.pairs.filter(({ unscaledOmega }) => unscaledOmega > 0) ?? [];
  if (pairs.length === 0) return null;
  const trainedPoints = pairs.map(
    ({ k, unscaledOmega }) => [k, rotationsWithin(unscaledOmega, trainingContext)] as const,
  );
  const currentPoints = pairs.map(
    ({ k, omega }) => [k, omega > 0 ? rotationsWithin(omega, currentLength) : Number.NaN] as const,
  );
  const rotations = [...trainedPoints, ...currentPoints].map(([, turns]) => turns).filter((turns) => turns > 0);
  const dots = pairs.map(
    (pair): ChartDot => ({
      at: [pair.k, rotationsWithin(pair.unscaledOmega, trainingContext)],
      filled: rotationsWithin(pair.unscaledOmega, trainingContext) >= 1,
      tone: reachesUnseenAngles(pair, trainingContext, currentLength) ? "second" : "accent",
    }),
  );
  const last = set?.pairs.length ?? 1;
  return {
    name: chartName(resolved, l10n.t("Extrapolation"), l10n.t("full rotations of {0} pairs", pairs.length)),
    x: { label: l10n.t("pair k"), scale: "linear", from: -0.5, to: last - 0.5 },
    y: {
      label: l10n.t("full rotations"),
      scale: "log",
      from: 10 ** Math.floor(Math.log10(Math.min(...rotations, 1))),
      to: 10 ** Math.ceil(Math.log10(Math.max(...rotations, 10))),
    },
    lines: [
      { label: l10n.t("in training"), points: trainedPoints, tone: "accent" },
      {
        label: l10n.t("at the current length, with these parameters"),
        points: currentPoints,
        tone: "muted",
        dashed: true,
      },
    ],
    bands: unseenPairBand(pairs, trainingContext, currentLength),
    rules: [{ axis: "y", at: 1, label: l10n.t("one full rotation: every angle seen") }],
    dots,
    crosshair: Math.min(page.panel.picked.pair ?? 0, last - 1),
    describe: (k) => describePair(set?.pairs[k], trainingContext, currentLength),
    onPoint: (pair) => dispatch(changePicked({ pair })),
    height: 280,
  };
}

function unseenPairBand(pairs: readonly FrequencyPair[], trainingContext: number, currentLength: number): ChartBand[] {
  const unseen = pairs.filter((pair) => reachesUnseenAngles(pair, trainingContext, currentLength));
  const [first, last] = [unseen[0], unseen.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ from: first.k - 0.5, to: last.k + 0.5, label: l10n.t("unseen angles"), tone: "second" }];
}

function describePair(pair: FrequencyPair | undefined, trainingContext: number, currentLength: number): string {
  if (pair === undefined) return "";
  return l10n.t(
    "k {0} · {1} → {2} full rotations",
    pair.k,
    formatBrief(rotationsWithin(pair.unscaledOmega, trainingContext)),
    formatBrief(rotationsWithin(pair.omega, currentLength)),
  );
}

const TRIANGLE_SIZE = 132;

/** The causal matrix at the current length, with the part unseen in training: by distance, or by position. */
export function seenTriangle(data: ExtrapolationData, byPosition: boolean): TemplateResult {
  const { trainingContext, currentLength, seen } = data;
  const trainedSide = Math.min(1, trainingContext / currentLength) * TRIANGLE_SIZE;
  const allSeen = seen.rows === 1 && !byPosition;
  const unseen = byPosition
    ? `M0 ${trainedSide}H${trainedSide}L${TRIANGLE_SIZE} ${TRIANGLE_SIZE}H0Z`
    : `M0 ${trainedSide}L${TRIANGLE_SIZE - trainedSide} ${TRIANGLE_SIZE}H0Z`;
  return svg`<svg class="seen" viewBox=${`0 0 ${TRIANGLE_SIZE} ${TRIANGLE_SIZE}`} aria-hidden="true">
    <path class="known" d=${`M0 0L${TRIANGLE_SIZE} ${TRIANGLE_SIZE}H0Z`} />
    ${trainedSide < TRIANGLE_SIZE && !allSeen ? svg`<path class="unseen" d=${unseen} />` : ""}
    <rect class="frame" x="0.5" y="0.5" width=${TRIANGLE_SIZE - 1} height=${TRIANGLE_SIZE - 1} />
  </svg>`;
}
