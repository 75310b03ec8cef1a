import type { CheckpointContent, PanelState } from "../../src/core/protocol/state.ts";
import type { OwnRows } from "../../src/core/terms/content.ts";

/** Queries and keys that were read from a checkpoint. Too large for the state, which only names them. */

/** What is read: tokens of a file, for one head. */
export interface WantedRows extends CheckpointContent {
  readonly head: number;
  readonly headDim: number;
}

function keyOf({ uri, ids, head, headDim }: WantedRows): string {
  return JSON.stringify([uri, ids, head, headDim]);
}

/** The heads that were looked at last. */
const MOST = 16;
const known = new Map<string, OwnRows>();

export function keepRows(wanted: WantedRows, q: Float64Array, k: Float64Array): void {
  if (known.size >= MOST) known.clear();
  known.set(keyOf(wanted), { q, k, dim: wanted.headDim });
}

export function rowsOf(wanted: WantedRows): OwnRows | undefined {
  return known.get(keyOf(wanted));
}

export function checkpointOf({ content }: Pick<PanelState, "content">): CheckpointContent | null {
  return typeof content === "object" && "checkpoint" in content ? content.checkpoint : null;
}
