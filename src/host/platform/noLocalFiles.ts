import type { OpenRange } from "../../core/checkpoint/rangeReader.ts";

/** `#openRange` of the web: no file system of its own. The desktop has `src/node/openRange.ts` in its place. */
export const openRange: ((path: string) => Promise<OpenRange>) | undefined = undefined;
