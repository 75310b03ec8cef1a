import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { requireParams } from "../../../src/core/encodings/support/schema.ts";
import type { EncodingId } from "../../../src/core/spec.ts";
import { onesContent, randomContent } from "../../../src/core/terms/content.ts";
import type { Attention, Mask } from "../../../src/core/terms/term.ts";
import type { Colouring, FigureSource, PictureRequest } from "../../../webview/engine/renderer.ts";

/** Pictures to paint, each in one line. */

export function attentionFor(id: EncodingId, content: "ones" | "random", length: number, mask: Mask = {}): Attention {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`no encoding ${id}`);
  const rows = content === "ones" ? onesContent : randomContent(3);
  const scene = { queryLength: length, keyLength: length, shift: 0, head: 0, centre: 0, content: rows, inputs: {} };
  return buildAttention(encoding, requireParams(encoding, {}), scene, mask);
}

type Show = Extract<FigureSource, { kind: "attention" }>["show"];

export function pictureOf(
  attention: Attention,
  show: Show,
  rest: Partial<Omit<PictureRequest, "colouring">> & { readonly colouring?: Partial<Colouring> } = {},
): PictureRequest {
  return {
    source: { kind: "attention", attention, show },
    viewport: rest.viewport ?? { row: 0, column: 0, rows: attention.queryLength, columns: attention.keyLength },
    width: rest.width ?? 200,
    height: rest.height ?? 160,
    colouring: { map: "viridis", scale: "linear", domain: null, background: "#204060", ...rest.colouring },
  };
}

export const LOGITS = { of: "logits", hidden: [] } as const;
export const WEIGHTS = { of: "weights" } as const;
