import type * as vscode from "vscode";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import type { BoundConfig } from "../../../core/protocol/messages.ts";
import type { Services } from "../../services.ts";

export type Findings = Required<Pick<BoundConfig, "findings" | "rules">>;

/** What the rules report of a config, as its project and the user want it, and how many of them were asked. */
export async function findingsOf(
  { rules }: Pick<Services, "rules">,
  uri: vscode.Uri,
  problems: readonly ConfigProblem[],
): Promise<Findings> {
  const wanted = await rules.of(uri, problems);
  const findings = wanted.map(({ rule, severity, message, range }) => ({ rule, severity, message, range }));
  return { findings, rules: RULES.length };
}
