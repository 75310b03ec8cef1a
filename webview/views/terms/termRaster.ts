import { valueDomain } from "../../../src/core/export/colourMaps.ts";
import { maskMatrix, termMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention, Term } from "../../../src/core/terms/term.ts";
import type { Viewport } from "../../matrix/viewport.ts";
import { sampleIndices } from "../../matrix/viewport.ts";
import type { Raster } from "../../ui/rasterImage.ts";

/** Largest side of a thumbnail in pixels. */
const MAX_THUMBNAIL_SIDE = 144;

/** Samples a scaled term over the visible cells, for a thumbnail. */
export function computeTermRaster(attention: Attention, term: Term, viewport: Viewport): Raster {
  const rows = sampleIndices(
    viewport.row,
    viewport.rows,
    Math.min(MAX_THUMBNAIL_SIDE, Math.ceil(viewport.rows)),
    attention.queryLength,
  );
  const columns = sampleIndices(
    viewport.column,
    viewport.columns,
    Math.min(MAX_THUMBNAIL_SIDE, Math.ceil(viewport.columns)),
    attention.keyLength,
  );
  const visible = maskMatrix(attention, rows, columns);
  const values = termMatrix(attention, term, rows, columns).map((value, n) =>
    visible[n] === 1 ? value * term.scale : Number.NaN,
  );
  return { values, columns: columns.length, domain: valueDomain(values) };
}
