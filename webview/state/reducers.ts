import type { ModelPreset } from "../../src/core/catalogue/presets.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState, type Preset, type ViewId } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params, ParamValue } from "../../src/core/spec.ts";
import type { Numbering } from "../../src/core/terms/numbering.ts";
import type { MatrixCell, Viewport } from "../matrix/viewport.ts";

/** Pure changes of the panel's state. */
export type PanelChange = (state: PanelState) => PanelState;

/** Changes the panel's state. */
export type Dispatch = (change: PanelChange) => void;

/** Views whose rows and columns are not queries and keys: a place in one of them means nothing in the others. */
const VIEWS_WITH_OWN_AXES: readonly ViewId[] = ["table", "example"];

function sameAxes(a: ViewId, b: ViewId): boolean {
  return a === b || !(VIEWS_WITH_OWN_AXES.includes(a) || VIEWS_WITH_OWN_AXES.includes(b));
}

/** Weights span many powers of ten, so that a linear scale shows one diagonal. */
function initialColourScale(view: ViewId, scales: PanelState["scales"]): PanelState["colour"]["scale"] {
  return scales[view] ?? (view === "attention" ? "log" : "linear");
}

/** Switches the view and restores its colour scale. */
export function chooseView(view: ViewId): PanelChange {
  return (state) => {
    const place = sameAxes(state.view, view) ? {} : { viewport: null, crosshair: null };
    return { ...state, ...place, view, colour: { scale: initialColourScale(view, state.scales), domain: null } };
  };
}

/** Content and lengths that the user did not choose become those that the new encoding starts with. */
function followInitialScene(state: PanelState, next: EncodingId): Partial<PanelState> {
  const sceneOf = ({ content, queryLength, keyLength }: PanelState) => ({ content, queryLength, keyLength });
  const [own, before] = [state, initialPanelState(state.encoding)].map((panel) => JSON.stringify(sceneOf(panel)));
  const scene = sceneOf(initialPanelState(next));
  return own !== before || own === JSON.stringify(scene) ? {} : { ...scene, viewport: null, crosshair: null };
}

/** Switches to an encoding without a config; settings that are not the encoding's own are kept. */
export function chooseEncoding(encoding: EncodingId, changes: Params = {}): PanelChange {
  return (state) => ({
    ...state,
    encoding,
    config: null,
    given: null,
    changes: { ...changes },
    ...followInitialScene(state, encoding),
    hiddenTerms: [],
    trained: null,
    colour: { ...state.colour, domain: null },
  });
}

export function presetGiven({ name, values }: ModelPreset): Preset {
  const sources = Object.fromEntries(Object.keys(values).map((param) => [param, "config" as const]));
  return { name, values: { ...values }, sources };
}

/** Switches to a preset's encoding and values. */
export function choosePreset(preset: ModelPreset): PanelChange {
  return (state) => ({ ...chooseEncoding(preset.encoding)(state), given: presetGiven(preset) });
}

/** Switches to another encoding of the same config. */
export function chooseSpec(config: BoundConfig, index: number): PanelChange {
  return (state) => {
    const spec = config.specs[index];
    if (spec === undefined) return state;
    return { ...chooseEncoding(spec.encoding)(state), config: { uri: config.uri, index } };
  };
}

/** Follows a reloaded config, whose encoding may have changed. */
export function followConfig(config: BoundConfig): PanelChange {
  return (state) => {
    if (state.config === null || state.config.uri !== config.uri || config.specs.length === 0) return state;
    const index = Math.min(state.config.index, config.specs.length - 1);
    const encoding = config.specs[index]?.encoding ?? state.encoding;
    if (encoding === state.encoding && index === state.config.index) return state;
    return { ...state, encoding, config: { ...state.config, index }, changes: {}, hiddenTerms: [] };
  };
}

export function changeParam(name: string, value: ParamValue): PanelChange {
  return (state) => ({ ...state, changes: { ...state.changes, [name]: value } });
}

export function resetParam(name: string): PanelChange {
  return (state) => {
    const { [name]: _removed, ...changes } = state.changes;
    return { ...state, changes };
  };
}

export function resetParams(state: PanelState): PanelState {
  return { ...state, changes: {} };
}

/** All values as on opening; encoding, view and config stay. */
export function resetView({ encoding, view, config, lesson }: PanelState): PanelState {
  return { ...initialPanelState(encoding), config, view, lesson };
}

/** Sets the number of keys; the number of queries follows if it was the same. */
export function changeKeyLength(keys: number): PanelChange {
  return (state) => {
    const queryLength = state.queryLength === state.keyLength ? keys : Math.min(state.queryLength, keys);
    return { ...state, keyLength: keys, queryLength, viewport: null, crosshair: null };
  };
}

/** Sets the number of queries. They are the last tokens, so there are at least as many keys. */
export function changeQueryLength(queries: number): PanelChange {
  return (state) => ({
    ...state,
    queryLength: queries,
    keyLength: Math.max(state.keyLength, queries),
    viewport: null,
    crosshair: null,
  });
}

export function changeViewport(viewport: Viewport | null): PanelChange {
  return (state) => ({
    ...state,
    viewport:
      viewport === null
        ? null
        : { row: viewport.row, column: viewport.column, rows: viewport.rows, columns: viewport.columns },
  });
}

export function changeCrosshair(cell: MatrixCell | null): PanelChange {
  return (state) => {
    const { crosshair } = state;
    if (crosshair?.row === cell?.row && crosshair?.column === cell?.column) return state;
    return { ...state, crosshair: cell === null ? null : { row: cell.row, column: cell.column } };
  };
}

export function toggleTerm(id: string): PanelChange {
  return (state) => ({
    ...state,
    hiddenTerms: state.hiddenTerms.includes(id)
      ? state.hiddenTerms.filter((other) => other !== id)
      : [...state.hiddenTerms, id],
  });
}

export function changeColour(colour: Partial<PanelState["colour"]>): PanelChange {
  return (state) => {
    const scales = colour.scale === undefined ? state.scales : { ...state.scales, [state.view]: colour.scale };
    return { ...state, scales, colour: { ...state.colour, ...colour } };
  };
}

/** Changes several parameters at once; one undo reverts them all. */
export function changeParams(values: Params): PanelChange {
  return (state) => ({ ...state, changes: { ...state.changes, ...values } });
}

/** Sets the training context in tokens; null: as the parameters have it. */
export function changeTrainingContext(trained: number | null): PanelChange {
  return (state) => ({ ...state, trained });
}

/** How the tokens are numbered. */
export function changePositions(change: Partial<Numbering>): PanelChange {
  return (state) => ({ ...state, positions: { ...state.positions, ...change } });
}

/** Changes what is selected in the charts: a pair, a distance, a patch. */
export function changePicked(change: PanelState["picked"]): PanelChange {
  return (state) => ({ ...state, picked: { ...state.picked, ...change } });
}

/** Fields that can be set without adjusting others. */
type IndependentField =
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

export function setField<K extends IndependentField>(field: K, value: PanelState[K]): PanelChange {
  return (state) => ({ ...state, [field]: value });
}

/** The initial state of a panel that is opened without one. */
export const DEFAULT_PANEL_STATE: PanelState = initialPanelState("rope");
