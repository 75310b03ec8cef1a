import type { TemplateResult } from "lit-html";
import type { PanelState, ViewId } from "../../src/core/protocol/state.ts";
import type { Dispatch } from "../panel/dispatch.ts";
import type { Comparison } from "../state/comparison.ts";
import type { Page } from "../state/page.ts";
import type { Model } from "../state/panelEncoding.ts";
import type { Drawable } from "../state/resolvedEncoding.ts";
import type { Subject } from "./subject.ts";

/** What a view's own part of the page is made from. */
export interface ViewContext {
  readonly page: Page;
  readonly model: Model;
  readonly drawable: Drawable;
  /** Both sides, while two are compared. */
  readonly other?: Comparison | null;
  readonly dispatch: Dispatch;
}

/** Numbers with names: what a table of a spreadsheet, a CSV or a JSON file is made from. */
export interface DataTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string)[])[];
}

/** What can be taken out of a view that draws its own pictures. */
export interface Exportable {
  /** A whole document with its colours and fonts in it. */
  readonly svg: string;
  readonly table: DataTable;
}

/** One view: a folder of `webview/views` and a line in its table. */
export interface View {
  readonly id: ViewId;
  readonly title: () => string;
  /** Begins a group of tabs. */
  readonly starts?: boolean;
  /** Why it makes no sense for this encoding; null where it does. */
  readonly unavailable: (drawable: Drawable) => string | null;
  /** The large matrix, with axes, crosshair and readout; absent for views that bring their own drawings. */
  readonly subject?: (drawable: Drawable, panel: PanelState) => Subject;
  /** Above the matrix. */
  readonly above?: (context: ViewContext) => TemplateResult;
  /** Below the matrix, or instead of it. */
  readonly body?: (context: ViewContext) => TemplateResult;
  /** The pictures and numbers of `body`, made when asked for; null: there is nothing now. Matrix views have `subject`. */
  readonly exportable?: (context: ViewContext) => Exportable | null;
  /** `body` draws both sides of a comparison. */
  readonly compares?: boolean;
  /** Its numbers come from its own inputs, not from the parameters on the left. */
  readonly ownInputs?: boolean;
}
