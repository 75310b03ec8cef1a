import { t } from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { escapeHtml, escapeMarkdown, escapeTarget } from "./escape.ts";

/** One row of a hover's table. All strings may come from a file: they are escaped here. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Where it was read: "default argument". */
  readonly note?: string;
}

export interface HoverLink {
  readonly label: string;
  /** `command:…` or `https:…`. */
  readonly target: string;
}

/** What a hover says; made from code (`codeHover`) or from a config. */
export interface HoverContent {
  readonly title: string;
  /** Behind the title: "on queries and keys · fixed". */
  readonly subtitle?: string;
  /** One line of what it is. */
  readonly summary: string;
  /** The summary is what is asked for: it stands first, and the links behind the title. */
  readonly leads?: boolean;
  readonly formula: Formula | null;
  readonly facts: readonly Fact[];
  readonly links: readonly HoverLink[];
}

export interface HoverImage {
  /** A data URI. */
  readonly source: string;
  readonly width: number;
  readonly height: number;
}

export interface HoverOptions {
  /** `compact`: title, formula, facts' first rows, links, summary. */
  readonly sections: "compact" | "full";
  /** The picture of a compiled formula in the palette of the theme; null: only its text is shown. */
  readonly image: (formulaId: string) => HoverImage | null;
  /** A small picture of the matrix. */
  readonly thumbnail?: HoverImage | null;
}

/** VS Code cuts a hover at 100,000 characters and then shows a picture's code as text. */
export const MAX_HOVER_LENGTH = 40_000;
const COMPACT_ROWS = 3;
const MAX_ROWS = 14;

/**
 * Markdown of a hover, under `MAX_HOVER_LENGTH` characters; pictures that would not fit are left out. The small
 * picture stands beside the facts, which needs a table in HTML: everything in it is escaped.
 */
export function hoverMarkdown(content: HoverContent, options: HoverOptions): string {
  const whole = blocksOf(content, options);
  return whole.length < MAX_HOVER_LENGTH
    ? whole
    : blocksOf(content, { ...options, image: () => null, thumbnail: null });
}

function blocksOf(content: HoverContent, options: HoverOptions): string {
  const compact = options.sections === "compact";
  const facts = content.facts.slice(0, compact ? COMPACT_ROWS : MAX_ROWS);
  const thumbnail = compact ? null : (options.thumbnail ?? null);
  const table = thumbnail === null ? factsTable(facts) : factsBeside(facts, thumbnail);
  const formula = formulaPart(content.formula, options);
  if (content.leads === true)
    return joined([leadingLine(content), "", escapeMarkdown(content.summary), "", formula, "", ...table]);
  return joined([
    heading(content),
    "",
    formula,
    "",
    ...table,
    "",
    // Before the prose: what can be clicked is in sight without scrolling.
    links(content),
    "",
    escapeMarkdown(content.summary),
  ]);
}

function heading({ title, subtitle = "" }: HoverContent): string {
  const name = `**${escapeMarkdown(title)}**`;
  return subtitle === "" ? name : `${name} · ${escapeMarkdown(subtitle)}`;
}

function leadingLine(content: HoverContent): string {
  return [heading(content), links(content)].filter(Boolean).join("\u2003");
}

function joined(blocks: readonly string[]): string {
  return blocks
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The formula as a picture whose alternative is its plain text, or as that text alone. */
function formulaPart(formula: Formula | null, options: HoverOptions): string {
  if (formula === null) return "";
  const image = options.image(formula.id);
  return image === null ? `*${escapeMarkdown(formula.text)}*` : picture(image, formula.text);
}

function picture(image: HoverImage, alt: string): string {
  return `![${alternative(alt)}](${escapeTarget(image.source)}|width=${Math.round(image.width)},height=${Math.round(image.height)})`;
}

/** VS Code hands the alternative on as it is written, backslashes and all: nothing in it may need one. */
function alternative(text: string): string {
  return escapeHtml(text).replace(/\[/g, "(").replace(/\]/g, ")").replace(/[\\`]/g, "");
}

function factsTable(facts: readonly Fact[]): string[] {
  if (facts.length === 0) return [];
  const row = (fact: Fact): string => {
    const note = fact.note === undefined || fact.note === "" ? "" : ` *(${escapeMarkdown(fact.note)})*`;
    return `| ${escapeMarkdown(fact.label)} | ${escapeMarkdown(fact.value)}${note} |`;
  };
  return ["| | |", "|:--|:--|", ...facts.map(row)];
}

/** About the height of a row, in pixels. */
const ROW = 24;

/** The facts with a picture at their right, over all rows: few facts get empty rows below rather than wide gaps. */
function factsBeside(facts: readonly Fact[], { source, width, height }: HoverImage): string[] {
  const size = `width="${Math.round(width)}" height="${Math.round(height)}"`;
  const image = `<img src="${escapeTarget(source)}" ${size} alt="${escapeHtml(t("Thumbnail of the matrix"))}">`;
  if (facts.length === 0) return [image];
  const rows = Math.max(facts.length, Math.floor(height / ROW));
  const row = (fact: Fact, index: number): string => {
    const note = fact.note === undefined || fact.note === "" ? "" : ` <em>(${escapeHtml(fact.note)})</em>`;
    const beside = index === 0 ? `<td rowspan="${rows}">&nbsp;&nbsp;${image}</td>` : "";
    return `<tr><td>${escapeHtml(fact.label)}</td><td>&nbsp;${escapeHtml(fact.value)}${note}</td>${beside}</tr>`;
  };
  const empty = Array<string>(rows - facts.length).fill("<tr><td>&nbsp;</td></tr>");
  return ["<table>", ...facts.map(row), ...empty, "</table>"];
}

function links(content: HoverContent): string {
  return content.links.map((link) => `[${escapeMarkdown(link.label)}](${escapeTarget(link.target)})`).join(" · ");
}
