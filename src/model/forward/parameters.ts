import { encodingById } from "../../core/encodings/index.ts";
import { pickKnownParams, requireParams } from "../../core/encodings/support/schema.ts";
import type { EncodingSpec, Params } from "../../core/spec.ts";

/**
 * Parameters of a spec with defaults filled in.
 * @throws ParamError for a value that the encoding does not allow
 */
export function checkedParams({ encoding, params }: EncodingSpec): Params {
  const found = encodingById(encoding);
  return found === undefined ? params : requireParams(found, pickKnownParams(found, params));
}
