import type { PositionScheme } from "../../src/core/protocol/state.ts";
import type { Params } from "../../src/core/spec.ts";
import type { Change } from "./reducers.ts";

/** Several parameters at once, as one change that one undo takes back. */
export function changeParams(values: Params): Change {
  return (state) => ({ ...state, changes: { ...state.changes, ...values } });
}

/** The longest text of the training; null: as the parameters have it. */
export function changeTrained(trained: number | null): Change {
  return (state) => ({ ...state, trained });
}

/** How the tokens are numbered. */
export function changePositions(change: Partial<PositionScheme>): Change {
  return (state) => ({ ...state, positions: { ...state.positions, ...change } });
}
