import { applyFix } from "../../../core/config/edit/applyFix.ts";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import { readConfig } from "../../../core/config/readConfig.ts";

/** More rounds than a file has findings; fixes that undid each other would otherwise go on for ever. */
const MOST_ROUNDS = 100;

/**
 * The text with every certain fix applied. It is read again after each: one fix may answer, or move, the next finding.
 * @param settle leaves out what the user does not want to hear of
 */
export async function allFixed(
  text: string,
  settle: (problems: readonly ConfigProblem[]) => Promise<readonly ConfigProblem[]>,
): Promise<string> {
  const done = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const problems = await settle(readConfig(text).problems);
    const next = problems.find((problem) => problem.fix !== undefined && !done.has(keyOf(problem)));
    if (next?.fix === undefined) break;
    done.add(keyOf(next));
    text = applyFix(text, next.fix);
  }
  return text;
}

function keyOf({ rule, path }: ConfigProblem): string {
  return JSON.stringify([rule, ...path]);
}
