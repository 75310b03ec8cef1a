import * as v from "valibot";
import { type PanelState, panelStateSchema } from "../../src/core/protocol/state.ts";

/**
 * Undo and redo of the panel's settings. View, viewport, crosshair and colours only change how a setting is looked at,
 * so undo leaves them as they are; a step of the guided path begins a history of its own.
 */

const undoableSettingsSchema = v.omit(panelStateSchema, [
  "version",
  "view",
  "viewport",
  "crosshair",
  "picked",
  "colour",
  "scales",
  "sharedColours",
  "lesson",
]);
type UndoableSettings = v.InferOutput<typeof undoableSettingsSchema>;

/** The history is saved with the page's state, because VS Code destroys a hidden page. So it stays short. */
const MAX_STEPS = 30;

const stepsSchema = v.pipe(v.array(undoableSettingsSchema), v.maxLength(MAX_STEPS));
export const historySchema = v.object({ past: stepsSchema, future: stepsSchema });

export interface EditHistory {
  /** Settings before each step, the newest last. */
  readonly past: readonly UndoableSettings[];
  /** Settings that were undone, the next one to redo last. */
  readonly future: readonly UndoableSettings[];
  /** Which control made the newest step, and when it last changed. */
  readonly latest?: { readonly key: string; readonly at: number };
}

export const NO_HISTORY: EditHistory = { past: [], future: [] };

/** Changes of one control within this time are merged into one step. */
const MERGE_WITHIN_MS = 1000;

function undoableSettings(panel: PanelState): UndoableSettings {
  const { version: _1, view: _2, viewport: _3, crosshair: _4, picked: _5, ...rest } = panel;
  const { colour: _6, scales: _7, sharedColours: _8, lesson: _9, ...settings } = rest;
  return settings;
}

function changedKeys(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

/**
 * Identifies the control that made a change by the fields that differ, parameters by name. Empty if nothing differs.
 */
function changeKey(before: UndoableSettings, after: UndoableSettings): string {
  return changedKeys(before, after)
    .flatMap((name) => (name === "changes" ? changedKeys(before.changes, after.changes) : [name]))
    .join(" ");
}

/** @param now milliseconds on any clock */
export function recordChange(history: EditHistory, before: PanelState, after: PanelState, now: number): EditHistory {
  const settings = undoableSettings(before);
  const key = changeKey(settings, undoableSettings(after));
  if (key === "") return history;
  const { latest, past } = history;
  const latestNow = { key, at: now };
  if (latest?.key === key && now - latest.at < MERGE_WITHIN_MS && past.length > 0)
    return { past, future: [], latest: latestNow };
  return { past: [...past, settings].slice(-MAX_STEPS), future: [], latest: latestNow };
}

interface HistoryStep {
  readonly history: EditHistory;
  readonly panel: PanelState;
}

/** @returns null if there is nothing to undo */
export function undo({ past, future }: EditHistory, panel: PanelState): HistoryStep | null {
  const settings = past.at(-1);
  if (settings === undefined) return null;
  const history = { past: past.slice(0, -1), future: [...future, undoableSettings(panel)].slice(-MAX_STEPS) };
  return { history, panel: { ...panel, ...settings } };
}

/** @returns null if there is nothing to redo */
export function redo({ past, future }: EditHistory, panel: PanelState): HistoryStep | null {
  const settings = future.at(-1);
  if (settings === undefined) return null;
  const history = { past: [...past, undoableSettings(panel)].slice(-MAX_STEPS), future: future.slice(0, -1) };
  return { history, panel: { ...panel, ...settings } };
}
