import * as vscode from "vscode";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { encodingById } from "../../../core/encodings/index.ts";
import { knownParams } from "../../../core/encodings/schema.ts";
import { codeHover } from "../../../core/hover/codeHover.ts";
import { hoverMarkdown } from "../../../core/hover/markdown.ts";
import { type CodeExplanation, explainAt } from "../../../core/python/explain.ts";
import type { Params } from "../../../core/spec.ts";
import { COMMANDS } from "../../ids.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { formulaImage, matrixImage } from "./images.ts";
import { pythonDocument } from "./pythonDocuments.ts";

/** The hover over a place in Python code; undefined where it says nothing about positions. */
export function explainInDocument(
  { settings }: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): vscode.Hover | undefined {
  const cancelled = () => token.isCancellationRequested;
  const found = explainAt(pythonDocument(document), document.offsetAt(position), { cancelled });
  if (found === null || cancelled()) return undefined;
  const sections = settings.get("hover.sections") === "compact" ? "compact" : "full";
  return new vscode.Hover(hoverText(found, sections), toVscodeRange(found.range));
}

function hoverText(found: CodeExplanation, sections: "compact" | "full"): vscode.MarkdownString {
  const encoding = encodingById(found.spec.encoding);
  const theme = vscode.window.activeColorTheme.kind;
  const content = codeHover(found, {
    panel: () => (encoding === undefined ? null : panelLink(encoding, found.spec.params)),
  });
  const text = new vscode.MarkdownString(
    hoverMarkdown(content, {
      sections,
      image: (formulaId) => formulaImage(formulaId, theme),
      thumbnail: sections === "full" && encoding !== undefined ? matrixImage(encoding, found.spec.params) : null,
    }),
  );
  text.isTrusted = { enabledCommands: [COMMANDS.openPanel] };
  return text;
}

/** Only values that the encoding knows travel, so that the panel's guard has nothing to refuse. */
function panelLink(encoding: Encoding, params: Params): string {
  const link = { encoding: encoding.id, changes: knownParams(encoding, params) };
  return `command:${COMMANDS.openPanel}?${encodeURIComponent(JSON.stringify([link]))}`;
}
