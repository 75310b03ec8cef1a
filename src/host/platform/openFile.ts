import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { openRange } from "#openRange";
import { memoryReader, type OpenedFile } from "../../core/checkpoint/rangeReader.ts";
import { UserError } from "../../core/util/errors.ts";

/** VS Code's file systems return whole files only, so larger ones are refused. */
export const MAX_WHOLE_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file for reading in chunks: any size on the desktop; elsewhere it is loaded whole, up to a limit.
 * @throws UserError for a file that is too large to be loaded
 */
export async function openFile(uri: vscode.Uri): Promise<OpenedFile> {
  if (openRange !== undefined && uri.scheme === "file") return openRange(uri.fsPath);
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) throw new UserError(l10n.t("not a regular file"));
  if (size > MAX_WHOLE_FILE_BYTES) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
    throw new UserError(
      l10n.t(
        "This file is {0} MB. Here, Posenc has to load whole files, up to {1} MB. In VS Code on the desktop, it reads only the header, whatever the file size.",
        megabytes(size),
        megabytes(MAX_WHOLE_FILE_BYTES),
      ),
    );
  }
  const whole = memoryReader(await vscode.workspace.fs.readFile(uri));
  return { reader: { ...whole, read: yieldBeforeRead(whole.read) }, close: () => Promise.resolve() };
}

/** Reads from memory never wait, so reading a whole file would block the host; this yields before each read. */
function yieldBeforeRead(read: OpenedFile["reader"]["read"]): OpenedFile["reader"]["read"] {
  return async (offset, length) => {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    return read(offset, length);
  };
}

/** Opens a file, passes it to `use`, and always closes it. */
export async function withFile<T>(uri: vscode.Uri, use: (file: OpenedFile["reader"]) => Promise<T>): Promise<T> {
  const opened = await openFile(uri);
  try {
    return await use(opened.reader);
  } finally {
    await opened.close();
  }
}
