import type { Localized } from "../../l10n/l10n.ts";
import type { Range } from "../../spec.ts";
import type { PythonDocument } from "../document.ts";

/** Something about a file's position encodings that its reader should know. */
export interface CodeDiagnostic {
  /** `code/two-layouts`, …: the key of settings and of the rules' page. */
  readonly rule: string;
  readonly severity: "warning" | "info";
  /** In the current language. */
  readonly message: string;
  readonly range: Range;
  /** Other places that belong to it. */
  readonly related: readonly { readonly message: string; readonly range: Range }[];
}

/** One check of code. One file each, listed in `index.ts`. */
export interface CodeRule {
  readonly id: string;
  readonly severity: CodeDiagnostic["severity"];
  /** What it finds, and why that matters: the rules' page. */
  readonly title: Localized;
  readonly rationale: Localized;
  /** Paper or source path behind the rule. */
  readonly reference: string;
  readonly find: (document: PythonDocument) => readonly Omit<CodeDiagnostic, "rule" | "severity">[];
}
