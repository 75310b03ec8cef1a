import { valueDomain } from "../../../src/core/export/colourMaps.ts";
import { maskMatrix, termMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention, Term } from "../../../src/core/terms/term.ts";
import type { Viewport } from "../../engine/renderer.ts";
import { sampleIndices } from "../../state/viewport.ts";
import type { Raster } from "../../ui/raster.ts";

/** Pixels of a small multiple, each way. */
const SIZE = 144;

/** One scaled term over the cells that are seen, sampled to a small picture. */
export function termRaster(attention: Attention, term: Term, viewport: Viewport): Raster {
  const rows = sampleIndices(
    viewport.row,
    viewport.rows,
    Math.min(SIZE, Math.ceil(viewport.rows)),
    attention.queryLength,
  );
  const columns = sampleIndices(
    viewport.column,
    viewport.columns,
    Math.min(SIZE, Math.ceil(viewport.columns)),
    attention.keyLength,
  );
  const visible = maskMatrix(attention, rows, columns);
  const values = termMatrix(attention, term, rows, columns).map((value, n) =>
    visible[n] === 1 ? value * term.scale : Number.NaN,
  );
  return { values, columns: columns.length, domain: valueDomain(values) };
}
