import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { encodingById } from "../../../core/encodings/index.ts";
import { inCell } from "../../../core/python/cells.ts";
import { codeSpecs } from "../../../core/python/explain.ts";
import { COMMANDS } from "../../ids.ts";
import { panelLink } from "../../platform/panelLink.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import { pythonInPlace } from "../../stores/pythonDocuments.ts";

/** What each function and class of a file is, above it; opens the panel with the values of this code. */
export function codeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const { python, from } = pythonInPlace(document);
  const { line } = python.positionAt(from);
  const sites = codeSpecs(python).filter(({ range }) => range.start.line >= line);
  return sites.flatMap((site) => {
    const { spec, title, range } = inCell(site, line);
    const encoding = encodingById(spec.encoding);
    if (encoding === undefined) return [];
    const command = {
      title: `$(open-preview) ${title}`,
      tooltip: t("Open in Panel"),
      command: COMMANDS.openPanel,
      arguments: [panelLink(encoding, spec)],
    };
    return [new vscode.CodeLens(toVscodeRange(range), command)];
  });
}
