import { ABSOLUTE_NAMES } from "./absolute.ts";
import type { Recogniser } from "./recogniser.ts";
import { RELATIVE_NAMES } from "./relative.ts";
import { ROPE_NAMES } from "./rope.ts";

/** Every recogniser by names. Encodings with the most telling names come first; structure is tried beside them. */
export const RECOGNISERS: readonly Recogniser[] = [...RELATIVE_NAMES, ...ABSOLUTE_NAMES, ...ROPE_NAMES];
