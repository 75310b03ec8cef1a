import * as vscode from "vscode";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { generalFormById } from "../../../core/encodings/generalForms.ts";
import { encodingById } from "../../../core/encodings/index.ts";
import { encodeThumbnail } from "../../../core/export/thumbnail.ts";
import { buildCodeHover } from "../../../core/hover/codeHover.ts";
import { type HoverImage, renderHover } from "../../../core/hover/hoverMarkdown.ts";
import type { ViewId } from "../../../core/protocol/state.ts";
import type { CodeExplanation } from "../../../core/python/explain.ts";
import type { EncodingSpec, Params } from "../../../core/spec.ts";
import { COMMANDS } from "../../ids.ts";
import { toBase64 } from "../../platform/base64.ts";
import { buildPanelLink } from "../../platform/panelLink.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** The hover over code or a formula; undefined if it does not concern positions. */
export async function provideCodeHover(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const cancelled = () => token.isCancellationRequested;
  const explainer = await services.explainer();
  const explanation = await explainer.explainAt(document, document.offsetAt(position), cancelled);
  if (explanation === null || cancelled()) return undefined;
  const text = await renderHoverText(services, explanation);
  return cancelled() ? undefined : new vscode.Hover(text, toVscodeRange(explanation.range));
}

async function renderHoverText(services: Services, explanation: CodeExplanation): Promise<vscode.MarkdownString> {
  const { encoding: id, params } = explanation.spec;
  // A form that several encodings share is shown by the one that is closest.
  const encoding = encodingById(generalFormById(id)?.shownAs ?? id);
  const content = buildCodeHover(explanation, {
    panel: (_, view) => (encoding === undefined ? null : panelCommandLink(encoding, explanation.spec, view)),
  });
  const sections = services.settings.get("hover.sections") === "compact" ? "compact" : "full";
  const theme = vscode.window.activeColorTheme.kind;
  const formula = content.formula === null ? null : await services.formulaImages.load(content.formula.id, theme);
  const thumbnail = sections === "full" && encoding !== undefined ? renderThumbnail(encoding, params, theme) : null;
  const text = new vscode.MarkdownString(renderHover(content, { sections, image: () => formula, thumbnail }));
  text.supportHtml = true;
  text.isTrusted = { enabledCommands: [COMMANDS.openPanel] };
  return text;
}

function panelCommandLink(encoding: Encoding, spec: EncodingSpec, view?: ViewId): string {
  const link = { ...buildPanelLink(encoding, spec), ...(view === undefined ? {} : { view }) };
  return `command:${COMMANDS.openPanel}?${encodeURIComponent(JSON.stringify([link]))}`;
}

/** A thumbnail of the matrix for these values; null if it cannot be drawn at once. */
function renderThumbnail(encoding: Encoding, params: Params, theme: vscode.ColorThemeKind): HoverImage | null {
  const isLight = theme === vscode.ColorThemeKind.Light || theme === vscode.ColorThemeKind.HighContrastLight;
  const picture = encodeThumbnail(encoding, params, isLight);
  if (picture === undefined) return null;
  return { source: `data:image/png;base64,${toBase64(picture.png)}`, width: picture.size, height: picture.size };
}
