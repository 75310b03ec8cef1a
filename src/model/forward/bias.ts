import { encodingById } from "../../core/encodings/index.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { onesContent } from "../../core/terms/content.ts";
import type { Inputs, Scene } from "../../core/terms/scene.ts";
import type { BiasTerm } from "../../core/terms/term.ts";
import { checkedParams } from "./parameters.ts";

/**
 * What an encoding adds to the scaled product of query and key: its bias terms with their scales, in float64.
 * @param inputs learned tables by the encoding's own names
 * @returns [heads][tokens][tokens]; undefined if it adds nothing
 */
export function computeBias(
  spec: EncodingSpec,
  heads: number,
  tokens: number,
  inputs: Inputs,
): Float32Array | undefined {
  const encoding = encodingById(spec.encoding);
  if (encoding?.classification.actsOn !== "scores") return undefined;
  const params = checkedParams(spec);
  const scene = (head: number): Scene => ({
    queryLength: tokens,
    keyLength: tokens,
    shift: 0,
    head,
    centre: 0,
    content: onesContent,
    inputs,
  });
  const biases = (head: number) =>
    encoding.terms(params, scene(head)).filter((term): term is BiasTerm => term.kind === "bias");
  if (biases(0).length === 0) return undefined;
  const values = new Float32Array(heads * tokens * tokens);
  for (let head = 0; head < heads; head++)
    for (const term of biases(head)) addTerm(term, tokens, values.subarray(head * tokens * tokens));
  return values;
}

/** A term of the distance alone is evaluated once per distance. */
function addTerm({ profile, value, scale }: BiasTerm, tokens: number, out: Float32Array): void {
  const byDistance = profile && Array.from({ length: 2 * tokens - 1 }, (_, n) => profile(n - tokens + 1));
  for (let i = 0; i < tokens; i++)
    for (let j = 0; j < tokens; j++) {
      const own = byDistance === undefined ? value(i, j) : (byDistance[i - j + tokens - 1] ?? 0);
      out[i * tokens + j] = (out[i * tokens + j] ?? 0) + scale * own;
    }
}
