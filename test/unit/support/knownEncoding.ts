import type { Encoding } from "../../../src/core/encodings/encoding.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import type { EncodingId } from "../../../src/core/spec.ts";

/** An encoding of the table. Throws for an id without one. */
export function knownEncoding(id: EncodingId): Encoding {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`no encoding ${id}`);
  return encoding;
}
