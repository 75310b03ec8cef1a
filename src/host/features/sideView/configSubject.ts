import type { ConfigProblem } from "../../../core/config/problems.ts";
import { summarise } from "../../../core/config/report/summarise.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import { type RuntimeCell, type RuntimeTable, runtimeTables } from "../../../core/config/runtimes/index.ts";
import { localize } from "../../../core/l10n/l10n.ts";
import type { SideFinding, SideRuntimeTable } from "../../../core/protocol/side.ts";
import { configTitle } from "../../platform/configTitle.ts";
import type { Services } from "../../services.ts";
import type { ReadDocument } from "../../stores/configStore.ts";
import type { Found } from "./subjectAt.ts";

/**
 * What a model's config says, and what the rules and the runtimes make of it; undefined where it names no encoding and
 * reads well.
 * @param text of the document; null for a checkpoint
 */
export async function configSubject(
  { rules }: Services,
  { uri, version, reading }: ReadDocument,
  text: string | null,
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
      runtimes: error === null && text !== null ? runtimeTables(text, reading).map(inWords) : [],
    },
    readable: error === null,
  };
}

function inWords({ spec, columns, rows }: RuntimeTable): SideRuntimeTable {
  return {
    spec,
    columns: columns.map(({ name, version }) => ({ name, version })),
    rows: rows.map(({ name, cells }) => ({ name: localize(name), cells: cells.map(cellInWords) })),
  };
}

function cellInWords({ fate, value, differs, note }: RuntimeCell): SideRuntimeTable["rows"][number]["cells"][number] {
  const single = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  return { fate, value: single, differs, note: note === null ? null : localize(note) };
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
