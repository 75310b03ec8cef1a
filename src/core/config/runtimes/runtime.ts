import type { Localized } from "../../l10n/l10n.ts";
import type { ParamValue } from "../../spec.ts";
import type { RopeFile } from "./ropeFile.ts";

/** What a runtime may read differently; ids of the table's rows. */
export const ROW_IDS = [
  "rope_theta",
  "rope_type",
  "factor",
  "original_max_position_embeddings",
  "attention_factor",
  "truncate",
  "rotary_dim",
  "layout",
  "sliding_window",
  "context",
] as const;
export type RowId = (typeof ROW_IDS)[number];

/** What becomes of a value: read, passed over, refused with an error, or not known to us. */
export type Fate = "value" | "ignored" | "refused" | "unknown";

export interface Read {
  readonly fate: Fate;
  /** null where the fate is not `value`, or where the runtime has none. */
  readonly value: ParamValue;
  readonly note: Localized | null;
}

/** One program that loads a `config.json`. Adding one is one file and its line in `index.ts`. */
export interface Runtime {
  readonly id: string;
  readonly name: string;
  /** Release or commit whose source was read. */
  readonly version: string;
  /** Repository and paths of that source. */
  readonly source: string;
  /** Rows without a reader are unknown. */
  readonly reads: Readonly<Partial<Record<RowId, (file: RopeFile) => Read>>>;
}

export function is(value: ParamValue, note: Localized | null = null): Read {
  return { fate: "value", value, note };
}

export function ignored(note: Localized): Read {
  return { fate: "ignored", value: null, note };
}

export function refused(note: Localized): Read {
  return { fate: "refused", value: null, note };
}

export function unknown(note: Localized | null = null): Read {
  return { fate: "unknown", value: null, note };
}
