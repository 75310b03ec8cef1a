import { ownValue } from "../../util/ownValue.ts";
import type { ConfigProblem } from "../problems.ts";

const SEVERITIES: readonly ConfigProblem["severity"][] = ["error", "warning", "info"];

/** Rules that became cases of another one. Settings may still have their ids. */
const FORMER_IDS: Readonly<Record<string, readonly string[]>> = {
  "config/read-otherwise": [
    "alibi/mpt-ignored",
    "rope/dbrx-theta",
    "rope/olmo3-sliding-base",
    "rope/partial-ignored",
    "table/relative-key-ignored",
  ],
};

/**
 * Applies the severities of a project or user: rule → "error", "warning", "info" or "off". `group/*` stands for all
 * rules of a group; any other value keeps the rule's own severity.
 */
export function applySeverities<Problem extends ConfigProblem>(
  problems: readonly Problem[],
  choices: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return problems.flatMap((problem) => {
    const ids = [problem.rule, ...(ownValue(FORMER_IDS, problem.rule) ?? []), problem.rule.replace(/\/.*/, "/*")];
    const choice = ids.map((id) => choices[id]).find((chosen) => chosen !== undefined && chosen !== null);
    if (choice === "off") return [];
    const severity = SEVERITIES.find((name) => name === choice);
    return [severity === undefined ? problem : { ...problem, severity }];
  });
}
