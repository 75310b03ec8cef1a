import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import type { ColourScale } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../src/core/spec.ts";
import type { ContentChoice } from "../../src/core/terms/content.ts";
import type { Scene } from "../../src/core/terms/scene.ts";
import type { Attention, Factor, Mask } from "../../src/core/terms/term.ts";
import type { Viewport } from "../matrix/viewport.ts";

/**
 * What an attention is built from, as plain data: a worker builds the same attention from it to compute the normalisers
 * of long rows. Without it they are computed in slices between frames.
 */
export interface AttentionSource {
  readonly encoding: EncodingId;
  readonly params: Params;
  readonly scene: Omit<Scene, "content"> & { readonly content: ContentChoice };
  readonly mask: Mask;
  readonly extraLogit?: number;
}

/** What is drawn: cells of an attention, or rows × columns of a position table. */
export type FigureSource =
  | {
      readonly kind: "attention";
      /** Normalisers are cached for the lifetime of this object: create a new one only when something changed. */
      readonly attention: Attention;
      readonly attentionSource?: AttentionSource;
      /** `logits`: the sum of the visible terms; `weights`: its softmax; `term`: one scaled term. */
      readonly show:
        | { readonly of: "logits"; readonly hidden: readonly string[] }
        | { readonly of: "weights" }
        | { readonly of: "term"; readonly id: string };
    }
  | { readonly kind: "table"; readonly rows: Factor; readonly count: number };

export interface Colouring {
  readonly map: ColourMap;
  /** `row` and `rowLog`: each row has its own domain. */
  readonly scale: ColourScale;
  /** null: from the visible cells. */
  readonly domain: readonly [number, number] | null;
  /** Colour of masked cells and of the page, CSS hex. */
  readonly background: string;
}

export interface PictureRequest {
  readonly source: FigureSource;
  readonly viewport: Viewport;
  readonly colouring: Colouring;
  /** Size in device pixels. */
  readonly width: number;
  readonly height: number;
}

export interface DrawResult {
  /** The colour domain that was used. */
  readonly domain: readonly [number, number];
  /** One pixel stands for several cells; the page must say so. */
  readonly sampled: boolean;
  /** Normalisers of rows longer than a million keys with content are estimated from a sample; the page must say so. */
  readonly estimated: boolean;
  /** A coarse picture, which a fine one follows; the page must say so. */
  readonly coarse: boolean;
  readonly milliseconds: number;
  /** Which implementation drew it. */
  readonly by: "webgl" | "cpu";
}

/** Which painter draws now, and why not the GPU. */
export type RenderMode =
  | { readonly by: "webgl" }
  | { readonly by: "cpu"; readonly reason: "asked" | "no-webgl2" | "busy" | "context-lost" };

export interface RendererOptions {
  /** `cpu` for small pictures; `auto` takes the page's one WebGL context, or the CPU while another renderer has it. */
  readonly prefer?: "auto" | "cpu";
  /** Called immediately with the first mode, and on every change: the page shows a notice. */
  readonly onModeChange?: (mode: RenderMode) => void;
}

/** Progress of a picture. */
export interface DrawCallbacks {
  readonly onProgress?: (fraction: number) => void;
  /**
   * A coarse picture is on the page: while requests come faster than fine pictures are made (a slider is dragged), and
   * before rows that take long to sum. Called for overtaken requests too, because the page shows their picture.
   */
  readonly onCoarse?: (drawResult: DrawResult) => void;
}

/**
 * `draw` calls coalesce into one frame. A newer call cancels an older one, whose promise then resolves to null;
 * otherwise it resolves with the fine picture. Errors reject.
 */
export interface Renderer {
  readonly mode: RenderMode;
  draw(picture: PictureRequest, callbacks?: DrawCallbacks): Promise<DrawResult | null>;
  /** The last picture's pixels, RGBA, row 0 on top. */
  pixels(): Promise<ImageData>;
  /** Removes the canvases and releases the WebGL context. */
  dispose(): void;
}

/** An element to draw in; not a canvas itself. */
export type RendererHost = HTMLElement & { readonly getContext?: never };

/**
 * `host` is a positioned element; the renderer puts canvases that fill it inside (one for WebGL, one for the CPU:
 * a canvas cannot change its kind), so a host may be used again after `dispose`.
 */
export type CreateRenderer = (host: RendererHost, options?: RendererOptions) => Renderer;
