import * as vscode from "vscode";
import { readJson } from "../../../core/config/text/json.ts";
import { readYaml } from "../../../core/config/text/yamlDocument.ts";
import { keyAt } from "../../../core/hover/keyAt.ts";
import { type KeyTargets, keyHover } from "../../../core/hover/keyHover.ts";
import { hoverMarkdown } from "../../../core/hover/markdown.ts";
import { COMMANDS, type CommandId } from "../../ids.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { formulaImage } from "../../stores/hoverImages.ts";

/** A model's config is a few kB; what is larger is not parsed for a hover. */
const MAX_LENGTH = 2_000_000;

/** The hover over a key of a config; undefined where it says nothing of positions. */
export async function explainKey(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const text = document.getText();
  if (text.length > MAX_LENGTH) return undefined;
  const place = keyAt(document.languageId === "yaml" ? readYaml(text) : readJson(text), document.offsetAt(position));
  if (place === undefined) return undefined;
  const { reading } = await services.configs.readDocument(document);
  const problems = await services.rules.of(document.uri, reading.problems);
  const content = keyHover({ ...place, specs: reading.specs, problems }, targetsOf(document, reading.specs));
  if (content === undefined || token.isCancellationRequested) return undefined;
  const theme = vscode.window.activeColorTheme.kind;
  const formula = content.formula === null ? null : await formulaImage(services, content.formula.id, theme);
  const sections = services.settings.get("hover.sections") === "compact" ? "compact" : "full";
  const markdown = new vscode.MarkdownString(hoverMarkdown(content, { sections, image: () => formula }));
  markdown.isTrusted = { enabledCommands: [COMMANDS.previewConfig, COMMANDS.openRule] };
  return new vscode.Hover(markdown, toVscodeRange(place.keyRange));
}

function targetsOf(document: vscode.TextDocument, specs: Parameters<typeof keyHover>[0]["specs"]): KeyTargets {
  return {
    panel: (spec) => commandLink(COMMANDS.previewConfig, [document.uri.toString(), specs.indexOf(spec)]),
    // What readers say of a file stands for itself; only rules have a page.
    rule: (id) => (id.startsWith("config/") ? null : commandLink(COMMANDS.openRule, [id])),
  };
}

function commandLink(command: CommandId, given: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(given))}`;
}
