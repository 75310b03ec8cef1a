import { type ConfigProblem, isOnRulesPage } from "../../../core/config/problems.ts";
import { isEncodingUnknown, summariseReading } from "../../../core/config/report/summarise.ts";
import { RULES } from "../../../core/config/rules/index.ts";
import { buildRuntimeTables, type RuntimeCell, type RuntimeTable } from "../../../core/config/runtimes/index.ts";
import { addRuntimeRuns } from "../../../core/config/runtimes/runtimeRuns.ts";
import { localize } from "../../../core/l10n/l10n.ts";
import type { SideFinding, SideRuntimeTable } from "../../../core/protocol/side.ts";
import { configTitle } from "../../platform/configTitle.ts";
import type { Services } from "../../services.ts";
import type { DocumentReading } from "../../stores/configStore.ts";
import type { SubjectReading } from "./readSubject.ts";

/**
 * Encodings, findings and runtime behaviour of a config; undefined if the file is not a model's.
 * @param text of the document; null for a checkpoint
 */
export async function readConfigSubject(
  { rules }: Services,
  { uri, version, reading }: DocumentReading,
  text: string | null,
): Promise<SubjectReading | undefined> {
  const { specs, error, problems } = reading;
  if (specs.length === 0 && error === null && problems.length === 0 && !isEncodingUnknown(reading)) return undefined;
  const tables = error === null && text !== null ? buildRuntimeTables(text, reading) : [];
  return {
    subject: {
      kind: "config",
      uri: uri.toString(),
      title: configTitle(uri),
      summary: summariseReading(reading),
      version,
      specs: addRuntimeRuns(specs, tables),
      // Rules would report the unreadable rest as missing, so an unreadable file has only this finding.
      findings:
        error === null ? (await rules.applySeverities(uri, problems)).map(toSideFinding) : [unreadableFinding(error)],
      rules: RULES.length,
      runtimes: tables.map(localizeTable),
    },
    readable: error === null,
  };
}

function localizeTable({ spec, columns, rows }: RuntimeTable): SideRuntimeTable {
  return {
    spec,
    columns: columns.map(({ name, version }) => ({ name, version })),
    rows: rows.map(({ name, cells }) => ({ name: localize(name), cells: cells.map(localizeCell) })),
  };
}

function localizeCell({
  outcome,
  value,
  differs,
  note,
}: RuntimeCell): SideRuntimeTable["rows"][number]["cells"][number] {
  const single = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  return { outcome, value: single, differs, note: note === null ? null : localize(note) };
}

function unreadableFinding({ message, line, column }: NonNullable<DocumentReading["reading"]["error"]>): SideFinding {
  const range = { start: { line, column }, end: { line, column: column + 1 } };
  return { rule: "config/unreadable", severity: "error", message, range, explained: false };
}

/** Only rules have an entry on the rules page; `config/…` findings of the readers do not. */
export function toSideFinding({ rule, severity, message, path, range }: ConfigProblem): SideFinding {
  const key = path.join(".");
  const explained = isOnRulesPage(rule);
  return { rule, severity, message: key === "" ? message : `${key}: ${message}`, range, explained };
}
