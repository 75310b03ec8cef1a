import type { ConfigProblem } from "../../../core/config/problems.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import type { BoundConfig } from "../../../core/protocol/messages.ts";

type ConfigFindings = Required<Pick<BoundConfig, "findings" | "rules">>;

/**
 * Findings of a config, and the number of rules that were checked.
 * @param problems with the severities of project and user applied
 */
export function toConfigFindings(problems: readonly ConfigProblem[]): ConfigFindings {
  const findings = problems.map(({ rule, severity, message, range }) => ({ rule, severity, message, range }));
  return { findings, rules: RULES.length };
}
