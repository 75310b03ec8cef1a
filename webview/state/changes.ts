import type { Params } from "../../src/core/spec.ts";
import type { Numbering } from "../../src/core/terms/numbering.ts";
import type { PanelChange } from "./reducers.ts";

/** Changes several parameters at once; one undo reverts them all. */
export function changeParams(values: Params): PanelChange {
  return (state) => ({ ...state, changes: { ...state.changes, ...values } });
}

/** Sets the training context in tokens; null: as the parameters have it. */
export function changeTrainingContext(trained: number | null): PanelChange {
  return (state) => ({ ...state, trained });
}

/** How the tokens are numbered. */
export function changePositions(change: Partial<Numbering>): PanelChange {
  return (state) => ({ ...state, positions: { ...state.positions, ...change } });
}
