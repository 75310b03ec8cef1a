import type { NameRecogniser } from "../recognition.ts";
import { ABSOLUTE_RECOGNISERS } from "./absolute.ts";
import { NONE_RECOGNISERS } from "./none.ts";
import { RELATIVE_RECOGNISERS } from "./relative.ts";
import { ROPE_RECOGNISERS } from "./rope.ts";

/** All name recognisers. Encodings with the most distinctive names come first; structure is checked separately. */
export const NAME_RECOGNISERS: readonly NameRecogniser[] = [
  ...NONE_RECOGNISERS,
  ...RELATIVE_RECOGNISERS,
  ...ABSOLUTE_RECOGNISERS,
  ...ROPE_RECOGNISERS,
];
