import * as v from "valibot";
import { type PanelState, panelStateSchema } from "../../src/core/protocol/state.ts";

/**
 * What a person changed, step by step. Where they look (view, viewport, crosshair, colours) is no change of what is
 * shown, and is left as it is when a step is taken back.
 */

const settingsSchema = v.omit(panelStateSchema, [
  "version",
  "view",
  "viewport",
  "crosshair",
  "picked",
  "colour",
  "scales",
  "sharedColours",
]);
type Settings = v.InferOutput<typeof settingsSchema>;

/** Kept with the page's state, so it is short: a hidden page is gone, and comes back with what was kept. */
const MOST = 30;

const stepsSchema = v.pipe(v.array(settingsSchema), v.maxLength(MOST));
export const historySchema = v.object({ past: stepsSchema, future: stepsSchema });

export interface History {
  /** Settings before each step, the newest last. */
  readonly past: readonly Settings[];
  /** Settings that were taken back, the next one last. */
  readonly future: readonly Settings[];
  /** What the newest step changed, and when it last went on. */
  readonly latest?: { readonly key: string; readonly at: number };
}

export const NO_HISTORY: History = { past: [], future: [] };

/** Moves of one control that follow each other within this time are one step, in milliseconds. */
const PAUSE = 1000;

function settingsOf(panel: PanelState): Settings {
  const { version: _1, view: _2, viewport: _3, crosshair: _4, picked: _5, ...rest } = panel;
  const { colour: _6, scales: _7, sharedColours: _8, ...settings } = rest;
  return settings;
}

function changedKeys(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

/** Which control made a change: the fields that differ, parameters by name. Empty where none does. */
function changeKey(before: Settings, after: Settings): string {
  return changedKeys(before, after)
    .flatMap((name) => (name === "changes" ? changedKeys(before.changes, after.changes) : [name]))
    .join(" ");
}

/** @param now milliseconds on any clock */
export function record(history: History, before: PanelState, after: PanelState, now: number): History {
  const settings = settingsOf(before);
  const key = changeKey(settings, settingsOf(after));
  if (key === "") return history;
  const { latest, past } = history;
  const latestNow = { key, at: now };
  if (latest?.key === key && now - latest.at < PAUSE && past.length > 0) return { past, future: [], latest: latestNow };
  return { past: [...past, settings].slice(-MOST), future: [], latest: latestNow };
}

interface Moved {
  readonly history: History;
  readonly panel: PanelState;
}

/** @returns null where there is nothing to take back */
export function undo({ past, future }: History, panel: PanelState): Moved | null {
  const settings = past.at(-1);
  if (settings === undefined) return null;
  const history = { past: past.slice(0, -1), future: [...future, settingsOf(panel)].slice(-MOST) };
  return { history, panel: { ...panel, ...settings } };
}

/** @returns null where nothing was taken back */
export function redo({ past, future }: History, panel: PanelState): Moved | null {
  const settings = future.at(-1);
  if (settings === undefined) return null;
  const history = { past: [...past, settingsOf(panel)].slice(-MOST), future: future.slice(0, -1) };
  return { history, panel: { ...panel, ...settings } };
}
