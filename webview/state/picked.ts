import type { PanelState } from "../../src/core/protocol/state.ts";
import type { Change } from "./reducers.ts";

/** Moves what is chosen in the charts: a pair of numbers, a distance, a patch. */
export function pick(change: PanelState["picked"]): Change {
  return (state) => ({ ...state, picked: { ...state.picked, ...change } });
}
