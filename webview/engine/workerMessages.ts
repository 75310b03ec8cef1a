import type { AttentionSource } from "./renderer.ts";
import type { SampledAxis } from "./sampledGrid.ts";

/** Page → worker. A new generation cancels the previous one. */
export type ToWorker =
  | {
      readonly type: "start";
      readonly generation: number;
      readonly attentionSource: AttentionSource;
      readonly rows: SampledAxis;
    }
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
