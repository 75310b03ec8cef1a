import type { Attention, Factor } from "../../src/core/terms/term.ts";

/** The cells on screen, in cells; fractions while zooming. `row` and `column` are the first visible ones. */
export interface Viewport {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** What is drawn: cells of an attention, or rows × columns of a position table. */
export type Source =
  | {
      readonly kind: "attention";
      readonly attention: Attention;
      /** `logits`: the sum of the visible terms; `weights`: its softmax; `term`: one scaled term. */
      readonly show: { readonly of: "logits"; readonly hidden: readonly string[] } | { readonly of: "weights" } | { readonly of: "term"; readonly id: string };
    }
  | { readonly kind: "table"; readonly rows: Factor; readonly count: number };

export interface Colouring {
  readonly map: "viridis" | "cividis" | "magma" | "greys" | "difference";
  readonly scale: "linear" | "log" | "row";
  /** null: from the visible cells. */
  readonly domain: readonly [number, number] | null;
  /** Colour of masked cells and of the page, CSS hex. */
  readonly background: string;
}

export interface Picture {
  readonly source: Source;
  readonly viewport: Viewport;
  readonly colouring: Colouring;
  /** Size in device pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Drawn {
  /** The domain used (after `null` was settled). */
  readonly domain: readonly [number, number];
  /** One pixel stands for several cells: say so. */
  readonly sampled: boolean;
  readonly milliseconds: number;
  /** Which implementation drew it. */
  readonly by: "webgl" | "cpu";
}

/**
 * One interface, two implementations. `draw` calls coalesce into one frame; a newer one cancels an older one,
 * whose promise then resolves to null. Errors reject.
 */
export interface Renderer {
  draw(picture: Picture, progress?: (fraction: number) => void): Promise<Drawn | null>;
  /** The last picture's pixels, RGBA, row 0 on top. */
  pixels(): Promise<ImageData>;
  dispose(): void;
}
