import { attentionOf } from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { contentOf } from "../../src/core/terms/content.ts";
import type { Attention } from "../../src/core/terms/term.ts";
import type { Recipe } from "./renderer.ts";

/** The attention that a recipe describes. */
export function attentionFromSource({ encoding: id, params, scene, mask, extraLogit }: Recipe): Attention {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`unknown encoding ${id}`);
  const content = contentOf(scene.content, scene.keyLength - scene.queryLength);
  return attentionOf(encoding, params, { ...scene, content }, mask, extraLogit);
}
