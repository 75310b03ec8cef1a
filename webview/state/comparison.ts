import * as l10n from "@vscode/l10n";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { CompareSide, PanelState } from "../../src/core/protocol/state.ts";
import type { EncodingSpec } from "../../src/core/spec.ts";
import type { Page } from "./page.ts";
import { boundSpec, derivePanelEncoding, type PanelEncoding } from "./panelEncoding.ts";
import { type ResolvedEncoding, type ResolveEncoding, resolveEncoding } from "./resolvedEncoding.ts";

/** Both sides of a comparison, over the same positions. */
export interface ComparedSides {
  readonly a: ResolvedEncoding;
  readonly b: ResolvedEncoding;
  /** Side B as its controls would show it. */
  readonly encodingB: PanelEncoding;
  /** The length both sides are drawn at, if one of them ends before the requested length. */
  readonly shortened: number | null;
}

/** Whether a comparison can be shown, and why not. */
export type Comparison =
  | { readonly kind: "off" }
  | { readonly kind: "blocked"; readonly reason: string }
  | { readonly kind: "ready"; readonly sides: ComparedSides };

const OFF: Comparison = { kind: "off" };

/** The config that side B's values come from. */
export function findConfigB({ panel, config, comparedConfig }: Page): BoundConfig | null {
  const uri = panel.compare?.config?.uri;
  if (uri === undefined) return null;
  return [config, comparedConfig ?? null].find((candidate) => candidate?.uri === uri) ?? null;
}

/** The panel with side B's encoding in place of its own. */
function panelAsSideB(panel: PanelState, { encoding, config, given, changes }: CompareSide): PanelState {
  return { ...panel, encoding, config, given, changes, compare: null };
}

/** The encoding of a config that side B was bound to. */
export function comparedSpec(page: Page): EncodingSpec | null {
  const { panel } = page;
  return panel.compare === null ? null : boundSpec(panelAsSideB(panel, panel.compare), findConfigB(page));
}

/** Resolves both sides, as far as the shorter one reaches. Off while side A cannot be drawn, which is shown elsewhere. */
export function resolveComparison(page: Page, resolve: ResolveEncoding = resolveEncoding): Comparison {
  const { panel, config, checkpoint } = page;
  const { compare } = panel;
  if (compare === null) return OFF;
  const configB = findConfigB(page);
  if (compare.config !== null && configB === null)
    return { kind: "blocked", reason: page.comparedProblem ?? l10n.t("reading the config for side B…") };
  const deriveA = (settings: PanelState) => derivePanelEncoding(settings, config, checkpoint, resolve);
  const deriveB = (settings: PanelState) =>
    derivePanelEncoding(panelAsSideB(settings, compare), configB, checkpoint, resolve);
  const a = deriveA(panel)?.resolved ?? null;
  const encodingB = deriveB(panel);
  if (a === null || encodingB === null) return OFF;
  const b = encodingB.resolved;
  if (b === null) return { kind: "blocked", reason: describeFailure(encodingB) };
  const keyLength = Math.min(a.scene.keyLength, b.scene.keyLength);
  if (a.scene.keyLength === b.scene.keyLength)
    return { kind: "ready", sides: { a, b, encodingB, shortened: a.limit === null ? null : keyLength } };
  const shorter = { ...panel, keyLength, queryLength: Math.min(panel.queryLength, keyLength) };
  const shorterA = deriveA(shorter)?.resolved ?? null;
  const shorterB = deriveB(shorter)?.resolved ?? null;
  if (shorterA === null || shorterB === null) return OFF;
  return { kind: "ready", sides: { a: shorterA, b: shorterB, encodingB, shortened: keyLength } };
}

/** Both sides, or null if they cannot be shown. */
export function readySides(comparison: Comparison): ComparedSides | null {
  return comparison.kind === "ready" ? comparison.sides : null;
}

function describeFailure({ failure, problems }: PanelEncoding): string {
  const [problem] = problems;
  return failure ?? (problem === undefined ? l10n.t("Side B cannot be drawn.") : `${problem.param}: ${problem.rule}`);
}
