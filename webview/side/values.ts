import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { EncodingSpec, ParamValue, Range, Source } from "../../src/core/spec.ts";
import { grouped, significant } from "../state/format.ts";
import { folding } from "./parts.ts";
import type { Sight } from "./sidePage.ts";

/** As the panel's badges say it. */
function sourceName(source: Source): string {
  switch (source) {
    case "config":
      return t("config");
    case "code":
      return t("code");
    case "default":
      return t("default");
    case "derived":
      return t("derived");
    case "guess":
      return t("guess");
    case "you":
      return t("you");
  }
}

export function shown(value: ParamValue): string {
  if (typeof value === "number") return Number.isInteger(value) ? grouped(value) : significant(value);
  if (!Array.isArray(value)) return String(value);
  const few = value.slice(0, 3).map(String).join(", ");
  return value.length > 3 ? `${few}, … (${value.length})` : few;
}

interface Row {
  readonly name: string;
  readonly value: ParamValue;
  readonly source: Source;
  readonly range: Range | undefined;
}

/** What the file says itself comes first. */
function rowsOf({ params, sources, evidence }: EncodingSpec): Row[] {
  const rank = (source: Source) => ["config", "code", "derived", "default", "guess", "you"].indexOf(source);
  return Object.entries(params)
    .flatMap(([name, value]): Row[] => {
      const source = sources[name];
      if (value === null || source === undefined) return [];
      return [{ name, value, source, range: evidence.find(({ param }) => param === name)?.range }];
    })
    .sort((a, b) => rank(a.source) - rank(b.source));
}

function row({ name, value, source, range }: Row, { send }: Sight): TemplateResult {
  const go = range === undefined ? undefined : () => send({ type: "reveal", range });
  return html`<div class="entry">
    <dt>${
      go === undefined
        ? name
        : html`<button type="button" class="button link" title=${t("Go to line {0}", range?.start.line ?? 1)} @click=${go}>${name}</button>`
    } <span class=${`badge ${source}`}>${sourceName(source)}</span></dt>
    <dd title=${Array.isArray(value) ? value.join(", ") : nothing}>${shown(value)}</dd>
  </div>`;
}

/** Every value with its source; a name leads to its place in the file. */
export function values(sight: Sight): TemplateResult {
  const rows = rowsOf(sight.part.spec);
  const count = html`<span class="count">${rows.length}</span>`;
  return folding("values", t("Values"), sight, () => html`<dl>${rows.map((one) => row(one, sight))}</dl>`, count);
}
