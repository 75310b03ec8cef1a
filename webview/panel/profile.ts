import { t } from "@vscode/l10n";
import type { RowStatistics } from "../../src/core/terms/engine.ts";
import { grouped } from "../state/format.ts";
import type { Normaliser } from "../state/normaliser.ts";
import type { Page } from "../state/page.ts";
import { memo } from "../state/store.ts";
import { crosshairOf, sampleIndices, viewportOf } from "../state/viewport.ts";
import type { Profile } from "../ui/figure/paint.ts";
import { type Subject, subjectValues } from "../views/subject.ts";

/** Points of the line: about one a pixel. */
const POINTS = 600;

function valuesAlong(subject: Subject, row: number, first: number, span: number, statistics: RowStatistics | null) {
  const columns = sampleIndices(first, span, Math.min(POINTS, Math.ceil(span)), subject.extent.columns);
  return { columns, values: subjectValues(subject, [row], columns, statistics === null ? [] : [statistics]) };
}

export type RowProfile = (page: Page, subject: Subject, normaliser: Normaliser) => Profile | null;

/** A row's values for one figure, which asks at each frame: they are computed when something changed. */
export function rowProfiler(): RowProfile {
  const valuesOf = memo(valuesAlong);
  return (page, subject, normaliser) => profileOf(page, subject, normaliser, valuesOf);
}

/** Values along the crosshair's row over the columns that are seen; null while they are not known. */
function profileOf(page: Page, subject: Subject, normaliser: Normaliser, valuesOf: typeof valuesAlong): Profile | null {
  const viewport = viewportOf(page.panel.viewport, subject.extent);
  const crosshair = crosshairOf(page.panel.crosshair, viewport, subject.extent);
  const { source } = subject;
  let statistics: RowStatistics | null = null;
  if (subject.normalised && source.kind === "attention") {
    const row = normaliser.row(source, crosshair.row);
    if (!row.done) return null;
    statistics = row.statistics;
  }
  const { columns, values } = valuesOf(subject, crosshair.row, viewport.column, viewport.columns, statistics);
  const label = t("row {0} = {1}", source.kind === "table" ? "p" : "i", grouped(crosshair.row + subject.rowAxis.first));
  const at = (n: number) => ((columns[n] ?? 0) + 0.5 - viewport.column) / viewport.columns;
  return { label, values, at };
}
