import type { Language } from "../../src/core/l10n/l10n.ts";
import { lessonPanelState } from "../../src/core/learn/lessonState.ts";
import type { LessonStepId } from "../../src/core/learn/stepIds.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { DrawResult, RenderMode } from "../engine/renderer.ts";
import type { MatrixCell } from "../matrix/viewport.ts";
import type { Theme } from "../ui/theme.ts";
import type { CheckpointData } from "./checkpointData.ts";
import { type EditHistory, NO_HISTORY, recordChange, type undo } from "./history.ts";

export interface DrawingStatus {
  readonly busy: boolean;
  /** 0 … 1 while a long computation goes on. */
  readonly progress: number | null;
  readonly result: DrawResult | null;
  readonly error: string | null;
  /** Which painter draws, and why not the GPU; null before the first picture. */
  readonly mode: RenderMode | null;
}

export interface ExportTask {
  readonly label: string;
  readonly fraction: number;
  readonly cancel: () => void;
}

/** Everything the page shows. Only `panel` is saved and sent to the host; the rest is derived again. */
export interface Page {
  readonly panel: PanelState;
  readonly config: BoundConfig | null;
  readonly configProblem: string | null;
  /** Side B's config, if it is not `config`. */
  readonly comparedConfig?: BoundConfig | null;
  readonly comparedProblem?: string | null;
  readonly language: Language;
  readonly theme: Theme;
  readonly drawing: DrawingStatus;
  /** The cell in the readout; it follows the crosshair at once or after a delay. */
  readonly readoutCell: MatrixCell | null;
  readonly errorMessage: string | null;
  /** Result of the last export: "Copied: NumPy code". */
  readonly doneMessage?: string | null;
  /** A running export. */
  readonly task?: ExportTask | null;
  readonly checkpoint: CheckpointData;
  readonly history?: EditHistory;
  readonly visible: boolean;
}

export const IDLE_DRAWING: DrawingStatus = { busy: false, progress: null, result: null, error: null, mode: null };

/** When the sides were swapped, swaps their configs too. */
function matchConfigsToSides(page: Page): Page {
  const { panel, config, comparedConfig = null } = page;
  const uri = panel.config?.uri;
  const swapped = uri !== undefined && uri !== config?.uri && uri === comparedConfig?.uri;
  return swapped ? { ...page, config: comparedConfig, comparedConfig: config } : page;
}

/**
 * Shows a step of the guided path from its start, with an undo history of its own; null leaves the path and keeps the
 * picture.
 */
export function applyLesson(page: Page, id: LessonStepId | null): Page {
  if (id === null) return { ...page, panel: { ...page.panel, lesson: null } };
  const panel = lessonPanelState(id);
  return { ...page, panel, history: NO_HISTORY, readoutCell: panel.crosshair, errorMessage: null };
}

/**
 * Applies a user's change of the panel, which can be undone.
 * @param now milliseconds; changes of one control in quick succession are one step
 */
export function applyPanelChange(page: Page, change: (panel: PanelState) => PanelState, now: number): Page {
  const panel = change(page.panel);
  const history = recordChange(page.history ?? NO_HISTORY, page.panel, panel, now);
  return matchConfigsToSides({ ...page, panel, history });
}

/** Undoes or redoes one step; returns the same page if there is none. */
export function applyHistoryStep(page: Page, step: typeof undo): Page {
  const stepResult = step(page.history ?? NO_HISTORY, page.panel);
  return stepResult === null ? page : matchConfigsToSides({ ...page, ...stepResult });
}
