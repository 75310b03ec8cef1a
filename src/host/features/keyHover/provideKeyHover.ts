import * as vscode from "vscode";
import { isOnRulesPage } from "../../../core/config/problems.ts";
import { type JsonDocument, readJson } from "../../../core/config/text/json.ts";
import { readToml } from "../../../core/config/text/tomlDocument.ts";
import { readYaml } from "../../../core/config/text/yamlDocument.ts";
import { renderHover } from "../../../core/hover/hoverMarkdown.ts";
import { findKeyAt } from "../../../core/hover/keyAt.ts";
import { buildKeyHover, type KeyHoverTargets } from "../../../core/hover/keyHover.ts";
import { COMMANDS, type CommandId } from "../../ids.ts";
import { type ConfigSyntax, configSyntax } from "../../platform/configSyntax.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** A model's config is a few kB; larger files are not parsed for a hover. */
const MAX_TEXT_LENGTH = 2_000_000;

const READERS: Readonly<Record<ConfigSyntax, (text: string) => JsonDocument>> = {
  json: (text) => readJson(text),
  yaml: (text) => readYaml(text),
  toml: readToml,
};

/** The hover over a key of a config; undefined if it does not concern positions. */
export async function provideKeyHover(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const text = document.getText();
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const key = findKeyAt(READERS[configSyntax(document)](text), document.offsetAt(position));
  if (key === undefined) return undefined;
  const { reading } = await services.configs.readDocument(document);
  const problems = await services.rules.applySeverities(document.uri, reading.problems);
  const content = buildKeyHover({ ...key, specs: reading.specs, problems }, linkTargets(document, reading.specs));
  if (content === undefined || token.isCancellationRequested) return undefined;
  const theme = vscode.window.activeColorTheme.kind;
  const formula = content.formula === null ? null : await services.formulaImages.load(content.formula.id, theme);
  const sections = services.settings.get("hover.sections") === "compact" ? "compact" : "full";
  const markdown = new vscode.MarkdownString(renderHover(content, { sections, image: () => formula }));
  markdown.isTrusted = { enabledCommands: [COMMANDS.previewConfig, COMMANDS.openRule] };
  return new vscode.Hover(markdown, toVscodeRange(key.keyRange));
}

function linkTargets(
  document: vscode.TextDocument,
  specs: Parameters<typeof buildKeyHover>[0]["specs"],
): KeyHoverTargets {
  return {
    panel: (spec) => commandLink(COMMANDS.previewConfig, [document.uri.toString(), specs.indexOf(spec)]),
    // Only rules have an entry on the rules page; `config/…` findings of the readers do not.
    rule: (id) => (isOnRulesPage(id) ? commandLink(COMMANDS.openRule, [id]) : null),
  };
}

function commandLink(command: CommandId, args: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
