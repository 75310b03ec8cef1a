import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { encodingById } from "../../../core/encodings/index.ts";
import { findEncodingSites } from "../../../core/python/explain.ts";
import { explanationInCell } from "../../../core/python/notebook/cells.ts";
import { COMMANDS } from "../../ids.ts";
import { buildPanelLink } from "../../platform/panelLink.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import { lensTitle } from "../../platform/show.ts";
import type { Services } from "../../services.ts";

/** Code lenses above functions and classes that are encodings; they open the panel with the values of the code. */
export async function createCodeLenses(
  { explainer }: Services,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  const { python, start } = (await explainer()).documents.parse(document);
  const { line: firstLine } = python.positionAt(start);
  const sites = findEncodingSites(python).filter(({ range }) => range.start.line >= firstLine);
  return sites.flatMap((site) => {
    const { spec, title, range } = explanationInCell(site, firstLine);
    const encoding = encodingById(spec.encoding);
    if (encoding === undefined) return [];
    const command = {
      title: lensTitle("open-preview", title),
      tooltip: l10n.t("Open in Panel"),
      command: COMMANDS.openPanel,
      arguments: [buildPanelLink(encoding, spec)],
    };
    return [new vscode.CodeLens(toVscodeRange(range), command)];
  });
}
