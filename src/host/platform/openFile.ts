import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { openRange } from "#openRange";
import { memoryReader, type OpenRange } from "../../core/checkpoint/rangeReader.ts";
import { UserError } from "../../core/util/errors.ts";

/** VS Code's file systems give whole files only: larger ones are not asked for. */
export const MAX_WHOLE_FILE = 64 * 1024 * 1024;

/**
 * Opens a file for reading in pieces: of any size on the desktop, whole and bounded where there is no disk.
 * @throws UserError for a file that is too large to be read whole
 */
export async function openFile(uri: vscode.Uri): Promise<OpenRange> {
  if (openRange !== undefined && uri.scheme === "file") return openRange(uri.fsPath);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_WHOLE_FILE) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
    throw new UserError(
      t(
        "This file is {0} MB. Here, Posenc has to load whole files, up to {1} MB. In VS Code on the desktop, it reads only the header, whatever the file size.",
        megabytes(size),
        megabytes(MAX_WHOLE_FILE),
      ),
    );
  }
  const whole = memoryReader(await vscode.workspace.fs.readFile(uri));
  return { reader: { ...whole, read: inTurn(whole.read) }, close: () => Promise.resolve() };
}

/** What is in memory is read without waiting: other work of the host would wait for the whole file. */
function inTurn(read: OpenRange["reader"]["read"]): OpenRange["reader"]["read"] {
  return async (offset, length) => {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    return read(offset, length);
  };
}

/** Opens a file, hands it to `use`, and closes it whatever happens. */
export async function withFile<T>(uri: vscode.Uri, use: (file: OpenRange["reader"]) => Promise<T>): Promise<T> {
  const opened = await openFile(uri);
  try {
    return await use(opened.reader);
  } finally {
    await opened.close();
  }
}
