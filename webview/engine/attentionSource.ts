import { buildAttention } from "../../src/core/encodings/buildAttention.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { type CreateContent, createContent } from "../../src/core/terms/content.ts";
import type { Attention } from "../../src/core/terms/term.ts";
import type { AttentionSource } from "./renderer.ts";

/** Builds the attention that plain data describes. */
export function attentionFromSource(
  { encoding: id, params, scene, mask, extraLogit }: AttentionSource,
  create: CreateContent = createContent,
): Attention {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`unknown encoding ${id}`);
  const content = create(scene.content, scene.keyLength - scene.queryLength);
  return buildAttention(encoding, params, { ...scene, content }, mask, extraLogit);
}
