import * as l10n from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { escapeHtml, escapeMarkdown, escapeTarget } from "./escape.ts";

/** One row of a hover's table. All strings may come from a file and are escaped here. */
export interface HoverFact {
  readonly label: string;
  readonly value: string;
  /** Source of the value: "default argument". */
  readonly note?: string;
}

export interface HoverLink {
  readonly label: string;
  /** `command:…` or `https:…`. */
  readonly target: string;
}

/** Content of a hover over code (`buildCodeHover`) or over a config's key (`buildKeyHover`). */
export interface HoverContent {
  readonly title: string;
  /** After the title: "on queries and keys · fixed". */
  readonly subtitle?: string;
  /** One line that says what it is. */
  readonly summary: string;
  /** Shows the summary first, and the links after the title. */
  readonly summaryFirst?: boolean;
  readonly formula: Formula | null;
  readonly facts: readonly HoverFact[];
  readonly links: readonly HoverLink[];
}

export interface HoverImage {
  /** A data URI. */
  readonly source: string;
  readonly width: number;
  readonly height: number;
}

export interface HoverOptions {
  /** `compact`: title, formula, the first facts, links, summary. */
  readonly sections: "compact" | "full";
  /** The compiled formula in the theme's colours; null shows its plain text instead. */
  readonly image: (formulaId: string) => HoverImage | null;
  /** A small picture of the matrix. */
  readonly thumbnail?: HoverImage | null;
}

/** VS Code truncates a hover at 100,000 characters, which would show the source of an image as text. */
export const MAX_HOVER_LENGTH = 40_000;
const MAX_COMPACT_FACTS = 3;
const MAX_FACTS = 14;

/**
 * Markdown of a hover, shorter than `MAX_HOVER_LENGTH`: images that do not fit are left out. The thumbnail is placed
 * beside the facts, which needs an HTML table; all text in it is escaped.
 */
export function renderHover(content: HoverContent, options: HoverOptions): string {
  const complete = renderBlocks(content, options);
  return complete.length < MAX_HOVER_LENGTH
    ? complete
    : renderBlocks(content, { ...options, image: () => null, thumbnail: null });
}

function renderBlocks(content: HoverContent, options: HoverOptions): string {
  const compact = options.sections === "compact";
  const facts = content.facts.slice(0, compact ? MAX_COMPACT_FACTS : MAX_FACTS);
  const thumbnail = compact ? null : (options.thumbnail ?? null);
  const table = thumbnail === null ? renderFactsTable(facts) : renderFactsWithThumbnail(facts, thumbnail);
  const formula = renderFormula(content.formula, options);
  if (content.summaryFirst === true)
    return joinBlocks([renderLeadingLine(content), "", escapeMarkdown(content.summary), "", formula, "", ...table]);
  return joinBlocks([
    renderHeading(content),
    "",
    formula,
    "",
    ...table,
    "",
    // Before the summary, so that links are visible without scrolling.
    renderLinks(content),
    "",
    escapeMarkdown(content.summary),
  ]);
}

function renderHeading({ title, subtitle = "" }: HoverContent): string {
  const name = `**${escapeMarkdown(title)}**`;
  return subtitle === "" ? name : `${name} · ${escapeMarkdown(subtitle)}`;
}

function renderLeadingLine(content: HoverContent): string {
  return [renderHeading(content), renderLinks(content)].filter(Boolean).join("\u2003");
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The formula as an image with its plain text as alternative text, or the plain text alone. */
function renderFormula(formula: Formula | null, options: HoverOptions): string {
  if (formula === null) return "";
  const image = options.image(formula.id);
  return image === null ? `*${escapeMarkdown(formula.text)}*` : renderImage(image, formula.text);
}

function renderImage(image: HoverImage, alt: string): string {
  return `![${escapeAltText(alt)}](${escapeTarget(image.source)}|width=${Math.round(image.width)},height=${Math.round(image.height)})`;
}

/** VS Code does not unescape alternative text, so characters that would need a backslash are replaced. */
function escapeAltText(text: string): string {
  return escapeHtml(text).replace(/\[/g, "(").replace(/\]/g, ")").replace(/[\\`]/g, "");
}

function renderFactsTable(facts: readonly HoverFact[]): string[] {
  if (facts.length === 0) return [];
  const row = (fact: HoverFact): string => {
    const note = fact.note === undefined || fact.note === "" ? "" : ` *(${escapeMarkdown(fact.note)})*`;
    return `| ${escapeMarkdown(fact.label)} | ${escapeMarkdown(fact.value)}${note} |`;
  };
  return ["| | |", "|:--|:--|", ...facts.map(row)];
}

/** Approximate height of a table row. */
const ROW_HEIGHT_PX = 24;

/** The facts with an image to their right that spans all rows. Few facts get empty rows below instead of wide gaps. */
function renderFactsWithThumbnail(facts: readonly HoverFact[], { source, width, height }: HoverImage): string[] {
  const size = `width="${Math.round(width)}" height="${Math.round(height)}"`;
  const image = `<img src="${escapeTarget(source)}" ${size} alt="${escapeHtml(l10n.t("Thumbnail of the matrix"))}">`;
  if (facts.length === 0) return [image];
  const rows = Math.max(facts.length, Math.floor(height / ROW_HEIGHT_PX));
  const row = (fact: HoverFact, index: number): string => {
    const note = fact.note === undefined || fact.note === "" ? "" : ` <em>(${escapeHtml(fact.note)})</em>`;
    const beside = index === 0 ? `<td rowspan="${rows}">&nbsp;&nbsp;${image}</td>` : "";
    return `<tr><td>${escapeHtml(fact.label)}</td><td>&nbsp;${escapeHtml(fact.value)}${note}</td>${beside}</tr>`;
  };
  const empty = Array<string>(rows - facts.length).fill("<tr><td>&nbsp;</td></tr>");
  return ["<table>", ...facts.map(row), ...empty, "</table>"];
}

function renderLinks(content: HoverContent): string {
  return content.links.map((link) => `[${escapeMarkdown(link.label)}](${escapeTarget(link.target)})`).join(" · ");
}
