import { open } from "node:fs/promises";
import type { OpenedFile } from "../../core/checkpoint/rangeReader.ts";

/** Opens a file of any size; only the requested ranges are read. */
export async function openRange(path: string): Promise<OpenedFile> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
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
