import type { EncodingId } from "../../spec.ts";
import { learnedAbsoluteCode, sinusoidalCode } from "./absolute.ts";
import { axialCode, mropeCode } from "./axes.ts";
import { alibiCode, fireCode, kerpleCode, noneCode, sandwichCode, t5Code } from "./biases.ts";
import { convCode } from "./conv.ts";
import { copeCode } from "./cope.ts";
import { debertaCode, transformerXlCode } from "./distances.ts";
import { decomposedCode, sincos2dCode, swinBiasCode, swinv2Code } from "./grids.ts";
import { multiplicativeCode } from "./multiplicative.ts";
import { recursiveCode } from "./recursive.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";
import { ropeCode } from "./rope.ts";
import { reropeCode, selfExtendCode, xposCode } from "./rotaryVariants.ts";
import { shawCode } from "./shaw.ts";
import { tupeCode } from "./tupe.ts";

/** Code generators by encoding id. Without one, code export writes out the numbers of the terms (`writtenCode`). */
export const CODE_BY_ENCODING: Readonly<Partial<Record<EncodingId, (request: CodeExportRequest) => EncodingCode>>> = {
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
  sincos_2d: sincos2dCode,
  swin_bias: swinBiasCode,
  swinv2_cpb: swinv2Code,
  decomposed_rel_pos: decomposedCode,
  tupe: tupeCode,
  multiplicative: multiplicativeCode,
  recursive: recursiveCode,
  cope: copeCode,
  conv: convCode,
};
