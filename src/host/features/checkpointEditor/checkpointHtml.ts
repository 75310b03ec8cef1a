import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { GgufValue } from "../../../core/checkpoint/gguf.ts";
import { derivedValues } from "../../../core/config/report/derivedValues.ts";
import { summarise } from "../../../core/config/report/summarise.ts";
import { encodingById } from "../../../core/encodings/index.ts";
import { escapeHtml } from "../../../core/hover/escape.ts";
import { readable, readableLength } from "../../../core/hover/numbers.ts";
import { currentLanguage, localize } from "../../../core/l10n/l10n.ts";
import type { EncodingSpec, ParamValue, Source } from "../../../core/spec.ts";
import { COMMANDS, type CommandId } from "../../ids.ts";
import type { CheckpointView, PlacedFinding } from "./checkpointView.ts";

/** More rows than these are counted, not listed. */
const MOST_ROWS = 200;
const MOST_LETTERS = 200;
const MOST_ITEMS = 5;

/**
 * The page: plain HTML and one style sheet. No script runs there; its buttons are links to commands. Everything that
 * comes from the file is escaped and bounded.
 */
export function checkpointHtml(webview: vscode.Webview, extensionUri: vscode.Uri, view: CheckpointView): string {
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "media", "checkpoint.css")).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="${currentLanguage() === "zh-cn" ? "zh-Hans" : "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${escapeHtml(view.name)}</title>
</head>
<body>
<main>
${[heading(view), errorPart(view), encodings(view), findings(view), tables(view), metadata(view)].filter(Boolean).join("\n")}
</main>
</body>
</html>
`;
}

function heading({ name, size, head, modelType, specs }: CheckpointView): string {
  const facts = [
    head?.format,
    modelType ?? undefined,
    size === null ? undefined : bytes(size),
    head === null ? undefined : tensors(head.tensorCount),
  ].filter((fact) => fact !== undefined);
  const summary = summarise(specs);
  return `<header>
<h1>${escapeHtml(name)}</h1>
<p class="facts">${facts.map((fact) => escapeHtml(fact)).join(" · ")}</p>
${summary === "" ? "" : `<p class="summary">${escapeHtml(summary)}</p>`}
</header>`;
}

function tensors(count: number): string {
  return count === 1 ? t("1 tensor") : t("{0} tensors", readable(count));
}

/** 1.4 GB, 512 kB: powers of 1024 are nobody's business here. */
function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  return `${Number((size / 1000 ** power).toPrecision(3))} ${units[power] ?? ""}`;
}

function errorPart({ error }: CheckpointView): string {
  return error === null ? "" : `<p class="error" role="alert">${escapeHtml(error)}</p>`;
}

function section(id: string, title: string, body: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(title)}</h2>\n${body}\n</section>`;
}

function encodings(view: CheckpointView): string {
  if (view.error !== null) return "";
  const title = t("Position encodings");
  if (view.specs.length > 0)
    return section("encodings", title, view.specs.map((spec, index) => encoding(view, spec, index)).join("\n"));
  const why = t("This file has no position tensors. RoPE and ALiBi have no weights: see the model's config.json.");
  const link = view.hasConfig
    ? `\n<p>${button(COMMANDS.previewConfig, [vscode.Uri.joinPath(view.uri, "..", "config.json").toString(), 0], t("Open config.json in Panel"))}</p>`
    : "";
  return section("encodings", title, `<p>${escapeHtml(why)}</p>${link}`);
}

function encoding(view: CheckpointView, spec: EncodingSpec, index: number): string {
  const known = encodingById(spec.encoding);
  const title = known === undefined ? spec.encoding : localize(known.title);
  const where = view.specs.length > 1 ? `${spec.where} · ` : "";
  const rows = Object.entries(spec.params)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, shownParam(value), sourceName(spec.sources[name] ?? "derived")]);
  const derived = derivedRows(spec);
  const open = button(
    COMMANDS.previewConfig,
    [view.uri.toString(), index],
    t("Open in Panel"),
    `${t("Open in Panel")}: ${where}${title}`,
  );
  return `<h3>${escapeHtml(`${where}${title}`)}</h3>
<p>${open}</p>
${table(t("Parameters of {0}", `${where}${title}`), [t("Parameter"), t("Value"), t("Source")], [...rows, ...derived])}`;
}

/** Waves and slopes, as far as they follow from what was read. */
function derivedRows(spec: EncodingSpec): string[][] {
  const values = derivedValues(spec);
  const rows: string[][] = [];
  const frequencies = numbers(spec.params.inv_freq ?? values.inv_freq).filter((value) => value > 0);
  if (frequencies.length > 0) {
    const waves = frequencies.map((frequency) => (2 * Math.PI) / frequency);
    const spread = t("{0} … {1} tokens", readableLength(Math.min(...waves)), readableLength(Math.max(...waves)));
    rows.push([t("wavelengths"), spread, t("derived")]);
  }
  const slopes = numbers(values.alibi_slopes);
  if (slopes.length > 0) rows.push([t("slopes"), shownValue(slopes), t("derived")]);
  return rows;
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}

function sourceName(source: Source): string {
  switch (source) {
    case "config":
      return t("this file");
    case "default":
      return t("default");
    case "guess":
      return t("guess");
    default:
      return t("derived");
  }
}

function findings({ findings: found }: CheckpointView): string {
  if (found.length === 0) return "";
  return section(
    "findings",
    t("Findings"),
    `<ul class="findings">\n${found.slice(0, MOST_ROWS).map(finding).join("\n")}\n</ul>`,
  );
}

function finding({ file, problem: { rule, severity, message } }: PlacedFinding): string {
  const link = rule.startsWith("config/") ? escapeHtml(rule) : anchor(COMMANDS.openRule, [rule], rule);
  const said = `${escapeHtml(file)}: ${escapeHtml(message)}`;
  return `<li class="${severity}"><strong>${escapeHtml(severityName(severity))}</strong> ${said} <span class="rule">${link}</span></li>`;
}

function severityName(severity: PlacedFinding["problem"]["severity"]): string {
  if (severity === "error") return t("error");
  return severity === "warning" ? t("warning") : t("note");
}

function tables({ head }: CheckpointView): string {
  if (head === null || head.tensors.length === 0) return "";
  const rows = head.tensors.map(({ name, shape, type }) => [name, shape.map(String).join(" × "), type]);
  const columns = [t("Tensor"), t("Shape"), t("Type")];
  return section("tensors", t("Position tensors"), table(t("Position tensors"), columns, rows));
}

function metadata({ head }: CheckpointView): string {
  if (head === null || head.metadata.length === 0) return "";
  const rows = head.metadata.map(([key, value]) => [key, shownValue(value)]);
  return section("metadata", t("Metadata"), table(t("Position metadata"), [t("Key"), t("Value")], rows));
}

function shownParam(value: ParamValue): string {
  return value === null ? "" : shownValue(value);
}

function shownValue(value: GgufValue | Exclude<ParamValue, null>): string {
  if (typeof value === "number") return readable(value);
  if (typeof value !== "object") return bounded(String(value));
  const first = value
    .slice(0, MOST_ITEMS)
    .map((item) => (typeof item === "number" ? readable(Number(item.toPrecision(6))) : String(item)));
  return bounded(`${first.join(", ")}${value.length > MOST_ITEMS ? `, … (${value.length})` : ""}`);
}

function bounded(text: string): string {
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`;
}

function table(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("");
  const body = rows.slice(0, MOST_ROWS).map(([first = "", ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("");
    return `<tr><th scope="row">${escapeHtml(bounded(first))}</th>${cells}</tr>`;
  });
  const more = rows.length > MOST_ROWS ? `<p>${escapeHtml(t("and {0} more", rows.length - MOST_ROWS))}</p>` : "";
  return `<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>${more}`;
}

function button(command: CommandId, given: readonly unknown[], label: string, name = label): string {
  return anchor(command, given, label, ` class="button" role="button" aria-label="${escapeHtml(name)}"`);
}

function anchor(command: CommandId, given: readonly unknown[], label: string, attributes = ""): string {
  const target = `command:${command}?${encodeURIComponent(JSON.stringify(given))}`;
  return `<a href="${escapeHtml(target)}"${attributes}>${escapeHtml(label)}</a>`;
}
