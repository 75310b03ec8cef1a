import * as vscode from "vscode";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { encodingById } from "../../../core/encodings/index.ts";
import { codeHover } from "../../../core/hover/codeHover.ts";
import { hoverMarkdown } from "../../../core/hover/markdown.ts";
import type { ViewId } from "../../../core/protocol/state.ts";
import type { CodeExplanation } from "../../../core/python/explain.ts";
import type { EncodingSpec } from "../../../core/spec.ts";
import { COMMANDS } from "../../ids.ts";
import { panelLink } from "../../platform/panelLink.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { explanationAt } from "../../stores/explanation.ts";
import { formulaImage, matrixImage } from "../../stores/hoverImages.ts";
import { isParsed, pythonInPlace } from "../../stores/pythonDocuments.ts";

/** The hover over a place in code or a formula; undefined where it says nothing about positions. */
export async function explainInDocument(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const cancelled = () => token.isCancellationRequested;
  const found = await explanationAt(document, document.offsetAt(position), cancelled);
  if (found === null || cancelled()) return undefined;
  const text = await hoverText(services, found);
  return cancelled() ? undefined : new vscode.Hover(text, toVscodeRange(found.range));
}

/** Analyses a document that has been hovered over before, so that the next hover does not have to. */
export function prepare(document: vscode.TextDocument): void {
  if (isParsed(document)) pythonInPlace(document).python.code.turning();
}

async function hoverText(services: Services, found: CodeExplanation): Promise<vscode.MarkdownString> {
  const { encoding: id, params } = found.spec;
  const encoding = encodingById(id);
  const content = codeHover(found, {
    panel: (_, view) => (encoding === undefined ? null : panelHref(encoding, found.spec, view)),
  });
  const sections = services.settings.get("hover.sections") === "compact" ? "compact" : "full";
  const theme = vscode.window.activeColorTheme.kind;
  const formula = content.formula === null ? null : await formulaImage(services, content.formula.id, theme);
  const thumbnail = sections === "full" && encoding !== undefined ? matrixImage(encoding, params, theme) : null;
  const text = new vscode.MarkdownString(hoverMarkdown(content, { sections, image: () => formula, thumbnail }));
  text.supportHtml = true;
  text.isTrusted = { enabledCommands: [COMMANDS.openPanel] };
  return text;
}

function panelHref(encoding: Encoding, spec: EncodingSpec, view?: ViewId): string {
  const link = { ...panelLink(encoding, spec), ...(view === undefined ? {} : { view }) };
  return `command:${COMMANDS.openPanel}?${encodeURIComponent(JSON.stringify([link]))}`;
}
