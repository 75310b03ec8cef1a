import type { Preset } from "../../src/core/encodings/support/presets.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import { type Given, initialPanelState, type PanelState, type ViewId } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params, ParamValue } from "../../src/core/spec.ts";
import type { Viewport } from "../engine/renderer.ts";
import type { Cell } from "./viewport.ts";

/** Pure changes of the panel's state. */
export type Change = (state: PanelState) => PanelState;

export const LONGEST = 10_000_000;

/** Views whose rows and columns mean other things: a place in one of them is none elsewhere. */
const OWN_AXES: readonly ViewId[] = ["table", "example"];

function sameAxes(a: ViewId, b: ViewId): boolean {
  return a === b || !(OWN_AXES.includes(a) || OWN_AXES.includes(b));
}

/** Weights span many powers of ten, so that a linear scale shows one diagonal. */
function scaleOf(view: ViewId, scales: PanelState["scales"]): PanelState["colour"]["scale"] {
  return scales[view] ?? (view === "attention" ? "log" : "linear");
}

/** Another view, with the colours that it was left with, or its own. */
export function chooseView(view: ViewId): Change {
  return (state) => {
    const place = sameAxes(state.view, view) ? {} : { viewport: null, crosshair: null };
    return { ...state, ...place, view, colour: { scale: scaleOf(view, state.scales), domain: null } };
  };
}

/** Another encoding, free of any config, with what is not the encoding's own kept. */
export function chooseEncoding(encoding: EncodingId, changes: Params = {}): Change {
  return (state) => ({
    ...state,
    encoding,
    config: null,
    given: null,
    changes: { ...changes },
    hiddenTerms: [],
    trained: null,
    colour: { ...state.colour, domain: null },
  });
}

export function givenBy({ name, values }: Preset): Given {
  const sources = Object.fromEntries(Object.keys(values).map((param) => [param, "config" as const]));
  return { name, values: { ...values }, sources };
}

/** A known model's encoding with its numbers. */
export function choosePreset(preset: Preset): Change {
  return (state) => ({ ...chooseEncoding(preset.encoding)(state), given: givenBy(preset) });
}

/** Another encoding of the same config. */
export function chooseSpec(config: BoundConfig, index: number): Change {
  return (state) => {
    const spec = config.specs[index];
    if (spec === undefined) return state;
    return { ...chooseEncoding(spec.encoding)(state), config: { uri: config.uri, index } };
  };
}

/** The bound config was read anew: its encoding may be another one now. */
export function followConfig(config: BoundConfig): Change {
  return (state) => {
    if (state.config === null || state.config.uri !== config.uri || config.specs.length === 0) return state;
    const index = Math.min(state.config.index, config.specs.length - 1);
    const encoding = config.specs[index]?.encoding ?? state.encoding;
    if (encoding === state.encoding && index === state.config.index) return state;
    return { ...state, encoding, config: { ...state.config, index }, changes: {}, hiddenTerms: [] };
  };
}

export function changeParam(name: string, value: ParamValue): Change {
  return (state) => ({ ...state, changes: { ...state.changes, [name]: value } });
}

export function resetParam(name: string): Change {
  return (state) => {
    const { [name]: _gone, ...changes } = state.changes;
    return { ...state, changes };
  };
}

export function resetParams(state: PanelState): PanelState {
  return { ...state, changes: {} };
}

/** Sets the number of keys; the queries follow where they were as many. */
export function changeKeyLength(keys: number): Change {
  return (state) => {
    const queryLength = state.queryLength === state.keyLength ? keys : Math.min(state.queryLength, keys);
    return { ...state, keyLength: keys, queryLength, viewport: null, crosshair: null };
  };
}

/** Sets the number of queries, which stand at the end of the keys: there are at least as many of these. */
export function changeQueryLength(queries: number): Change {
  return (state) => ({
    ...state,
    queryLength: queries,
    keyLength: Math.max(state.keyLength, queries),
    viewport: null,
    crosshair: null,
  });
}

export function changeViewport(viewport: Viewport | null): Change {
  return (state) => ({
    ...state,
    viewport:
      viewport === null
        ? null
        : { row: viewport.row, column: viewport.column, rows: viewport.rows, columns: viewport.columns },
  });
}

export function changeCrosshair(cell: Cell | null): Change {
  return (state) => {
    const { crosshair } = state;
    if (crosshair?.row === cell?.row && crosshair?.column === cell?.column) return state;
    return { ...state, crosshair: cell === null ? null : { row: cell.row, column: cell.column } };
  };
}

export function toggleTerm(id: string): Change {
  return (state) => ({
    ...state,
    hiddenTerms: state.hiddenTerms.includes(id)
      ? state.hiddenTerms.filter((other) => other !== id)
      : [...state.hiddenTerms, id],
  });
}

export function changeColour(colour: Partial<PanelState["colour"]>): Change {
  return (state) => {
    const scales = colour.scale === undefined ? state.scales : { ...state.scales, [state.view]: colour.scale };
    return { ...state, scales, colour: { ...state.colour, ...colour } };
  };
}

/** Fields whose values need no care for the others. */
type Plain =
  | "sharedColours"
  | "softmaxScale"
  | "compare"
  | "head"
  | "shift"
  | "causal"
  | "window"
  | "chunk"
  | "keepFirst"
  | "sink"
  | "content"
  | "tokens"
  | "order";

export function setField<K extends Plain>(field: K, value: PanelState[K]): Change {
  return (state) => ({ ...state, [field]: value });
}

/** The first state of a panel that was given none. */
export const EMPTY_STATE: PanelState = initialPanelState("rope");
