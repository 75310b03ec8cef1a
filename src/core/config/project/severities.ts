import type { ConfigProblem } from "../problems.ts";

const SEVERITIES: readonly ConfigProblem["severity"][] = ["error", "warning", "info"];

/**
 * Applies the severities of a project or user: rule → "error", "warning", "info" or "off". `group/*` stands for all
 * rules of a group; any other value keeps the rule's own severity.
 */
export function applySeverities<Problem extends ConfigProblem>(
  problems: readonly Problem[],
  choices: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return problems.flatMap((problem) => {
    const choice = choices[problem.rule] ?? choices[problem.rule.replace(/\/.*/, "/*")];
    if (choice === "off") return [];
    const severity = SEVERITIES.find((name) => name === choice);
    return [severity === undefined ? problem : { ...problem, severity }];
  });
}
