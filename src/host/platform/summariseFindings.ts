import * as l10n from "@vscode/l10n";
import type { ConfigProblem } from "../../core/config/problems.ts";
import type { ConfigReading } from "../../core/config/readConfig.ts";

type Severity = ConfigProblem["severity"];

/** The worst severity among a file's findings, and their counts as text (empty without findings). */
export interface FindingsSummary {
  readonly worst: Severity | undefined;
  readonly text: string;
}

/** @param problems of the reading, with the user's severities applied */
export function summariseFindings(error: ConfigReading["error"], problems: readonly ConfigProblem[]): FindingsSummary {
  if (error !== null) return { worst: "error", text: l10n.t("unreadable") };
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings, infos] = [count("error"), count("warning"), count("info")];
  const words = [
    ...(errors === 0 ? [] : [errors === 1 ? l10n.t("1 error") : l10n.t("{0} errors", errors)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? l10n.t("1 warning") : l10n.t("{0} warnings", warnings)]),
    ...(infos === 0 ? [] : [infos === 1 ? l10n.t("1 note") : l10n.t("{0} notes", infos)]),
  ];
  const worst = errors > 0 ? "error" : warnings > 0 ? "warning" : infos > 0 ? "info" : undefined;
  return { worst, text: words.join(", ") };
}
