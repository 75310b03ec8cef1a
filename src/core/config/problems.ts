import type { Range } from "../spec.ts";
import type { Path } from "./text/json.ts";

/**
 * One change of a fix: the value at a path, or undefined to take it away; `raw` keeps a spelling such as 1.0;
 * `rename` is a new name for the key, which stays where it is with its value as it is written.
 */
export interface FixChange {
  readonly path: Path;
  readonly value?: unknown;
  readonly raw?: string;
  readonly rename?: string;
}

/** What makes a finding go away for certain. */
export interface Fix {
  readonly title: string;
  readonly changes: readonly FixChange[];
}

/** Something that a reader or a rule has to say about one place of a config. */
export interface ConfigProblem {
  /** Id of the rule: `config/wrong-type`. */
  readonly rule: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly path: Path;
  readonly range: Range;
  readonly fix?: Fix;
}
