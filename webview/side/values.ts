import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { sourceName } from "../../src/core/l10n/sourceName.ts";
import type { EncodingSpec, ParamValue, TextRange, ValueSource } from "../../src/core/spec.ts";
import { badge } from "../ui/badge.ts";
import { formatSignificant, groupDigits } from "../ui/format.ts";
import type { SectionContext } from "./section.ts";
import { foldingSection } from "./widgets.ts";
import "./values.css";

export function formatValue(value: ParamValue): string {
  if (typeof value === "number") return Number.isInteger(value) ? groupDigits(value) : formatSignificant(value);
  if (!Array.isArray(value)) return String(value);
  const few = value.slice(0, 3).map(String).join(", ");
  return value.length > 3 ? `${few}, … (${value.length})` : few;
}

interface ValueRow {
  readonly name: string;
  readonly value: ParamValue;
  readonly source: ValueSource;
  readonly range: TextRange | undefined;
  /** Runtimes that use another value, with it. */
  readonly others: readonly (readonly [runtime: string, value: ParamValue])[];
}

/** Values from the file come first. */
function buildValueRows({ params, sources, evidence, runs = {} }: EncodingSpec): ValueRow[] {
  const rank = (source: ValueSource) => ["config", "code", "derived", "default", "guess", "you"].indexOf(source);
  return Object.entries(params)
    .flatMap(([name, value]): ValueRow[] => {
      const source = sources[name];
      if (value === null || source === undefined) return [];
      const others = Object.entries(runs).flatMap(([runtime, used]): [string, ParamValue][] =>
        name in used && !("encoding" in used) ? [[runtime, used[name] ?? null]] : [],
      );
      return [{ name, value, source, range: evidence.find(({ param }) => param === name)?.range, others }];
    })
    .sort((a, b) => rank(a.source) - rank(b.source));
}

function valueRow({ name, value, source, range, others }: ValueRow, { send }: SectionContext): TemplateResult {
  const go = range === undefined ? undefined : () => send({ type: "reveal", range });
  return html`<div class="entry">
    <dt>${
      go === undefined
        ? name
        : html`<button type="button" class="button link" title=${l10n.t("Go to line {0}", range?.start.line ?? 1)} @click=${go}>${name}</button>`
    } ${badge(sourceName(source), source)}</dt>
    <dd title=${Array.isArray(value) ? value.join(", ") : nothing}>${formatValue(value)}${others.map(
      ([runtime, used]) =>
        html`<span class="run">${l10n.t("{0}: {1}", runtime, used === null ? l10n.t("none") : formatValue(used))}</span>`,
    )}</dd>
  </div>`;
}

/** Every value with its source; a name links to its place in the file. */
export function valuesSection(context: SectionContext): TemplateResult {
  const rows = buildValueRows(context.selected.spec);
  const count = badge(String(rows.length), "count");
  return foldingSection(
    "values",
    l10n.t("Values"),
    context,
    () => html`<dl>${rows.map((one) => valueRow(one, context))}</dl>`,
    count,
  );
}
