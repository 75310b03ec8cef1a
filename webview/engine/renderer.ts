import type { Scene } from "../../src/core/encodings/encoding.ts";
import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import type { ColourScale } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../src/core/spec.ts";
import type { ContentChoice } from "../../src/core/terms/content.ts";
import type { Attention, Factor, Mask } from "../../src/core/terms/term.ts";

/** The cells on screen, in cells; fractions while zooming. `row` and `column` are the first visible ones. */
export interface Viewport {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/**
 * What an attention was made of, as plain data: with it the normalisers of long rows are computed in a worker,
 * which makes the same attention again; without it, in slices between frames.
 */
export interface Recipe {
  readonly encoding: EncodingId;
  readonly params: Params;
  readonly scene: Omit<Scene, "content"> & { readonly content: ContentChoice };
  readonly mask: Mask;
  readonly extraLogit?: number;
}

/** What is drawn: cells of an attention, or rows × columns of a position table. */
export type Source =
  | {
      readonly kind: "attention";
      /** Normalisers of rows are kept for as long as this object lives: make a new one only when something changed. */
      readonly attention: Attention;
      readonly recipe?: Recipe;
      /** `logits`: the sum of the visible terms; `weights`: its softmax; `term`: one scaled term. */
      readonly show:
        | { readonly of: "logits"; readonly hidden: readonly string[] }
        | { readonly of: "weights" }
        | { readonly of: "term"; readonly id: string };
    }
  | { readonly kind: "table"; readonly rows: Factor; readonly count: number };

export interface Colouring {
  readonly map: ColourMap;
  /** `row` and `rowLog`: each row spans its own colours. */
  readonly scale: ColourScale;
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
  /** Normalisers of rows longer than a million keys with content are estimated from a sample: say so. */
  readonly estimated: boolean;
  /** A first picture, of fewer cells than there is room for: a fine one follows. Say so. */
  readonly coarse: boolean;
  readonly milliseconds: number;
  /** Which implementation drew it. */
  readonly by: "webgl" | "cpu";
}

/** Which implementation draws now, and why not the GPU. */
export type Mode =
  | { readonly by: "webgl" }
  | { readonly by: "cpu"; readonly reason: "asked" | "no-webgl2" | "busy" | "context-lost" };

export interface RendererOptions {
  /** `cpu` for small pictures; `auto` takes the page's one WebGL context, or the CPU while another renderer has it. */
  readonly prefer?: "auto" | "cpu";
  /** Called at once with the first mode, and whenever it changes: the page shows a notice. */
  readonly onModeChange?: (mode: Mode) => void;
}

/** What is told while a picture is made. */
export interface Telling {
  readonly progress?: (fraction: number) => void;
  /**
   * A coarse picture is on the page: while requests come faster than fine pictures are made (a slider is dragged), and
   * before rows that take long to sum. Told of overtaken requests too: the page shows what they asked for.
   */
  readonly coarse?: (drawn: Drawn) => void;
}

/**
 * One interface, two implementations. `draw` calls coalesce into one frame; a newer one cancels an older one,
 * whose promise then resolves to null. It resolves with the fine picture. Errors reject.
 */
export interface Renderer {
  readonly mode: Mode;
  draw(picture: Picture, telling?: Telling): Promise<Drawn | null>;
  /** The last picture's pixels, RGBA, row 0 on top. */
  pixels(): Promise<ImageData>;
  /** Removes the canvases and gives the WebGL context back. */
  dispose(): void;
}

/** An element to draw in; not a canvas itself. */
export type Host = HTMLElement & { readonly getContext?: never };

/**
 * `host` is a positioned element; the renderer puts canvases that fill it inside (one for WebGL, one for the CPU:
 * a canvas cannot change its kind), so a host may be used again after `dispose`.
 */
export type CreateRenderer = (host: Host, options?: RendererOptions) => Renderer;
