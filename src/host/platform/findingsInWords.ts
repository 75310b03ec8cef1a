import { t } from "@vscode/l10n";
import type { ConfigProblem } from "../../core/config/problems.ts";
import type { ConfigReading } from "../../core/config/readConfig.ts";

type Severity = ConfigProblem["severity"];

/** How a file stands: the worst that was found in it, and how much in words; no words where nothing was found. */
export interface Verdict {
  readonly worst: Severity | undefined;
  readonly words: string;
}

/** @param problems those of the reading with the severities that the user wants */
export function findingsInWords(error: ConfigReading["error"], problems: readonly ConfigProblem[]): Verdict {
  if (error !== null) return { worst: "error", words: t("unreadable") };
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings, infos] = [count("error"), count("warning"), count("info")];
  const words = [
    ...(errors === 0 ? [] : [errors === 1 ? t("1 error") : t("{0} errors", errors)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? t("1 warning") : t("{0} warnings", warnings)]),
    ...(infos === 0 ? [] : [infos === 1 ? t("1 note") : t("{0} notes", infos)]),
  ];
  const worst = errors > 0 ? "error" : warnings > 0 ? "warning" : infos > 0 ? "info" : undefined;
  return { worst, words: words.join(", ") };
}
