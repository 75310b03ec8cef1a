import type { Confidence, TextRange } from "../spec.ts";
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
  /** Changes of which each resolves the finding; which one is meant, only the user knows. Never applied unasked. */
  readonly choices?: readonly Fix[];
}

/** What is not checked can be no error, and a guess no more than a note: the model may well be right. */
export function limitSeverity(severity: ConfigProblem["severity"], confidence: Confidence): ConfigProblem["severity"] {
  if (confidence === "guess") return "info";
  return severity === "error" && confidence !== "checked" ? "warning" : severity;
}

/** Findings that readers report themselves. All others are those of rules, each with an entry on the rules page. */
const READER_FINDINGS: ReadonlySet<string> = new Set([
  "config/duplicate-key",
  "config/missing-value",
  "config/too-large",
  "config/too-many",
  "config/unread-position-key",
  "config/unreadable",
  "config/wrong-type",
]);

export function isOnRulesPage(rule: string): boolean {
  return !READER_FINDINGS.has(rule);
}

/** Receives a problem that was found while reading a config. */
export type ReportProblem = (problem: ConfigProblem) => void;
