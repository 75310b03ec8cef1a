import type { Localized } from "../../l10n/l10n.ts";
import type { TextRange } from "../../spec.ts";
import type { PythonDocument } from "../document.ts";

/** A finding about the position encodings of a Python file. */
export interface CodeDiagnostic {
  /** `code/two-layouts`, …: the key in settings and on the rules page. */
  readonly rule: string;
  readonly severity: "warning" | "info";
  /** In the current language. */
  readonly message: string;
  readonly range: TextRange;
  /** Related places. */
  readonly related: readonly { readonly message: string; readonly range: TextRange }[];
}

/** A rule for Python code. Each has its own file and a line in `index.ts`. */
export interface CodeRule {
  readonly id: string;
  readonly severity: CodeDiagnostic["severity"];
  /** What it finds and why that matters, for the rules page. */
  readonly title: Localized;
  readonly rationale: Localized;
  /** Paper or source path behind the rule. */
  readonly reference: string;
  readonly find: (document: PythonDocument) => readonly Omit<CodeDiagnostic, "rule" | "severity">[];
}
