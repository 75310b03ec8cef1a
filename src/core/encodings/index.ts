import type { EncodingId } from "../spec.ts";
import { alibi } from "./alibi.ts";
import { axialRope } from "./axialRope.ts";
import { cope } from "./cope.ts";
import { deberta } from "./deberta.ts";
import type { Encoding } from "./encoding.ts";
import { fire } from "./fire.ts";
import { kerple } from "./kerple.ts";
import { learnedAbsolute } from "./learnedAbsolute.ts";
import { mrope } from "./mrope.ts";
import { none } from "./none.ts";
import { rerope } from "./rerope.ts";
import { rope } from "./rope.ts";
import { sandwich } from "./sandwich.ts";
import { selfExtend } from "./selfExtend.ts";
import { shaw } from "./shaw.ts";
import { sinusoidal } from "./sinusoidal.ts";
import { t5Bias } from "./t5Bias.ts";
import { transformerXl } from "./transformerXl.ts";
import { tupe } from "./tupe.ts";
import { xpos } from "./xpos.ts";

/** The table of encodings: adding one is a file and a line here. Order is that of the catalogue. */
export const ENCODINGS: readonly Encoding[] = [
  none,
  // absolute
  sinusoidal,
  learnedAbsolute,
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
];

const byId = new Map(ENCODINGS.map((encoding) => [encoding.id, encoding]));

/** Undefined for ids that configs may name but whose encoding is not in the table. */
export function encodingById(id: EncodingId): Encoding | undefined {
  return byId.get(id);
}
