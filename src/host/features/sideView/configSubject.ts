import type { ConfigProblem } from "../../../core/config/problems.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import { summarise } from "../../../core/config/summarise.ts";
import type { SideFinding } from "../../../core/protocol/side.ts";
import { configTitle } from "../../platform/configTitle.ts";
import type { Services } from "../../services.ts";
import type { ReadDocument } from "../../stores/configStore.ts";
import type { Found } from "./subjectAt.ts";

/** What a model's config says, and what the rules say of it; undefined where it names no encoding and reads well. */
export async function configSubject(
  { rules }: Services,
  { uri, version, reading }: ReadDocument,
): Promise<Found | undefined> {
  const { specs, error, problems } = reading;
  if (specs.length === 0 && error === null && problems.length === 0) return undefined;
  return {
    subject: {
      kind: "config",
      uri: uri.toString(),
      title: configTitle(uri),
      summary: summarise(specs),
      version,
      specs: [...specs],
      // What a file that cannot be read as a whole lacks, rules would call missing.
      findings: error === null ? (await rules.of(uri, problems)).map(toFinding) : [unreadable(error)],
      rules: RULES.length,
    },
    readable: error === null,
  };
}

function unreadable({ message, line, column }: NonNullable<ReadDocument["reading"]["error"]>): SideFinding {
  const range = { start: { line, column }, end: { line, column: column + 1 } };
  return { rule: "config/unreadable", severity: "error", message, range, explained: false };
}

/** What readers say of a file (`config/…`) stands for itself; rules have their entry of the page. */
export function toFinding({ rule, severity, message, path, range }: ConfigProblem): SideFinding {
  const key = path.join(".");
  const explained = !rule.startsWith("config/");
  return { rule, severity, message: key === "" ? message : `${key}: ${message}`, range, explained };
}
