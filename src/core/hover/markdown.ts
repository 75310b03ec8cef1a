import { t } from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { escapeMarkdown, escapeTarget } from "./escape.ts";

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
  /** One line of what it is. */
  readonly summary: string;
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
  /** `compact`: title, formula, facts' first rows, links. */
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

/** Markdown of a hover, under `MAX_HOVER_LENGTH` characters; pictures that would not fit are left out. */
export function hoverMarkdown(content: HoverContent, options: HoverOptions): string {
  const rows = content.facts.slice(0, options.sections === "compact" ? COMPACT_ROWS : MAX_ROWS);
  const blocks = [heading(content), "", pictures(content, options), "", ...table(rows), "", links(content)];
  const whole = joined(blocks);
  return whole.length < MAX_HOVER_LENGTH ? whole : joined(blocks.with(2, formulaText(content.formula)));
}

function joined(blocks: readonly string[]): string {
  return blocks
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function heading(content: HoverContent): string {
  const summary = escapeMarkdown(content.summary);
  return summary === "" ? `**${escapeMarkdown(content.title)}**` : `**${escapeMarkdown(content.title)}** — ${summary}`;
}

/** Formula as a picture and as text, and the small picture of the matrix. */
function pictures(content: HoverContent, options: HoverOptions): string {
  const { formula } = content;
  const image = formula === null ? null : options.image(formula.id);
  const thumbnail = options.sections === "full" ? (options.thumbnail ?? null) : null;
  const drawn = [
    image === null || formula === null ? "" : picture(image, formula.text),
    thumbnail === null ? "" : picture(thumbnail, t("Picture of the matrix")),
  ].filter((part) => part !== "");
  return [drawn.join("&nbsp;&nbsp; "), formulaText(formula)].filter((part) => part !== "").join("\n\n");
}

function picture(image: HoverImage, alt: string): string {
  return `![${escapeMarkdown(alt)}](${escapeTarget(image.source)}|width=${Math.round(image.width)},height=${Math.round(image.height)})`;
}

/** The formula in words, for screen readers and wherever pictures are not shown. */
function formulaText(formula: Formula | null): string {
  return formula === null ? "" : `*${escapeMarkdown(formula.text)}*`;
}

function table(facts: readonly Fact[]): string[] {
  if (facts.length === 0) return [];
  const row = (fact: Fact): string => {
    const note = fact.note === undefined || fact.note === "" ? "" : ` *(${escapeMarkdown(fact.note)})*`;
    return `| ${escapeMarkdown(fact.label)} | ${escapeMarkdown(fact.value)}${note} |`;
  };
  return ["| | |", "|:--|:--|", ...facts.map(row)];
}

function links(content: HoverContent): string {
  return content.links.map((link) => `[${escapeMarkdown(link.label)}](${escapeTarget(link.target)})`).join(" · ");
}
