import type { Parameter } from "../../src/core/encodings/encoding.ts";
import {
  attentionOf,
  type Domain,
  type Encoding,
  type PositionTable,
  type Scene,
} from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { modelWidth } from "../../src/core/encodings/parameters.ts";
import { checkParams, knownParams, suggestParams } from "../../src/core/encodings/schema.ts";
import { currentLanguage, type Localized, say } from "../../src/core/l10n.ts";
import { ParamError, type ParamProblem } from "../../src/core/problem.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { Given, PanelState } from "../../src/core/protocol/state.ts";
import type { EncodingSpec, Params, ParamValue, Source } from "../../src/core/spec.ts";
import { type ContentChoice, contentOf } from "../../src/core/terms/content.ts";
import { idCount, isRenumbered, type Numbering, numberingMask } from "../../src/core/terms/numbering.ts";
import type { Attention, Mask } from "../../src/core/terms/term.ts";
import type { Recipe } from "../engine/renderer.ts";
import { checkpointOf, rowsOf, type WantedRows } from "./ownRows.ts";
import { inputsOf, NO_INPUTS } from "./weights.ts";

/** One parameter as its control shows it. */
export interface Control {
  readonly parameter: Parameter;
  readonly value: ParamValue;
  readonly source: Source;
  /** What a reset brings back, and where that comes from. */
  readonly base: ParamValue;
  readonly baseSource: Source;
  /** The rule that the value breaks. */
  readonly problem: string | null;
}

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

/** Everything that follows from the state, computed and never stored. */
export interface Model {
  readonly encoding: Encoding;
  readonly spec: EncodingSpec | null;
  /** What the values are of, where no config is behind them. */
  readonly given: Given | null;
  readonly params: Params;
  readonly controls: readonly Control[];
  readonly problems: readonly ParamProblem[];
  readonly heads: number;
  /** null while a parameter breaks a rule. */
  readonly drawable: Drawable | null;
  /** Why nothing can be drawn although every parameter holds. */
  readonly failure: string | null;
}

/** The encoding of the config that a panel is bound to. */
export function boundSpec(panel: PanelState, config: BoundConfig | null): EncodingSpec | null {
  if (panel.config === null || config === null) return null;
  const spec = config.specs[panel.config.index];
  return spec?.encoding === panel.encoding ? spec : null;
}

/** @returns null for an encoding that the table does not have */
export function modelOf(panel: PanelState, config: BoundConfig | null): Model | null {
  const encoding = encodingById(panel.encoding);
  if (encoding === undefined) return null;
  const spec = boundSpec(panel, config);
  const given = spec === null ? panel.given : null;
  const base = checkParams(encoding, knownParams(encoding, spec?.params ?? given?.values ?? {})).params;
  const changes = knownParams(encoding, panel.changes);
  const merged = { ...base, ...changes };
  // A person who picks a variant gets a picture, not a list of what is missing; a config is shown as it is.
  const asWritten = spec !== null && Object.keys(changes).length === 0;
  const { params, problems } = checkParams(encoding, asWritten ? merged : suggestParams(encoding, merged));
  const sources = spec?.sources ?? given?.sources ?? {};
  const controls = controlsOf(encoding, { base, changes, params, from: { params: base, sources }, problems });
  const heads = headCount(params);
  const model = { encoding, spec, given, params, controls, problems, heads };
  if (problems.length > 0) return { ...model, drawable: null, failure: null };
  return { ...model, ...tryDrawable(encoding, params, panel, heads) };
}

interface Values {
  readonly base: Params;
  readonly changes: Params;
  readonly params: Params;
  /** What is under the changes, and where each value of it came from. */
  readonly from: Pick<EncodingSpec, "params" | "sources">;
  readonly problems: readonly ParamProblem[];
}

function controlsOf(encoding: Encoding, values: Values): Control[] {
  const shown = encoding.parameters.filter(
    (parameter) => parameter.when === undefined || parameter.when(values.params),
  );
  return shown.map((parameter) => {
    const baseSource = sourceIn(values.from, parameter);
    return {
      parameter,
      value: values.params[parameter.name] ?? null,
      source: Object.hasOwn(values.changes, parameter.name) ? "you" : baseSource,
      base: values.base[parameter.name] ?? null,
      baseSource,
      problem: values.problems.find((problem) => problem.param === parameter.name)?.rule ?? null,
    };
  });
}

function sourceIn({ params, sources }: Values["from"], parameter: Parameter): Source {
  const names = [parameter.name, ...(parameter.aliases ?? [])];
  for (const name of names) {
    const source = sources[name];
    if (source !== undefined && params[parameter.name] !== null) return source;
  }
  return "default";
}

function headCount(params: Params): number {
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

function tryDrawable(
  encoding: Encoding,
  params: Params,
  panel: PanelState,
  heads: number,
): Pick<Model, "drawable" | "failure" | "problems"> {
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
  if (keyLength < 1 && end !== null) throw new Error(say(end.reason));
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

/** "RoPE · YaRN ×4"; without scaling the title as the catalogue has it. */
export function titleOf(model: Model): string {
  const { encoding, params, controls } = model;
  const type = scalingType(model);
  if (type === null || type === "default") return say(encoding.title);
  const choices = controls.find(({ parameter }) => parameter.name === "rope_type")?.parameter.choices;
  const label = choices?.find(({ value }) => value === type)?.label;
  const factor = params["factor"];
  const times = typeof factor === "number" ? ` ×${factor}` : "";
  return `${aroundDash(say(encoding.title))[0]} · ${label === undefined ? type : aroundDash(say(label))[1]}${times}`;
}

/** "RoPE — rotary position embedding" in its two parts; both are the whole where there is no dash. */
function aroundDash(text: string): readonly [string, string] {
  const [before = text, after = text] = text.split(/\s*——?\s*/);
  return [before, after];
}

/** `rope_type`, for the encodings that have one. */
export function scalingType(model: Pick<Model, "params">): string | null {
  const type = model.params["rope_type"];
  return typeof type === "string" ? type : null;
}
