import { t } from "@vscode/l10n";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState, Side } from "../../src/core/protocol/state.ts";
import type { Page } from "./page.ts";
import { type Model, modelOf } from "./panelEncoding.ts";
import type { Drawable } from "./resolvedEncoding.ts";

/** Both sides of a comparison, over the same positions. */
export interface Comparison {
  readonly a: Drawable;
  readonly b: Drawable;
  /** Side B as its controls would show it. */
  readonly model: Model;
  /** Set where one side ends before the lengths that were asked for. */
  readonly shortened: number | null;
}

/** The config that side B's values come from. */
export function comparedConfig({ panel, config, compared }: Page): BoundConfig | null {
  const uri = panel.compare?.config?.uri;
  if (uri === undefined) return null;
  return [config, compared ?? null].find((candidate) => candidate?.uri === uri) ?? null;
}

/** The panel as it would be, had it side B's encoding. */
function otherPanel(panel: PanelState, { encoding, config, given, changes }: Side): PanelState {
  return { ...panel, encoding, config, given, changes, compare: null };
}

/** Side B alone; null where nothing is compared, or the config is not there (yet). */
export function comparedModel(page: Page): Model | null {
  const { panel } = page;
  if (panel.compare === null) return null;
  const config = comparedConfig(page);
  if (panel.compare.config !== null && config === null) return null;
  return modelOf(otherPanel(panel, panel.compare), config);
}

/**
 * Both sides, drawn as far as the shorter one reaches.
 * @returns a text where side B cannot be drawn
 */
export function comparisonOf(page: Page): Comparison | string | null {
  const { panel, config } = page;
  if (panel.compare === null) return null;
  const model = comparedModel(page);
  if (model === null) return page.comparedProblem ?? t("reading the config for side B…");
  const own = modelOf(panel, config)?.drawable ?? null;
  if (own === null) return null;
  if (model.drawable === null) return whyNot(model);
  const shorter = Math.min(own.scene.keyLength, model.drawable.scene.keyLength);
  if (own.scene.keyLength === model.drawable.scene.keyLength)
    return { a: own, b: model.drawable, model, shortened: own.ends === null ? null : shorter };
  const short = { ...panel, keyLength: shorter, queryLength: Math.min(panel.queryLength, shorter) };
  const a = modelOf(short, config)?.drawable ?? null;
  const b = modelOf(otherPanel(short, panel.compare), comparedConfig(page))?.drawable ?? null;
  return a === null || b === null ? null : { a, b, model, shortened: shorter };
}

function whyNot({ failure, problems }: Model): string {
  const [problem] = problems;
  return failure ?? (problem === undefined ? t("Side B cannot be drawn.") : `${problem.param}: ${problem.rule}`);
}
