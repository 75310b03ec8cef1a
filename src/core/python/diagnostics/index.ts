import type { PythonDocument } from "../document.ts";
import type { CodeDiagnostic, CodeRule } from "./diagnostic.ts";
import { doublingMismatch } from "./doublingMismatch.ts";
import { lowPrecision } from "./lowPrecision.ts";
import { silentFallback } from "./silentFallback.ts";
import { twoLayouts } from "./twoLayouts.ts";

/** All rules for Python code. */
export const CODE_RULES: readonly CodeRule[] = [twoLayouts, doublingMismatch, lowPrecision, silentFallback];

/** Findings of all rules in a file, in source order. Never throws. */
export function findCodeDiagnostics(document: PythonDocument): readonly CodeDiagnostic[] {
  return CODE_RULES.flatMap(({ id, severity, find }) =>
    find(document).map((diagnostic) => ({ rule: id, severity, ...diagnostic })),
  ).sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column);
}
