import {
  attentionOf,
  type Domain,
  type Encoding,
  type PositionTable,
  type Scene,
} from "../../src/core/encodings/encoding.ts";
import { modelWidth } from "../../src/core/encodings/support/parameters.ts";
import { currentLanguage, type Localized, localize } from "../../src/core/l10n/l10n.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { Params } from "../../src/core/spec.ts";
import { type ContentChoice, contentOf } from "../../src/core/terms/content.ts";
import { idCount, isRenumbered, type Numbering, numberingMask } from "../../src/core/terms/numbering.ts";
import type { Attention, Mask } from "../../src/core/terms/term.ts";
import { ParamError, type ParamProblem } from "../../src/core/util/errors.ts";
import type { Recipe } from "../engine/renderer.ts";
import { checkpointOf, rowsOf, type WantedRows } from "./checkpointRows.ts";
import { inputsOf, NO_INPUTS } from "./weights.ts";

/** The positions 0 … size − 1 that can be drawn, and why no more. */
export interface End {
  readonly size: number;
  /** Further positions exist, but each costs all of those before it. */
  readonly costly: boolean;
  readonly reason: Localized;
}

/** What can be drawn once the parameters hold. */
export interface Drawable {
  readonly encoding: Encoding;
  readonly params: Params;
  readonly scene: Scene;
  readonly attention: Attention;
  /** The same as plain data, for workers. */
  readonly recipe: Recipe;
  readonly table: PositionTable | null;
  /** Set where the encoding ends before the lengths that were asked for. */
  readonly ends: End | null;
}

export function headCount(params: Params): number {
  const heads = params["num_heads"];
  return typeof heads === "number" && heads >= 1 ? Math.floor(heads) : 1;
}

/** The terms of a state are made once, however often the crosshair moves; a comparison has two. */
const KEPT = 4;
const drawables = new Map<string, Drawable>();

function keep(key: string, drawable: Drawable): Drawable {
  drawables.delete(key);
  drawables.set(key, drawable);
  for (const oldest of drawables.keys()) {
    if (drawables.size <= KEPT) break;
    drawables.delete(oldest);
  }
  return drawable;
}

/** Terms for parameters that hold, or why there are none. */
export interface Drawing {
  /** null where something of the scene is wrong. */
  readonly drawable: Drawable | null;
  readonly problems: readonly ParamProblem[];
  /** Why nothing can be drawn although every parameter holds. */
  readonly failure: string | null;
}

export function drawingOf(encoding: Encoding, params: Params, panel: PanelState): Drawing {
  const heads = headCount(params);
  const { queryLength, keyLength, shift, head, content, sink, softmaxScale } = panel;
  const centre = centreOf(panel);
  const wanted = wantedRows(encoding, params, panel, head);
  const parts = [
    encoding.id,
    params,
    queryLength,
    keyLength,
    shift,
    head,
    content === "tokens" ? contentChoice(panel, null) : content,
    wanted !== null && rowsOf(wanted) !== undefined,
    maskOf(panel),
    inputsOf(panel) === NO_INPUTS ? null : panel.weights,
    panel.positions,
    sink,
    softmaxScale,
    centre,
    currentLanguage(),
  ];
  const key = JSON.stringify(parts);
  try {
    const known = drawables.get(key);
    const made = known ?? drawableOf(encoding, params, panel, { head: Math.min(head, heads - 1), centre });
    return { drawable: keep(key, made), failure: null, problems: [] };
  } catch (error) {
    if (error instanceof ParamError) return { drawable: null, failure: null, problems: [error.problem] };
    return { drawable: null, failure: error instanceof Error ? error.message : String(error), problems: [] };
  }
}

/** Middle of what is seen, in coarse steps, so that panning does not make the terms anew each time. */
function centreOf(panel: PanelState): number {
  const { viewport, keyLength, shift } = panel;
  const middle = viewport === null ? keyLength / 2 : viewport.column + viewport.columns / 2;
  return shift + Math.floor(middle / 4096) * 4096;
}

function drawableOf(
  encoding: Encoding,
  params: Params,
  panel: PanelState,
  { head, centre }: { readonly head: number; readonly centre: number },
): Drawable {
  const end = endOf(encoding.domain(params));
  const numbering = numberingOf(encoding, params, panel);
  const keyLength = Math.min(panel.keyLength, keysWithin(end, panel, numbering));
  if (keyLength < 1 && end !== null) throw new Error(localize(end.reason));
  const queryLength = Math.min(panel.queryLength, keyLength);
  const content = contentChoice(panel, wantedRows(encoding, params, panel, head));
  const scene: Scene = {
    queryLength,
    keyLength,
    shift: panel.shift,
    head,
    centre,
    content: contentOf(content, keyLength - queryLength),
    inputs: inputsOf(panel),
    ...(numbering === undefined ? {} : { numbering }),
    ...(panel.softmaxScale === null ? {} : { softmaxScale: panel.softmaxScale }),
  };
  const mask = maskOf(panel);
  const extraLogit = panel.sink ?? undefined;
  return {
    encoding,
    params,
    scene,
    attention: attentionOf(encoding, params, scene, mask, extraLogit),
    recipe: {
      encoding: encoding.id,
      params,
      scene: { ...scene, content },
      mask,
      ...(extraLogit === undefined ? {} : { extraLogit }),
    },
    table: encoding.table?.(params, consecutive(scene)) ?? null,
    ends: keyLength < panel.keyLength ? end : null,
  };
}

/** The Example's tokens in their order, where content is of words; a checkpoint's rows once they are read. */
function contentChoice({ content, tokens, order }: PanelState, wanted: WantedRows | null): ContentChoice {
  if (content !== "tokens") {
    if (content === "ones" || "seed" in content) return content;
    const rows = wanted === null ? undefined : rowsOf(wanted);
    return rows === undefined ? "ones" : { rows };
  }
  return { tokens: order.length === tokens.length ? order.map((n) => tokens[n] ?? "") : tokens };
}

/** Which of a checkpoint's numbers this state shows. */
export function wantedRows(encoding: Encoding, params: Params, panel: PanelState, head: number): WantedRows | null {
  const checkpoint = checkpointOf(panel);
  if (checkpoint === null) return null;
  const own = encoding.classification.acts === "input" ? modelWidth(params) / headCount(params) : params["head_dim"];
  const headDim = typeof own === "number" ? own : 64;
  return { ...checkpoint, head: Math.min(head, headCount(params) - 1), headDim };
}

/** A table has its rows by position, however the tokens of the call are numbered. */
function consecutive({ numbering: _ids, ...scene }: Scene): Scene {
  return scene;
}

/** Position ids of the scene, where the encoding takes any and they are not the indices. */
function numberingOf(encoding: Encoding, params: Params, { positions }: PanelState): Numbering | undefined {
  return encoding.takesIds?.(params) === true && isRenumbered(positions) ? positions : undefined;
}

/** Keys that have a position: of packed documents as many as there are, if each fits. */
function keysWithin(end: End | null, { shift, positions }: PanelState, numbering: Numbering | undefined): number {
  if (end === null) return Number.POSITIVE_INFINITY;
  const size = end.size - shift;
  if (numbering === undefined) return size;
  if (numbering.kind === "left_padding") return size + positions.padding;
  return idCount(numbering, Number.POSITIVE_INFINITY) <= size ? Number.POSITIVE_INFINITY : size;
}

/** As many positions as a recursion, or the gates of whole rows, allow within a moment. */
const COSTLY_POSITIONS = 2048;

function endOf(domain: Domain): End | null {
  switch (domain.kind) {
    case "any":
      return null;
    case "table":
      return { size: domain.size, costly: false, reason: domain.reason };
    case "recursive":
      return { size: COSTLY_POSITIONS, costly: true, reason: domain.reason };
  }
}

function maskOf({ causal, window, chunk, keepFirst, positions }: PanelState): Mask {
  return {
    causal,
    ...(window === null ? {} : { window }),
    ...(chunk === null ? {} : { chunk }),
    ...(window === null || keepFirst === null ? {} : { keepFirst }),
    ...numberingMask(positions),
  };
}
