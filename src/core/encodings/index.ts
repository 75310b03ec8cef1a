import type { EncodingId } from "../spec.ts";
import { alibi } from "./alibi.ts";
import type { Encoding } from "./encoding.ts";
import { none } from "./none.ts";
import { sinusoidal } from "./sinusoidal.ts";

/** The table of encodings: adding one is a file and a line here. Order is that of the catalogue. */
export const ENCODINGS: readonly Encoding[] = [
  none,
  // absolute
  sinusoidal,
  // biases
  alibi,
];

const byId = new Map(ENCODINGS.map((encoding) => [encoding.id, encoding]));

/** Undefined for ids that configs may name but whose encoding is not in the table. */
export function encodingById(id: EncodingId): Encoding | undefined {
  return byId.get(id);
}
