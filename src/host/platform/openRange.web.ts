import type { OpenRange } from "../../core/checkpoint/rangeReader.ts";

/** `#openRange` of the web: no file system of its own. The desktop has `src/host/platform/openRange.node.ts` in its place. */
export const openRange: ((path: string) => Promise<OpenRange>) | undefined = undefined;
