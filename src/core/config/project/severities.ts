import type { ConfigProblem } from "../problems.ts";

const SEVERITIES: readonly ConfigProblem["severity"][] = ["error", "warning", "info"];

/**
 * Findings with the severities that a project or a user wants: rule → "error", "warning", "info" or "off".
 * `group/*` stands for all rules of a group; anything else leaves the rule's own severity.
 */
export function withSeverities<Problem extends ConfigProblem>(
  problems: readonly Problem[],
  wanted: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return problems.flatMap((problem) => {
    const choice = wanted[problem.rule] ?? wanted[problem.rule.replace(/\/.*/, "/*")];
    if (choice === "off") return [];
    const severity = SEVERITIES.find((name) => name === choice);
    return [severity === undefined ? problem : { ...problem, severity }];
  });
}
