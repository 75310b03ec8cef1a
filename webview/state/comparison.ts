import { t } from "@vscode/l10n";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { CompareSide, PanelState } from "../../src/core/protocol/state.ts";
import type { Page } from "./page.ts";
import { derivePanelEncoding, type PanelEncoding } from "./panelEncoding.ts";
import type { ResolvedEncoding } from "./resolvedEncoding.ts";

/** Both sides of a comparison, over the same positions. */
export interface Comparison {
  readonly a: ResolvedEncoding;
  readonly b: ResolvedEncoding;
  /** Side B as its controls would show it. */
  readonly encodingB: PanelEncoding;
  /** The length both sides are drawn at, if one of them ends before the requested length. */
  readonly shortened: number | null;
}

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

/** Side B alone; null while nothing is compared or its config has not been read. */
export function deriveComparedEncoding(page: Page): PanelEncoding | null {
  const { panel } = page;
  if (panel.compare === null) return null;
  const config = findConfigB(page);
  if (panel.compare.config !== null && config === null) return null;
  return derivePanelEncoding(panelAsSideB(panel, panel.compare), config);
}

/**
 * Resolves both sides, as far as the shorter one reaches.
 * @returns a text if side B cannot be drawn
 */
export function resolveComparison(page: Page): Comparison | string | null {
  const { panel, config } = page;
  if (panel.compare === null) return null;
  const encodingB = deriveComparedEncoding(page);
  if (encodingB === null) return page.comparedProblem ?? t("reading the config for side B…");
  const resolvedA = derivePanelEncoding(panel, config)?.resolved ?? null;
  if (resolvedA === null) return null;
  if (encodingB.resolved === null) return describeFailure(encodingB);
  const sharedLength = Math.min(resolvedA.scene.keyLength, encodingB.resolved.scene.keyLength);
  if (resolvedA.scene.keyLength === encodingB.resolved.scene.keyLength)
    return {
      a: resolvedA,
      b: encodingB.resolved,
      encodingB,
      shortened: resolvedA.limit === null ? null : sharedLength,
    };
  const shortenedPanel = { ...panel, keyLength: sharedLength, queryLength: Math.min(panel.queryLength, sharedLength) };
  const a = derivePanelEncoding(shortenedPanel, config)?.resolved ?? null;
  const b = derivePanelEncoding(panelAsSideB(shortenedPanel, panel.compare), findConfigB(page))?.resolved ?? null;
  return a === null || b === null ? null : { a, b, encodingB, shortened: sharedLength };
}

function describeFailure({ failure, problems }: PanelEncoding): string {
  const [problem] = problems;
  return failure ?? (problem === undefined ? t("Side B cannot be drawn.") : `${problem.param}: ${problem.rule}`);
}
