import { valueDomain } from "../../../src/core/export/colourMaps.ts";
import { maskMatrix, termMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention, Term } from "../../../src/core/terms/term.ts";
import type { Viewport } from "../../matrix/viewport.ts";
import { sampleIndices, visibleRange } from "../../matrix/viewport.ts";
import type { Raster } from "../../ui/rasterImage.ts";

/** Largest side of a thumbnail in pixels. */
const MAX_THUMBNAIL_SIDE = 144;

/** Multiplications of a thumbnail; with more dimensions it has fewer cells. */
const MAX_MULTIPLICATIONS = 2 ** 25;

function thumbnailSide(term: Term): number {
  const dim = term.kind === "product" ? term.query.dim : 1;
  return Math.min(MAX_THUMBNAIL_SIDE, Math.floor(Math.sqrt(MAX_MULTIPLICATIONS / dim)));
}

/**
 * Cells of one axis for a thumbnail. The first one is always among them: an encoding may treat the first token
 * differently (TUPE's [CLS]), and a sample every few cells would leave out its row and column.
 */
function thumbnailIndices(first: number, span: number, side: number, total: number): number[] {
  const indices = sampleIndices(first, span, Math.min(side, Math.ceil(span)), total);
  return [visibleRange(first, span, total).from, ...indices.slice(1)];
}

/** Samples a scaled term over the visible cells, for a thumbnail. */
export function computeTermRaster(attention: Attention, term: Term, viewport: Viewport): Raster {
  const side = thumbnailSide(term);
  const rows = thumbnailIndices(viewport.row, viewport.rows, side, attention.queryLength);
  const columns = thumbnailIndices(viewport.column, viewport.columns, side, attention.keyLength);
  const visible = maskMatrix(attention, rows, columns);
  const values = termMatrix(attention, term, rows, columns).map((value, n) =>
    visible[n] === 1 ? value * term.scale : Number.NaN,
  );
  return { values, columns: columns.length, domain: valueDomain(values) };
}
