import type { Range } from "../spec.ts";
import type { Path } from "./json.ts";

/** Something that a reader or a rule has to say about one place of a config. */
export interface ConfigProblem {
  /** Id of the rule: `config/wrong-type`. */
  readonly rule: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly path: Path;
  readonly range: Range;
}
