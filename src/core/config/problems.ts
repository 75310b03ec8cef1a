import type { TextRange } from "../spec.ts";
import type { Path } from "./text/json.ts";

/**
 * One change of a fix: sets the value at a path, or removes the key if the value is undefined. `raw` is the exact
 * spelling of the value (1.0); `renameTo` is a new name for the key, whose value stays as it is.
 */
export interface FixChange {
  readonly path: Path;
  readonly value?: unknown;
  readonly raw?: string;
  readonly renameTo?: string;
}

/** Changes that certainly resolve a finding. */
export interface Fix {
  readonly title: string;
  readonly changes: readonly FixChange[];
}

/** A finding of a reader or a rule at one location of a config. */
export interface ConfigProblem {
  /** Id of the rule: `config/wrong-type`. */
  readonly rule: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly path: Path;
  readonly range: TextRange;
  readonly fix?: Fix;
}

/** Receives a problem that was found while reading a config. */
export type ReportProblem = (problem: ConfigProblem) => void;
