import { escapeControls } from "../core/util/escapeControls.ts";

/** What starts a command of GitHub Actions (at the start of a line) and of Azure Pipelines, TeamCity (anywhere). */
const LINE_COMMAND = /^(\s*):(?=:)/;
const COMMAND = /##(?=\w*\[)/g;

/**
 * Names and values of files as one line of text: what would act on a terminal is written as an escape, and what a log
 * of a CI system would run as a command is broken up.
 */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(LINE_COMMAND, "$1\\u003a").replace(COMMAND, "#\\u0023");
}

/** Joins lines, each escaped. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeLine(line)}\n`).join("");
}

/** One JSON value; what JSON itself does not escape is written with its escapes, so that the value stays the same. */
export function formatJson(value: unknown, indent?: number): string {
  const lines = JSON.stringify(value, null, indent).split("\n");
  return `${lines.map((line) => escapeControls(line).replace(COMMAND, "#\\u0023")).join("\n")}\n`;
}
