/**
 * The only place that passes text to parts of VS Code that interpret it. Notifications and progress turn
 * `[text](command:…)` into a link that runs a command; labels turn `$(name)` into an icon. Such text may be the name of
 * a folder or a value in a file, so it is escaped here, and all other host code calls these functions.
 */
import * as vscode from "vscode";
import { escapeControls } from "../../core/util/escapeControls.ts";

/** Longer texts are cut: a name is never that long, and VS Code lays out every character. */
const MAX_SHOWN_LENGTH = 2000;

function oneLine(text: string): string {
  const shown = escapeControls(text.slice(0, MAX_SHOWN_LENGTH));
  return text.length > MAX_SHOWN_LENGTH ? `${shown}…` : shown;
}

/** One line without links, for notifications and progress. VS Code has no escape for links, so the link is broken up. */
export function escapeLinks(text: string): string {
  return oneLine(text).replaceAll("](", "] (");
}

/** One line without icons, for labels of quick picks, code lenses and the status bar: VS Code's own escape. */
export function escapeIcons(text: string): string {
  return oneLine(text).replaceAll("$(", "\\$(");
}

/** Lines of a plain-text tooltip; a line break in a name cannot start a line of its own. */
export function tooltipText(...lines: readonly string[]): string {
  return lines
    .filter((line) => line !== "")
    .map(oneLine)
    .join("\n");
}

/** The title of a code lens: an icon of ours, then text of a file. */
export function lensTitle(icon: string, text: string): string {
  return `$(${icon}) ${escapeIcons(text)}`;
}

/**
 * @param actions labels of buttons
 * @returns the button that was clicked
 */
export async function showError(message: string, ...actions: readonly string[]): Promise<string | undefined> {
  return vscode.window.showErrorMessage(escapeLinks(message), ...actions);
}

/** @returns the item that was picked, with its own unescaped texts */
export async function showPick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<Item | undefined> {
  const shown = items.map((item) => ({ ...item, ...escapedTexts(item), original: item }));
  const title = options.title === undefined ? {} : { title: oneLine(options.title) };
  return (await vscode.window.showQuickPick(shown, { ...options, ...title }))?.original;
}

function escapedTexts({ label, description, detail }: vscode.QuickPickItem): vscode.QuickPickItem {
  return {
    label: escapeIcons(label),
    ...(description === undefined ? {} : { description: escapeIcons(description) }),
    ...(detail === undefined ? {} : { detail: escapeIcons(detail) }),
  };
}

/** Runs a task with its title in the status bar. */
export function withStatusProgress<T>(
  title: string,
  task: (progress: vscode.Progress<{ readonly message?: string }>) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Window;
  return vscode.window.withProgress({ location, title: escapeIcons(escapeLinks(title)) }, task);
}
