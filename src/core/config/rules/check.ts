import type { ConfigProblem } from "../problems.ts";
import type { Facts, Rule } from "./rule.ts";

/** What the given rules find; errors only where the model type's encoding is checked. */
export function runRules(rules: readonly Rule[], facts: Facts): ConfigProblem[] {
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
