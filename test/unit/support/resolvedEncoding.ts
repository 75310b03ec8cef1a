import { initialPanelState, type PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../src/core/spec.ts";
import { derivePanelEncoding } from "../../../webview/state/panelEncoding.ts";

/** What the panel draws for an encoding, after changes of its initial state. */
export function resolvedEncoding(id: EncodingId, change: Partial<PanelState> = {}) {
  const resolved = derivePanelEncoding({ ...initialPanelState(id), ...change }, null)?.resolved;
  if (resolved === undefined || resolved === null) throw new Error(`${id} cannot be drawn`);
  return resolved;
}

/** A panel with as many queries as keys. */
export const square = (tokens: number) => ({ queryLength: tokens, keyLength: tokens });
