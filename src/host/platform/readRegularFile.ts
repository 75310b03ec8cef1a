import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../core/util/errors.ts";

/**
 * Reads a whole file of bounded size. Reading a pipe or a device would block until somebody writes to it.
 * @throws UserError for anything but a regular file, and for a larger one
 */
export async function readRegularFile(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) throw new UserError(l10n.t("not a regular file"));
  if (size > maxBytes) throw new UserError(l10n.t("not read: larger than {0} MB", Math.floor(maxBytes / 1024 / 1024)));
  return vscode.workspace.fs.readFile(uri);
}
