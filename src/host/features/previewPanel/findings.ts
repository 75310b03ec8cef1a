import type { ConfigProblem } from "../../../core/config/problems.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import type { BoundConfig } from "../../../core/protocol/messages.ts";

type Findings = Required<Pick<BoundConfig, "findings" | "rules">>;

/**
 * What the rules report of a config, and how many of them were asked.
 * @param problems with the severities that its project and the user want
 */
export function findingsOf(problems: readonly ConfigProblem[]): Findings {
  const findings = problems.map(({ rule, severity, message, range }) => ({ rule, severity, message, range }));
  return { findings, rules: RULES.length };
}
