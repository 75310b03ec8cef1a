import * as vscode from "vscode";
import type { TextRange } from "../../core/spec.ts";

/** Core counts lines and columns from 1, VS Code from 0; both in UTF-16 code units. */
export function toVscodeRange({ start, end }: TextRange): vscode.Range {
  const at = (place: TextRange["start"]) => [Math.max(0, place.line - 1), Math.max(0, place.column - 1)] as const;
  return new vscode.Range(...at(start), ...at(end));
}
