import * as l10n from "@vscode/l10n";
import type { EncodingSpec, ParamValue, TextRange } from "../spec.ts";
import { ownValue } from "../util/ownValue.ts";
import type { ConfigProblem, ReportProblem } from "./problems.ts";

/**
 * Sizes that lists are made of, and the largest that a model can have, with much room: published models have heads of
 * at most 512 dimensions, 256 heads and 1000 layers.
 */
const MAX_SIZES: Readonly<Record<string, number>> = {
  head_dim: 65_536,
  rotary_dim: 65_536,
  qk_head_dim: 65_536,
  num_heads: 65_536,
  num_kv_heads: 65_536,
  num_layers: 100_000,
  num_buckets: 1_000_000,
};

export const TOO_LARGE = "config/too-large";

const FILE_START: TextRange = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };

/** Removes sizes that no model can have, and reports each at its key. */
export function limitSizes(specs: readonly EncodingSpec[], report: ReportProblem): EncodingSpec[] {
  return specs.map((spec) => {
    const removed = Object.keys(spec.params).filter((name) => isTooLarge(name, spec.params[name] ?? null));
    if (removed.length === 0) return spec;
    const atKeys = removed.filter((name) => spec.evidence.some(({ param }) => param === name));
    for (const name of atKeys.length > 0 ? atKeys : removed) report(tooLargeProblem(spec, name));
    const nulls = Object.fromEntries(removed.map((name) => [name, null]));
    return { ...spec, params: { ...spec.params, ...nulls } };
  });
}

function isTooLarge(name: string, value: ParamValue): boolean {
  const limit = ownValue(MAX_SIZES, name);
  return limit !== undefined && typeof value === "number" && value > limit;
}

/** A size that follows from others has no place of its own. */
function tooLargeProblem({ params, evidence }: EncodingSpec, name: string): ConfigProblem {
  const place = evidence.find(({ param }) => param === name);
  const limit = (ownValue(MAX_SIZES, name) ?? 0).toLocaleString("en");
  return {
    rule: TOO_LARGE,
    severity: "error",
    message: l10n.t("{0} = {1} is not read: no model has more than {2}", name, String(params[name]), limit),
    path: place?.path ?? [],
    range: place?.range ?? FILE_START,
  };
}

/** Findings of one file; more are a flood, not a report. */
export const MAX_PROBLEMS = 1000;

/** Collects findings, the latest of each rule and path, up to a limit that the last one names. */
export class ProblemList {
  readonly #problems = new Map<string, ConfigProblem>();
  #isFull = false;

  add(problem: ConfigProblem): void {
    const key = `${problem.rule} ${problem.path.join(" ")}`;
    if (this.#problems.size < MAX_PROBLEMS || this.#problems.has(key)) this.#problems.set(key, problem);
    else this.#isFull = true;
  }

  list(): ConfigProblem[] {
    const sorted = [...this.#problems.values()].sort(compareByStart);
    if (!this.#isFull) return sorted;
    const message = l10n.t("more than {0} findings; the others are not listed", MAX_PROBLEMS.toLocaleString("en"));
    return [...sorted, { rule: "config/too-many", severity: "error", message, path: [], range: FILE_START }];
  }
}

function compareByStart({ range: { start: a } }: ConfigProblem, { range: { start: b } }: ConfigProblem): number {
  return a.line - b.line || a.column - b.column;
}
