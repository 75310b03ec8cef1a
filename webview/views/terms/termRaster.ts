import { valueDomain } from "../../../src/core/export/colourMaps.ts";
import { maskMatrix, termMatrix } from "../../../src/core/terms/engine.ts";
import type { Attention, Term } from "../../../src/core/terms/term.ts";
import type { Viewport } from "../../matrix/viewport.ts";
import { sampleIndices } from "../../matrix/viewport.ts";
import type { Raster } from "../../ui/rasterImage.ts";

/** Largest side of a thumbnail in pixels. */
const MAX_THUMBNAIL_SIDE = 144;

/** Multiplications of a thumbnail; with more dimensions it has fewer cells. */
const MAX_MULTIPLICATIONS = 2 ** 25;

function thumbnailSide(term: Term): number {
  const dim = term.kind === "product" ? term.query.dim : 1;
  return Math.min(MAX_THUMBNAIL_SIDE, Math.floor(Math.sqrt(MAX_MULTIPLICATIONS / dim)));
}

/** Samples a scaled term over the visible cells, for a thumbnail. */
export function computeTermRaster(attention: Attention, term: Term, viewport: Viewport): Raster {
  const side = thumbnailSide(term);
  const rows = sampleIndices(
    viewport.row,
    viewport.rows,
    Math.min(side, Math.ceil(viewport.rows)),
    attention.queryLength,
  );
  const columns = sampleIndices(
    viewport.column,
    viewport.columns,
    Math.min(side, Math.ceil(viewport.columns)),
    attention.keyLength,
  );
  const visible = maskMatrix(attention, rows, columns);
  const values = termMatrix(attention, term, rows, columns).map((value, n) =>
    visible[n] === 1 ? value * term.scale : Number.NaN,
  );
  return { values, columns: columns.length, domain: valueDomain(values) };
}
