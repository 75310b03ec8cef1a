import type { Axis } from "./grid.ts";
import type { Recipe } from "./renderer.ts";

/** Page → worker. A new generation stops the one before. */
export type ToWorker =
  | { readonly type: "start"; readonly generation: number; readonly recipe: Recipe; readonly rows: Axis }
  | { readonly type: "stop"; readonly generation: number };

/** Worker → page. */
export type FromWorker =
  | { readonly type: "progress"; readonly generation: number; readonly fraction: number }
  | {
      readonly type: "done";
      readonly generation: number;
      readonly values: Float64Array;
      readonly estimated: boolean;
    }
  | { readonly type: "failed"; readonly generation: number; readonly message: string };
