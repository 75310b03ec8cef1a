import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { GgufValue } from "../../../core/checkpoint/gguf.ts";
import { isOnRulesPage } from "../../../core/config/problems.ts";
import { computeDerivedValues } from "../../../core/config/report/derivedValues.ts";
import { summarise } from "../../../core/config/report/summarise.ts";
import { encodingById } from "../../../core/encodings/index.ts";
import { fullTitle } from "../../../core/encodings/support/title.ts";
import { escapeHtml } from "../../../core/hover/escape.ts";
import { formatNumber, formatTokens } from "../../../core/hover/formatNumber.ts";
import { currentLanguage, localize } from "../../../core/l10n/l10n.ts";
import { sourceName } from "../../../core/l10n/sourceName.ts";
import type { EncodingSpec, ParamValue, ValueSource } from "../../../core/spec.ts";
import { COMMANDS, type CommandId } from "../../ids.ts";
import type { CheckpointView, FileFinding } from "./checkpointView.ts";

/** Further rows are counted, not listed. */
const MAX_ROWS = 200;
const MAX_TEXT_LENGTH = 200;
const MAX_LIST_ITEMS = 5;

/**
 * The page: HTML and one style sheet, without scripts; its buttons are links to commands. Everything that comes from
 * the file is escaped and truncated.
 */
export function renderCheckpoint(webview: vscode.Webview, extensionUri: vscode.Uri, view: CheckpointView): string {
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
${[renderHeading(view), renderError(view), renderEncodings(view), renderFindings(view), renderTensors(view), renderMetadata(view)].filter(Boolean).join("\n")}
</main>
</body>
</html>
`;
}

function renderHeading({ name, size, header, modelType, specs }: CheckpointView): string {
  const facts = [
    header?.format,
    modelType ?? undefined,
    size === null ? undefined : formatBytes(size),
    header === null ? undefined : formatTensorCount(header.tensorCount),
  ].filter((fact) => fact !== undefined);
  const summary = summarise(specs);
  return `<header>
<h1>${escapeHtml(name)}</h1>
<p class="facts">${facts.map((fact) => escapeHtml(fact)).join(" · ")}</p>
${summary === "" ? "" : `<p class="summary">${escapeHtml(summary)}</p>`}
</header>`;
}

function formatTensorCount(count: number): string {
  return count === 1 ? l10n.t("1 tensor") : l10n.t("{0} tensors", formatNumber(count));
}

/** 1.4 GB, 512 kB: decimal units. */
function formatBytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  return `${Number((size / 1000 ** power).toPrecision(3))} ${units[power] ?? ""}`;
}

function renderError({ error }: CheckpointView): string {
  return error === null ? "" : `<p class="error" role="alert">${escapeHtml(error)}</p>`;
}

function renderSection(id: string, title: string, body: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(title)}</h2>\n${body}\n</section>`;
}

function renderEncodings(view: CheckpointView): string {
  if (view.error !== null) return "";
  const title = l10n.t("Position encodings");
  if (view.specs.length > 0)
    return renderSection(
      "encodings",
      title,
      view.specs.map((spec, index) => renderEncoding(view, spec, index)).join("\n"),
    );
  const why = l10n.t("This file has no position tensors. RoPE and ALiBi have no weights: see the model's config.json.");
  const link = view.hasConfig
    ? `\n<p>${renderButton(COMMANDS.previewConfig, [vscode.Uri.joinPath(view.uri, "..", "config.json").toString(), 0], l10n.t("Open config.json in Panel"))}</p>`
    : "";
  return renderSection("encodings", title, `<p>${escapeHtml(why)}</p>${link}`);
}

function renderEncoding(view: CheckpointView, spec: EncodingSpec, index: number): string {
  const entry = encodingById(spec.encoding);
  const title = entry === undefined ? spec.encoding : localize(fullTitle(entry));
  const where = view.specs.length > 1 ? `${spec.where} · ` : "";
  const rows = Object.entries(spec.params)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, formatParam(value), nameSource(spec.sources[name] ?? "derived")]);
  const derived = derivedRows(spec);
  const open = renderButton(
    COMMANDS.previewConfig,
    [view.uri.toString(), index],
    l10n.t("Open in Panel"),
    `${l10n.t("Open in Panel")}: ${where}${title}`,
  );
  return `<h3>${escapeHtml(`${where}${title}`)}</h3>
<p>${open}</p>
${renderTable(l10n.t("Parameters of {0}", `${where}${title}`), [l10n.t("Parameter"), l10n.t("Value"), l10n.t("Source")], [...rows, ...derived])}`;
}

/** Wavelengths and slopes, if they follow from the parameters. */
function derivedRows(spec: EncodingSpec): string[][] {
  const values = computeDerivedValues(spec);
  const rows: string[][] = [];
  const frequencies = numbersIn(spec.params.inv_freq ?? values.inv_freq).filter((value) => value > 0);
  if (frequencies.length > 0) {
    const waves = frequencies.map((frequency) => (2 * Math.PI) / frequency);
    const spread = l10n.t("{0} … {1} tokens", formatTokens(Math.min(...waves)), formatTokens(Math.max(...waves)));
    rows.push([l10n.t("wavelengths"), spread, l10n.t("derived")]);
  }
  const slopes = numbersIn(values.alibi_slopes);
  if (slopes.length > 0) rows.push([l10n.t("slopes"), formatValue(slopes), l10n.t("derived")]);
  return rows;
}

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}

function nameSource(source: ValueSource): string {
  return source === "config" ? l10n.t("this file") : sourceName(source);
}

function renderFindings({ findings: placedFindings }: CheckpointView): string {
  if (placedFindings.length === 0) return "";
  return renderSection(
    "findings",
    l10n.t("Findings"),
    `<ul class="findings">\n${placedFindings.slice(0, MAX_ROWS).map(renderFinding).join("\n")}\n</ul>`,
  );
}

function renderFinding({ file, problem: { rule, severity, message } }: FileFinding): string {
  const link = isOnRulesPage(rule) ? renderCommandLink(COMMANDS.openRule, [rule], rule) : escapeHtml(rule);
  const text = `${escapeHtml(file)}: ${escapeHtml(message)}`;
  return `<li class="${severity}"><strong>${escapeHtml(severityName(severity))}</strong> ${text} <span class="rule">${link}</span></li>`;
}

function severityName(severity: FileFinding["problem"]["severity"]): string {
  if (severity === "error") return l10n.t("error");
  return severity === "warning" ? l10n.t("warning") : l10n.t("note");
}

function renderTensors({ header }: CheckpointView): string {
  if (header === null || header.tensors.length === 0) return "";
  const rows = header.tensors.map(({ name, shape, type }) => [name, shape.map(String).join(" × "), type]);
  const columns = [l10n.t("Tensor"), l10n.t("Shape"), l10n.t("Type")];
  return renderSection("tensors", l10n.t("Position tensors"), renderTable(l10n.t("Position tensors"), columns, rows));
}

function renderMetadata({ header }: CheckpointView): string {
  if (header === null || header.metadata.length === 0) return "";
  const rows = header.metadata.map(([key, value]) => [key, formatValue(value)]);
  return renderSection(
    "metadata",
    l10n.t("Metadata"),
    renderTable(l10n.t("Position metadata"), [l10n.t("Key"), l10n.t("Value")], rows),
  );
}

function formatParam(value: ParamValue): string {
  return value === null ? "" : formatValue(value);
}

function formatValue(value: GgufValue | Exclude<ParamValue, null>): string {
  if (typeof value === "number") return formatNumber(value);
  if (typeof value !== "object") return truncate(String(value));
  const first = value
    .slice(0, MAX_LIST_ITEMS)
    .map((item) => (typeof item === "number" ? formatNumber(Number(item.toPrecision(6))) : String(item)));
  return truncate(`${first.join(", ")}${value.length > MAX_LIST_ITEMS ? `, … (${value.length})` : ""}`);
}

function truncate(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

function renderTable(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const headerCells = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("");
  const body = rows.slice(0, MAX_ROWS).map(([first = "", ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("");
    return `<tr><th scope="row">${escapeHtml(truncate(first))}</th>${cells}</tr>`;
  });
  const more = rows.length > MAX_ROWS ? `<p>${escapeHtml(l10n.t("and {0} more", rows.length - MAX_ROWS))}</p>` : "";
  return `<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${headerCells}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>${more}`;
}

function renderButton(command: CommandId, args: readonly unknown[], label: string, ariaLabel = label): string {
  return renderCommandLink(command, args, label, ` class="button" role="button" aria-label="${escapeHtml(ariaLabel)}"`);
}

function renderCommandLink(command: CommandId, args: readonly unknown[], label: string, attributes = ""): string {
  const target = `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
  return `<a href="${escapeHtml(target)}"${attributes}>${escapeHtml(label)}</a>`;
}
