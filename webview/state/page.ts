import type { Language } from "../../src/core/l10n/l10n.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { Drawn, Mode } from "../engine/renderer.ts";
import { type History, NO_HISTORY, record, type undo } from "./history.ts";
import type { Cell } from "./viewport.ts";

/** Kinds of colour theme, as the editor's body classes tell them. */
export type Theme = "dark" | "light" | "hc-black" | "hc-light";

export interface Drawing {
  readonly busy: boolean;
  /** 0 … 1 while a long computation goes on. */
  readonly progress: number | null;
  readonly drawn: Drawn | null;
  readonly error: string | null;
  /** Who draws, and why not the GPU; null before the first picture. */
  readonly mode: Mode | null;
}

export interface Task {
  readonly label: string;
  readonly fraction: number;
  readonly cancel: () => void;
}

/** Everything that the page shows. Only `panel` is kept and sent; the rest is found again. */
export interface Page {
  readonly panel: PanelState;
  readonly config: BoundConfig | null;
  readonly configProblem: string | null;
  /** The compared side's config, where it is another one than `config`. */
  readonly compared?: BoundConfig | null;
  readonly comparedProblem?: string | null;
  readonly language: Language;
  readonly theme: Theme;
  readonly drawing: Drawing;
  /** The cell that the readout tells of; follows the crosshair at once or after a rest. */
  readonly reading: Cell | null;
  /** Message of an export that failed. */
  readonly message: string | null;
  /** What an export ended with: "Copied: NumPy code". */
  readonly done?: string | null;
  /** An export that takes its time. */
  readonly task?: Task | null;
  /** What the learned values are of: file and tensor. */
  readonly weightsOf?: string | null;
  /** Counts what was read from checkpoints: what is drawn may be another thing now. */
  readonly contentRead?: number;
  readonly history?: History;
  /** The panel can be seen. */
  readonly visible: boolean;
}

export const IDLE: Drawing = { busy: false, progress: null, drawn: null, error: null, mode: null };

/** Where the sides changed places, so do their configs. */
function withConfigs(page: Page): Page {
  const { panel, config, compared = null } = page;
  const uri = panel.config?.uri;
  const swapped = uri !== undefined && uri !== config?.uri && uri === compared?.uri;
  return swapped ? { ...page, config: compared, compared: config } : page;
}

/**
 * The page after a person's change of its state, which can be taken back.
 * @param now milliseconds; changes of one control that follow each other closely are one step
 */
export function withPanel(page: Page, change: (panel: PanelState) => PanelState, now: number): Page {
  const panel = change(page.panel);
  const history = record(page.history ?? NO_HISTORY, page.panel, panel, now);
  return withConfigs({ ...page, panel, history });
}

/** The page with the last change taken back, or made again; the same page where there is none. */
export function withStep(page: Page, step: typeof undo): Page {
  const moved = step(page.history ?? NO_HISTORY, page.panel);
  return moved === null ? page : withConfigs({ ...page, ...moved });
}
