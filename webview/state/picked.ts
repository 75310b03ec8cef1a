import type { PanelState } from "../../src/core/protocol/state.ts";
import type { PanelChange } from "./reducers.ts";

/** Changes what is selected in the charts: a pair, a distance, a patch. */
export function changePicked(change: PanelState["picked"]): PanelChange {
  return (state) => ({ ...state, picked: { ...state.picked, ...change } });
}
