import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ConfigSubject, SideRuntimeTable } from "../../src/core/protocol/side.ts";
import { folding } from "./parts.ts";
import type { Sight } from "./sidePage.ts";
import { shown } from "./values.ts";

type Row = SideRuntimeTable["rows"][number];
type Cell = Row["cells"][number];

/** Runtimes that read the same. */
interface Reading {
  readonly cell: Cell;
  readonly columns: SideRuntimeTable["columns"];
}

/** What transformers 5 reads comes first, what is not known last. */
function readingsOf({ cells }: Row, columns: SideRuntimeTable["columns"]): readonly Reading[] {
  const groups = new Map<string, { cell: Cell; columns: SideRuntimeTable["columns"][number][] }>();
  cells.forEach((cell, n) => {
    const column = columns[n];
    if (column === undefined) return;
    const key = JSON.stringify([cell.fate, cell.value, cell.differs]);
    const group = groups.get(key) ?? { cell, columns: [] };
    group.columns.push(column);
    groups.set(key, group);
  });
  const rank = ({ cell }: Reading) => (cell.fate === "unknown" ? 2 : cell.differs ? 1 : 0);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

function said({ fate, value }: Cell): string {
  switch (fate) {
    case "value":
      return value === null ? t("none") : shown(value);
    case "ignored":
      return t("ignored");
    case "refused":
      return t("rejected");
    case "unknown":
      return t("unknown");
  }
}

/** Why this very runtime reads it so. */
function notesOf({ cells }: Row, columns: SideRuntimeTable["columns"], reading: Reading): readonly string[] {
  if (!reading.cell.differs) return [];
  return reading.columns.flatMap((column) => {
    const note = cells[columns.indexOf(column)]?.note ?? null;
    return note === null ? [] : [reading.columns.length > 1 ? `${column.name}: ${note}` : note];
  });
}

function line(
  row: Row,
  columns: SideRuntimeTable["columns"],
  reading: Reading,
  first: boolean,
  lines: number,
): TemplateResult {
  const { cell, columns: by } = reading;
  const everyone = by.length === columns.length;
  return html`<tr class=${`${cell.fate} ${cell.differs ? "differs" : ""}`}>
    ${first ? html`<th scope="rowgroup" rowspan=${lines}>${row.name}</th>` : nothing}
    <td class="read">${cell.differs ? html`<span aria-hidden="true">≠ </span><span class="aloud">${t("differs:")}</span>` : nothing}${said(cell)}</td>
    <td class="by">${everyone ? t("all") : by.map(({ name, version }, n) => html`${n === 0 ? "" : ", "}<span title=${version}>${name}</span>`)}
      ${notesOf(row, columns, reading).map((note) => html`<span class="note">${note}</span>`)}
    </td>
  </tr>`;
}

function table({ columns, rows }: SideRuntimeTable): TemplateResult {
  const versions = columns.map(({ name, version }) => `${name} (${version})`).join(", ");
  return html`<table class="runtimes" aria-label=${t("Effective values by runtime")}>
      <thead><tr><th scope="col" class="aloud">${t("parameter")}</th><th scope="col">${t("value")}</th><th scope="col">${t("runtimes")}</th></tr></thead>
      ${rows.map((row) => {
        const readings = readingsOf(row, columns);
        return html`<tbody>${readings.map((reading, n) => line(row, columns, reading, n === 0, readings.length))}</tbody>`;
      })}
    </table>
    <p class="caption">${t("Versions: {0}.", versions)}</p>`;
}

/** What each runtime makes of this encoding; where one differs from transformers 5, that is marked. */
export function runtimes({ runtimes: tables }: ConfigSubject, sight: Sight): TemplateResult | typeof nothing {
  const own = tables.find(({ spec }) => spec === sight.part.index);
  if (own === undefined) return nothing;
  const differing = own.rows.filter(({ cells }) => cells.some(({ differs }) => differs)).length;
  const note = html`<span class="count">${differing === 0 ? t("all agree") : t("{0} differ", differing)}</span>`;
  return folding("runtimes", t("Effective values by runtime"), sight, () => table(own), note);
}
