import { t } from "@vscode/l10n";
import { csvNumber } from "../../src/core/export/csv.ts";
import { indexRange } from "../../src/core/terms/engine.ts";
import type { Viewport } from "../engine/renderer.ts";
import { rowsStatistics } from "../state/normaliser.ts";
import { visibleRange } from "../state/viewport.ts";
import { type Subject, subjectValues } from "../views/subject.ts";

/** More than this is a file that nobody opens; the message says how to get a part. */
const MOST_CELLS = 4_000_000;

/** "rope_scores_0-512_0-512": positions of rows and columns, half-open. */
export function fileStem(encoding: string, view: string, subject: Subject, viewport: Viewport): string {
  const rows = visibleRange(viewport.row, viewport.rows, subject.extent.rows);
  const columns = visibleRange(viewport.column, viewport.columns, subject.extent.columns);
  const range = ({ from, to }: { from: number; to: number }, first: number) => `${from + first}-${to + first}`;
  return `${encoding}_${view}_${range(rows, subject.rowAxis.first)}_${range(columns, subject.columnAxis.first)}`;
}

/**
 * The visible cells in float64, 17 digits, one line a row; masked cells are as the command line writes them,
 * −inf for scores and 0 for weights.
 * @throws Error when there are too many cells
 */
export async function visibleCsv(subject: Subject, viewport: Viewport): Promise<string> {
  const rows = visibleRange(viewport.row, viewport.rows, subject.extent.rows);
  const columns = visibleRange(viewport.column, viewport.columns, subject.extent.columns);
  const cells = (rows.to - rows.from) * (columns.to - columns.from);
  if (cells > MOST_CELLS)
    throw new Error(t("{0} cells are too many for a CSV file: zoom in to at most {1}.", cells, MOST_CELLS));
  const wanted = indexRange(columns.from, columns.to);
  const masked = subject.normalised ? 0 : Number.NEGATIVE_INFINITY;
  const lines: string[] = [];
  const { source } = subject;
  const normalised = subject.normalised && source.kind === "attention";
  const statistics = normalised ? await rowsStatistics(source, rows.from, rows.to - rows.from) : [];
  for (let row = rows.from; row < rows.to; row++) {
    const values = subjectValues(subject, [row], wanted, statistics.slice(row - rows.from, row - rows.from + 1));
    const finite =
      subject.source.kind === "table" ? values : values.map((value) => (Number.isNaN(value) ? masked : value));
    lines.push(Array.from(finite, csvNumber).join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** PNG bytes of a painted canvas. */
export async function pngBytes(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error(t("The picture is too large to be saved."));
  return new Uint8Array(await blob.arrayBuffer());
}
