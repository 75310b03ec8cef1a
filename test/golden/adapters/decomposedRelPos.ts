import { decomposedRelPos } from "../../../src/core/encodings/decomposedRelPos.ts";
import { computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";
import { adapter as swinBiasAdapter } from "./swinBias.ts";

/** The golden file also covers BEiT's table, which is `swin_bias` with a class token. */
function computeGolden(golden: GoldenCase): Readonly<Record<string, unknown>> {
  if (golden.params.variant === "beit") return swinBiasAdapter.compute(golden);
  const attention = computeGoldenAttention(decomposedRelPos, readGoldenParams(decomposedRelPos, golden), golden);
  const rows = attention.terms("rows");
  const columns = attention.terms("columns");
  const bias = rows.map((m, h) => m.map((row, i) => row.map((value, j) => value + (columns[h]?.[i]?.[j] ?? 0))));
  return { ...attention, bias };
}

export const adapter: GoldenAdapter = {
  encoding: decomposedRelPos,
  files: ["vision_relative"],
  compute: computeGolden,
};
