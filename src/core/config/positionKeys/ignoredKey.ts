import type { TextRange } from "../../spec.ts";
import type { Path } from "../text/json.ts";

/** A key of a file that speaks of positions and has no effect on them. */
export interface IgnoredKey {
  readonly path: Path;
  readonly range: TextRange;
  /** Why, in the current language. */
  readonly reason: string;
}

/** Receives keys that a reader knows to be without effect. */
export type IgnoreKey = (key: IgnoredKey) => void;
