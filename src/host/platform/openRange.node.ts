import { constants } from "node:fs";
import { open } from "node:fs/promises";
import * as l10n from "@vscode/l10n";
import type { OpenedFile } from "../../core/checkpoint/rangeReader.ts";
import { UserError } from "../../core/util/errors.ts";

/** Opening a pipe would otherwise wait until somebody writes to it. Windows has neither the pipes nor the flag. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file of any size; only the requested ranges are read.
 * @throws UserError for anything but a regular file
 */
export async function openRange(path: string): Promise<OpenedFile> {
  const handle = await open(path, READ_WITHOUT_WAITING);
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw new UserError(l10n.t("not a regular file"));
  }
  const { size } = stats;
  return {
    reader: {
      size,
      read: async (offset, length) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
        return bytes.subarray(0, bytesRead);
      },
    },
    close: () => handle.close(),
  };
}
