import type { ConfigProblem } from "../problems.ts";
import type { Rule, RuleFacts } from "./rule.ts";

/** Runs the given rules. Errors become warnings if the model type's encoding is not checked. */
export function runRules(rules: readonly Rule[], facts: RuleFacts): ConfigProblem[] {
  return rules
    .filter(({ formats }) => formats.includes(facts.format))
    .flatMap((rule) =>
      rule.check(facts).map(({ message, path, range, fix, checked }) => ({
        rule: rule.id,
        severity: rule.severity === "error" && checked === false ? ("warning" as const) : rule.severity,
        message,
        path,
        range,
        ...(fix === undefined ? {} : { fix }),
      })),
    );
}
