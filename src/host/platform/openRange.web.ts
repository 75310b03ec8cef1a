import type { OpenedFile } from "../../core/checkpoint/rangeReader.ts";

/**
 * `#openRange` on the web, which has no file system of its own. The desktop uses `src/host/platform/openRange.node.ts`.
 */
export const openRange: ((path: string) => Promise<OpenedFile>) | undefined = undefined;
