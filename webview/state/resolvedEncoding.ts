import { buildAttention } from "../../src/core/encodings/buildAttention.ts";
import type { Encoding, PositionDomain } from "../../src/core/encodings/encoding.ts";
import { resolveHiddenSize } from "../../src/core/encodings/support/parameters.ts";
import { currentLanguage, type Localized, localize } from "../../src/core/l10n/l10n.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import type { Params } from "../../src/core/spec.ts";
import {
  type ContentChoice,
  type CreateContent,
  createCachedContent,
  createContent,
} from "../../src/core/terms/content.ts";
import { countPositionIds, isRenumbered, type Numbering, numberingMask } from "../../src/core/terms/numbering.ts";
import type { PositionTable, Scene } from "../../src/core/terms/scene.ts";
import type { Attention, Mask } from "../../src/core/terms/term.ts";
import { errorMessage, ParamError, type ParamProblem } from "../../src/core/util/errors.ts";
import type { AttentionSource } from "../engine/renderer.ts";
import { type CheckpointData, checkpointContent, findRows, findWeights, type RowsRequest } from "./checkpointData.ts";

/** Only positions 0 … size − 1 can be drawn, and why. */
export interface PositionLimit {
  readonly size: number;
  /** Further positions exist, but each one costs all before it. */
  readonly costly: boolean;
  readonly reason: Localized;
}

/** What can be drawn once all parameters are valid. */
export interface ResolvedEncoding {
  readonly encoding: Encoding;
  readonly params: Params;
  readonly scene: Scene;
  readonly attention: Attention;
  /** The same attention as plain data, for workers. */
  readonly attentionSource: AttentionSource;
  readonly table: PositionTable | null;
  /** Set if the encoding ends before the requested length. */
  readonly limit: PositionLimit | null;
}

export function headCount(params: Params): number {
  const heads = params["num_heads"];
  return typeof heads === "number" && heads >= 1 ? Math.floor(heads) : 1;
}

/** The panel's head, or the last one if the encoding has fewer. */
function selectedHead(params: Params, { head }: PanelState): number {
  return Math.min(head, headCount(params) - 1);
}

/** The resolved encoding, or why there is none. */
export interface EncodingResult {
  readonly resolved: ResolvedEncoding | null;
  readonly problems: readonly ParamProblem[];
  /** Why nothing can be drawn although every parameter is valid. */
  readonly failure: string | null;
}

/** Builds the terms of an encoding as the panel's settings have them. */
export type ResolveEncoding = (
  encoding: Encoding,
  params: Params,
  panel: PanelState,
  data: CheckpointData,
) => EncodingResult;

function createResolver(create: CreateContent): ResolveEncoding {
  return (encoding, params, panel, data) => {
    try {
      return { resolved: buildResolvedEncoding(encoding, params, panel, data, create), failure: null, problems: [] };
    } catch (error) {
      if (error instanceof ParamError) return { resolved: null, failure: null, problems: [error.problem] };
      return { resolved: null, failure: errorMessage(error), problems: [] };
    }
  };
}

export const resolveEncoding = createResolver(createContent);

/** A comparison has two sides, each as long as asked and as long as the shorter one. */
const CACHE_SIZE = 4;

/** Creates a resolver that keeps its last results: terms are built once per state, however often the crosshair moves. */
export function createCachedResolver(): ResolveEncoding {
  const results = new Map<string, EncodingResult>();
  const resolve = createResolver(createCachedContent());
  return (encoding, params, panel, data) => {
    const key = resultKey(encoding, params, panel, data);
    const result = results.get(key) ?? resolve(encoding, params, panel, data);
    results.delete(key);
    results.set(key, result);
    for (const oldest of results.keys()) {
      if (results.size <= CACHE_SIZE) break;
      results.delete(oldest);
    }
    return result;
  };
}

/** Everything that a result depends on. Texts in it are in the language of its time. */
function resultKey(encoding: Encoding, params: Params, panel: PanelState, data: CheckpointData): string {
  const { queryLength, keyLength, shift, head, content, sink, softmaxScale } = panel;
  const rowsRequest = rowsToRead(encoding, params, panel);
  return JSON.stringify([
    encoding.id,
    params,
    queryLength,
    keyLength,
    shift,
    head,
    content === "tokens" ? resolveContent(panel, null, data) : content,
    rowsRequest !== null && findRows(data, rowsRequest) !== undefined,
    buildMask(panel),
    findWeights(data, panel)?.key,
    panel.positions,
    sink,
    softmaxScale,
    viewCentre(panel),
    currentLanguage(),
  ]);
}

/** Centre of the viewport, rounded to 4096 so that panning does not rebuild the terms for every pixel. */
function viewCentre(panel: PanelState): number {
  const { viewport, keyLength, shift } = panel;
  const middle = viewport === null ? keyLength / 2 : viewport.column + viewport.columns / 2;
  return shift + Math.floor(middle / 4096) * 4096;
}

function buildResolvedEncoding(
  encoding: Encoding,
  params: Params,
  panel: PanelState,
  data: CheckpointData,
  create: CreateContent,
): ResolvedEncoding {
  const limit = positionLimit(encoding.domain(params));
  const numbering = activeNumbering(encoding, params, panel);
  const keyLength = Math.min(panel.keyLength, maxKeys(limit, panel, numbering));
  if (keyLength < 1 && limit !== null) throw new Error(localize(limit.reason));
  const queryLength = Math.min(panel.queryLength, keyLength);
  const content = resolveContent(panel, rowsToRead(encoding, params, panel), data);
  const scene: Scene = {
    queryLength,
    keyLength,
    shift: panel.shift,
    head: selectedHead(params, panel),
    centre: viewCentre(panel),
    content: create(content, keyLength - queryLength),
    inputs: findWeights(data, panel)?.inputs ?? {},
    ...(numbering === undefined ? {} : { numbering }),
    ...(panel.softmaxScale === null ? {} : { softmaxScale: panel.softmaxScale }),
  };
  const mask = buildMask(panel);
  const extraLogit = panel.sink ?? undefined;
  return {
    encoding,
    params,
    scene,
    attention: buildAttention(encoding, params, scene, mask, extraLogit),
    attentionSource: {
      encoding: encoding.id,
      params,
      scene: { ...scene, content },
      mask,
      ...(extraLogit === undefined ? {} : { extraLogit }),
    },
    table: encoding.positionTable?.(params, withoutNumbering(scene)) ?? null,
    limit: keyLength < panel.keyLength ? limit : null,
  };
}

/** Tokens in the Example's order if content is words; a checkpoint's rows once they have been read. */
function resolveContent(
  { content, tokens, order }: PanelState,
  request: RowsRequest | null,
  data: CheckpointData,
): ContentChoice {
  if (content !== "tokens") {
    if (content === "ones" || "seed" in content) return content;
    const rows = request === null ? undefined : findRows(data, request);
    return rows === undefined ? "ones" : { rows };
  }
  return { tokens: order.length === tokens.length ? order.map((n) => tokens[n] ?? "") : tokens };
}

/** The checkpoint rows that this state needs, or null. */
export function rowsToRead(encoding: Encoding, params: Params, panel: PanelState): RowsRequest | null {
  const checkpoint = checkpointContent(panel);
  if (checkpoint === null) return null;
  const dim =
    encoding.classification.actsOn === "input" ? resolveHiddenSize(params) / headCount(params) : params["head_dim"];
  const headDim = typeof dim === "number" ? dim : 64;
  return { ...checkpoint, head: selectedHead(params, panel), headDim };
}

/** Rows of a position table are indexed by position, whatever the position ids are. */
function withoutNumbering({ numbering: _ids, ...scene }: Scene): Scene {
  return scene;
}

/** The position ids, if the encoding accepts them and they differ from the indices. */
function activeNumbering(encoding: Encoding, params: Params, { positions }: PanelState): Numbering | undefined {
  return encoding.takesPositionIds?.(params) === true && isRenumbered(positions) ? positions : undefined;
}

/** The number of keys that have a position; packed documents can have any number if each document fits. */
function maxKeys(
  limit: PositionLimit | null,
  { shift, positions }: PanelState,
  numbering: Numbering | undefined,
): number {
  if (limit === null) return Number.POSITIVE_INFINITY;
  const size = limit.size - shift;
  if (numbering === undefined) return size;
  if (numbering.kind === "left_padding") return size + positions.padding;
  return countPositionIds(numbering, Number.POSITIVE_INFINITY) <= size ? Number.POSITIVE_INFINITY : size;
}

/** A recursion, or gates over whole rows, takes a moment for this many positions. */
const MAX_COSTLY_POSITIONS = 2048;

function positionLimit(domain: PositionDomain): PositionLimit | null {
  switch (domain.kind) {
    case "any":
      return null;
    case "table":
      return { size: domain.size, costly: false, reason: domain.reason };
    case "recursive":
      return { size: MAX_COSTLY_POSITIONS, costly: true, reason: domain.reason };
  }
}

function buildMask({ causal, window, chunk, keepFirst, positions }: PanelState): Mask {
  return {
    causal,
    ...(window === null ? {} : { window }),
    ...(chunk === null ? {} : { chunk }),
    ...(window === null || keepFirst === null ? {} : { keepFirst }),
    ...numberingMask(positions),
  };
}
