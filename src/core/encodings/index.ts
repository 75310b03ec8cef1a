import { ENCODING_IDS, type EncodingId } from "../spec.ts";
import { alibi } from "./alibi.ts";
import { axialRope } from "./axialRope.ts";
import { conv } from "./conv.ts";
import { cope } from "./cope.ts";
import { deberta } from "./deberta/deberta.ts";
import { decomposedRelPos } from "./decomposedRelPos.ts";
import type { Encoding } from "./encoding.ts";
import { fire } from "./fire.ts";
import { kerple } from "./kerple.ts";
import { learnedAbsolute } from "./learnedAbsolute/learnedAbsolute.ts";
import { mrope } from "./mrope/mrope.ts";
import { multiplicative } from "./multiplicative.ts";
import { none } from "./none.ts";
import { recursive } from "./recursive/recursive.ts";
import { rerope } from "./rerope.ts";
import { rope } from "./rope/rope.ts";
import { sandwich } from "./sandwich.ts";
import { selfExtend } from "./selfExtend.ts";
import { shaw } from "./shaw/shaw.ts";
import { sincos2d } from "./sincos2d.ts";
import { sinusoidal } from "./sinusoidal/sinusoidal.ts";
import { swinBias } from "./swinBias.ts";
import { swinv2Cpb } from "./swinv2Cpb/swinv2Cpb.ts";
import { t5Bias } from "./t5Bias/t5Bias.ts";
import { transformerXl } from "./transformerXl/transformerXl.ts";
import { tupe } from "./tupe/tupe.ts";
import { xpos } from "./xpos.ts";

/** All encodings, in the order of the catalogue. */
export const ENCODINGS: readonly Encoding[] = [
  none,
  // absolute
  sinusoidal,
  learnedAbsolute,
  sincos2d,
  multiplicative,
  recursive,
  // vectors of the distance
  shaw,
  transformerXl,
  deberta,
  // rotations
  rope,
  xpos,
  mrope,
  axialRope,
  rerope,
  selfExtend,
  // biases
  t5Bias,
  tupe,
  alibi,
  kerple,
  sandwich,
  fire,
  // gated by content
  cope,
  // grids
  swinBias,
  swinv2Cpb,
  decomposedRelPos,
  // convolution
  conv,
];

const encodingsById = new Map(ENCODINGS.map((encoding) => [encoding.id, encoding]));

/** Undefined for an id without an encoding in the table. */
export function encodingById(id: EncodingId): Encoding | undefined {
  return encodingsById.get(id);
}

/** Guard for ids from messages and saved states. */
export function isEncodingId(id: string): id is EncodingId {
  return encodingsById.has(id) || ENCODING_IDS.some((known) => known === id);
}
