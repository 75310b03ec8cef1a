import type { ViewId } from "../../src/core/protocol/state.ts";
import { attentionView } from "./attention.ts";
import { biasView } from "./bias.ts";
import { bucketsView } from "./buckets.ts";
import { curvesView } from "./curves/view.ts";
import { exampleView } from "./example/view.ts";
import { extrapolationView } from "./extrapolation/view.ts";
import { frequenciesView } from "./frequencies/view.ts";
import { gridView } from "./grid/view.ts";
import { layersView } from "./layers/view.ts";
import { positionsView } from "./positions/view.ts";
import { precisionView } from "./precision/view.ts";
import { rotationView } from "./rotation/view.ts";
import { scoresView } from "./scores.ts";
import { tableView } from "./table.ts";
import { termsView } from "./terms/view.ts";
import type { View } from "./view.ts";

/** The views in tab order. To add one, add a folder and a line here. */
export const VIEWS: readonly View[] = [
  tableView,
  scoresView,
  attentionView,
  biasView,
  termsView,
  curvesView,
  frequenciesView,
  rotationView,
  bucketsView,
  gridView,
  extrapolationView,
  layersView,
  precisionView,
  positionsView,
  exampleView,
];

export function viewById(id: ViewId): View {
  return VIEWS.find((view) => view.id === id) ?? scoresView;
}
