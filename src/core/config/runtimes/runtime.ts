import type { Localized } from "../../l10n/l10n.ts";
import type { ParamValue } from "../../spec.ts";
import type { RopeFile } from "./ropeFile.ts";

/** What runtimes may read differently; ids of the table's rows. */
export const RUNTIME_ROW_IDS = [
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
export type RuntimeRowId = (typeof RUNTIME_ROW_IDS)[number];

/** What a runtime does with a value: reads it, ignores it, refuses it with an error, or unknown to us. */
export type ReadOutcome = "value" | "ignored" | "refused" | "unknown";

export interface RuntimeRead {
  readonly outcome: ReadOutcome;
  /** null where the outcome is not `value`, or where the runtime has none. */
  readonly value: ParamValue;
  readonly note: Localized | null;
}

/** A program that loads a `config.json`. A new one needs its file and a line in `index.ts`. */
export interface Runtime {
  readonly id: string;
  readonly name: string;
  /** Release or commit of the source that was checked. */
  readonly version: string;
  /** Repository and paths of that source. */
  readonly source: string;
  /** Rows without a reader are unknown. */
  readonly reads: Readonly<Partial<Record<RuntimeRowId, (file: RopeFile) => RuntimeRead>>>;
}

export function asRead(value: ParamValue, note: Localized | null = null): RuntimeRead {
  return { outcome: "value", value, note };
}

export function ignored(note: Localized): RuntimeRead {
  return { outcome: "ignored", value: null, note };
}

export function refused(note: Localized): RuntimeRead {
  return { outcome: "refused", value: null, note };
}

export function unknown(note: Localized | null = null): RuntimeRead {
  return { outcome: "unknown", value: null, note };
}
