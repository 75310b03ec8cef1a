import { applyFix } from "../../../core/config/edit/applyFix.ts";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import { readConfig } from "../../../core/config/readConfig.ts";

/** More than a file has findings. Stops fixes that would undo each other forever. */
const MAX_ROUNDS = 100;

/**
 * The text with all fixes applied. It is read again after each fix, which may resolve or move the next finding.
 * @param applySeverities drops findings that the user disabled
 */
export async function applyAllFixes(
  text: string,
  applySeverities: (problems: readonly ConfigProblem[]) => Promise<readonly ConfigProblem[]>,
): Promise<string> {
  const applied = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const problems = await applySeverities(readConfig(text).problems);
    const next = problems.find((problem) => problem.fix !== undefined && !applied.has(problemKey(problem)));
    if (next?.fix === undefined) break;
    applied.add(problemKey(next));
    text = applyFix(text, next.fix);
  }
  return text;
}

function problemKey({ rule, path }: ConfigProblem): string {
  return JSON.stringify([rule, ...path]);
}
