import type { GoldenAdapter } from "../../src/core/encodings/encoding.ts";

/** Golden files of the engine itself (masks, the four-term expansion, the worked example), which are no encoding. */
export const engineGolden: readonly GoldenAdapter[] = [];
