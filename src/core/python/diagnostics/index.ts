import type { PythonDocument } from "../document.ts";
import type { CodeDiagnostic, CodeRule } from "./diagnostic.ts";
import { doublingMismatch } from "./doublingMismatch.ts";
import { lowPrecision } from "./lowPrecision.ts";
import { silentFallback } from "./silentFallback.ts";
import { twoLayouts } from "./twoLayouts.ts";

/** The table of checks of code. */
export const CODE_RULES: readonly CodeRule[] = [twoLayouts, doublingMismatch, lowPrecision, silentFallback];

/** What the checks say about a file, in source order. Never throws. */
export function codeDiagnostics(document: PythonDocument): readonly CodeDiagnostic[] {
  return CODE_RULES.flatMap(({ id, severity, find }) =>
    find(document).map((found) => ({ rule: id, severity, ...found })),
  ).sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column);
}
