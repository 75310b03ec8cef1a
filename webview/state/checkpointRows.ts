import type { CheckpointContent, PanelState } from "../../src/core/protocol/state.ts";
import type { CheckpointRows } from "../../src/core/terms/content.ts";

/** Queries and keys read from a checkpoint. Too large for the panel state, which only names their source. */

/** Tokens of a checkpoint file, for one head. */
export interface RowsRequest extends CheckpointContent {
  readonly head: number;
  readonly headDim: number;
}

function rowsKey({ uri, ids, head, headDim }: RowsRequest): string {
  return JSON.stringify([uri, ids, head, headDim]);
}

const MAX_CACHED_HEADS = 16;
const rowsCache = new Map<string, CheckpointRows>();

export function cacheRows(request: RowsRequest, q: Float64Array, k: Float64Array): void {
  if (rowsCache.size >= MAX_CACHED_HEADS) rowsCache.clear();
  rowsCache.set(rowsKey(request), { q, k, dim: request.headDim });
}

export function cachedRows(request: RowsRequest): CheckpointRows | undefined {
  return rowsCache.get(rowsKey(request));
}

export function checkpointContent({ content }: Pick<PanelState, "content">): CheckpointContent | null {
  return typeof content === "object" && "checkpoint" in content ? content.checkpoint : null;
}
