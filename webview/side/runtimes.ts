import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ConfigSubject, SideRuntimeTable } from "../../src/core/protocol/side.ts";
import { badge } from "../ui/badge.ts";
import type { SectionContext } from "./section.ts";
import { formatValue } from "./values.ts";
import { foldingSection } from "./widgets.ts";
import "./runtimes.css";

type SideRuntimeRow = SideRuntimeTable["rows"][number];
type SideRuntimeCell = SideRuntimeRow["cells"][number];

/** Runtimes that read the same value. */
interface SharedReading {
  readonly cell: SideRuntimeCell;
  readonly columns: SideRuntimeTable["columns"];
}

/** Groups runtimes by what they read: transformers 5 first, unknown last. */
function groupReadings({ cells }: SideRuntimeRow, columns: SideRuntimeTable["columns"]): readonly SharedReading[] {
  const groups = new Map<string, { cell: SideRuntimeCell; columns: SideRuntimeTable["columns"][number][] }>();
  cells.forEach((cell, n) => {
    const column = columns[n];
    if (column === undefined) return;
    const key = JSON.stringify([cell.outcome, cell.value, cell.differs]);
    const group = groups.get(key) ?? { cell, columns: [] };
    group.columns.push(column);
    groups.set(key, group);
  });
  const rank = ({ cell }: SharedReading) => (cell.outcome === "unknown" ? 2 : cell.differs ? 1 : 0);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

function readingText({ outcome, value }: SideRuntimeCell): string {
  switch (outcome) {
    case "value":
      return value === null ? l10n.t("none") : formatValue(value);
    case "ignored":
      return l10n.t("ignored");
    case "refused":
      return l10n.t("rejected");
    case "unknown":
      return l10n.t("unknown");
  }
}

/** Why these runtimes differ. */
function readingNotes(
  { cells }: SideRuntimeRow,
  columns: SideRuntimeTable["columns"],
  reading: SharedReading,
): readonly string[] {
  if (!reading.cell.differs) return [];
  return reading.columns.flatMap((column) => {
    const note = cells[columns.indexOf(column)]?.note ?? null;
    return note === null ? [] : [reading.columns.length > 1 ? `${column.name}: ${note}` : note];
  });
}

function readingRow(
  row: SideRuntimeRow,
  columns: SideRuntimeTable["columns"],
  reading: SharedReading,
  first: boolean,
  lines: number,
): TemplateResult {
  const { cell, columns: by } = reading;
  const everyone = by.length === columns.length;
  return html`<tr class=${`${cell.outcome} ${cell.differs ? "differs" : ""}`}>
    ${first ? html`<th scope="rowgroup" rowspan=${lines}>${row.name}</th>` : nothing}
    <td class="read">${cell.differs ? html`<span aria-hidden="true">≠ </span><span class="aloud">${l10n.t("differs:")}</span>` : nothing}${readingText(cell)}</td>
    <td class="by">${everyone ? l10n.t("all") : by.map(({ name, version }, n) => html`${n === 0 ? "" : ", "}<span title=${version}>${name}</span>`)}
      ${readingNotes(row, columns, reading).map((note) => html`<span class="note">${note}</span>`)}
    </td>
  </tr>`;
}

function runtimesTable({ columns, rows }: SideRuntimeTable): TemplateResult {
  const versions = columns.map(({ name, version }) => `${name} (${version})`).join(", ");
  return html`<table class="runtimes" aria-label=${l10n.t("Effective values by runtime")}>
      <thead><tr><th scope="col" class="aloud">${l10n.t("parameter")}</th><th scope="col">${l10n.t("value")}</th><th scope="col">${l10n.t("runtimes")}</th></tr></thead>
      ${rows.map((row) => {
        const readings = groupReadings(row, columns);
        return html`<tbody>${readings.map((reading, n) => readingRow(row, columns, reading, n === 0, readings.length))}</tbody>`;
      })}
    </table>
    <p class="caption">${l10n.t("Versions: {0}.", versions)}</p>`;
}

/** Chooses two readings of the encoding, as declared or by a runtime that differs, and draws them in the panel. */
function runsComparison({ selected: { spec, index }, send }: SectionContext): TemplateResult | typeof nothing {
  const names = Object.keys(spec.runs ?? {});
  if (names.length === 0) return nothing;
  const compare = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const chosen = form instanceof HTMLFormElement ? [...form.querySelectorAll("select")] : [];
    const [a = null, b = null] = chosen.map(({ value }) => (value === "" ? null : value));
    send({ type: "compareRuns", index, a, b });
  };
  const side = (label: string, initial: string) => html`<select class="chooser" aria-label=${label}>
    ${["", ...names].map((name) => html`<option value=${name} ?selected=${name === initial}>${name === "" ? l10n.t("as declared") : name}</option>`)}
  </select>`;
  return html`<form class="runs" @submit=${compare}>
    ${side(l10n.t("first reading"), "")} ${side(l10n.t("second reading"), names[0] ?? "")}
    <button type="submit" class="button secondary">${l10n.t("Compare in Panel")}</button>
  </form>`;
}

/** The effective values in each runtime; values that differ from transformers 5 are marked. */
export function runtimesSection(
  { runtimes: tables }: ConfigSubject,
  context: SectionContext,
): TemplateResult | typeof nothing {
  const table = tables.find(({ spec }) => spec === context.selected.index);
  if (table === undefined) return nothing;
  const differing = table.rows.filter(({ cells }) => cells.some(({ differs }) => differs)).length;
  const note = badge(differing === 0 ? l10n.t("all agree") : l10n.t("{0} differ", differing), "count");
  return foldingSection(
    "runtimes",
    l10n.t("Effective values by runtime"),
    context,
    () => [runtimesTable(table), runsComparison(context)],
    note,
  );
}
