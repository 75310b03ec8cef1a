import type { TemplateResult } from "lit-html";
import type { ViewId } from "../../src/core/protocol/state.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import type { ComparedSides } from "../state/comparison.ts";
import type { Page } from "../state/page.ts";
import type { PanelEncoding } from "../state/panelEncoding.ts";
import type { Dispatch } from "../state/reducers.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";

/** Input of a view's templates and exports. */
export interface ViewContext {
  readonly page: Page;
  readonly panelEncoding: PanelEncoding;
  readonly resolved: ResolvedEncoding;
  /** Both sides, if two encodings are compared. */
  readonly comparison?: ComparedSides | null;
  readonly dispatch: Dispatch;
}

/** A table for CSV, NPY or JSON export. */
export interface DataTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string)[])[];
}

/** The export of a view without a matrix. */
export interface ViewExport {
  /** A complete SVG document with its colours and fonts. */
  readonly svg: string;
  readonly table: DataTable;
}

/** A view of the panel. `VIEWS` lists them all. */
export interface View {
  readonly id: ViewId;
  readonly title: () => string;
  /** The first tab of a group. */
  readonly startsGroup?: boolean;
  /** Why the view is unavailable for this encoding; null if it is available. */
  readonly whyUnavailable: (resolved: ResolvedEncoding) => string | null;
  /** The view's matrix, with axes, crosshair and readout; absent in views that draw something else. */
  readonly resolveMatrix?: (resolved: ResolvedEncoding, hiddenTerms: readonly string[]) => MatrixSource;
  /** Above the matrix. */
  readonly renderAbove?: (context: ViewContext) => TemplateResult;
  /** Below the matrix, or instead of it. */
  readonly renderBody?: (context: ViewContext) => TemplateResult;
  /** Builds the export of `renderBody`; null: nothing to export now. Views with a matrix export that. */
  readonly buildExport?: (context: ViewContext) => ViewExport | null;
  /** `renderBody` draws both sides of a comparison. */
  readonly drawsBothSides?: boolean;
  /** The view has its own inputs and ignores the parameters on the left. */
  readonly ownInputs?: boolean;
}
