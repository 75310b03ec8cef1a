import type { EncodingId } from "../../spec.ts";
import { learnedAbsoluteCode, sinusoidalCode } from "./absolute.ts";
import { axialCode, mropeCode } from "./axes.ts";
import { alibiCode, fireCode, kerpleCode, noneCode, sandwichCode, t5Code } from "./biases.ts";
import { debertaCode, transformerXlCode } from "./distances.ts";
import type { CodeBody, CodeRequest } from "./request.ts";
import { ropeCode } from "./rope.ts";
import { reropeCode, selfExtendCode, xposCode } from "./rotaryKin.ts";
import { shawCode } from "./shaw.ts";

/** The encodings that there is code for; adding one is a function and a line here. */
export const FAMILIES: Readonly<Partial<Record<EncodingId, (request: CodeRequest) => CodeBody>>> = {
  none: noneCode,
  sinusoidal: sinusoidalCode,
  learned_absolute: learnedAbsoluteCode,
  rope: ropeCode,
  alibi: alibiCode,
  t5_bias: t5Code,
  kerple: kerpleCode,
  sandwich: sandwichCode,
  fire: fireCode,
  xpos: xposCode,
  mrope: mropeCode,
  axial_rope: axialCode,
  rerope: reropeCode,
  self_extend: selfExtendCode,
  shaw: shawCode,
  transformer_xl: transformerXlCode,
  deberta: debertaCode,
};
