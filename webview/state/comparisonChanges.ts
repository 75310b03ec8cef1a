import type { ModelPreset } from "../../src/core/catalogue/presets.ts";
import { findCounterpart } from "../../src/core/config/compare/counterpart.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import { runSide } from "../../src/core/protocol/runSide.ts";
import type { CompareSide } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../src/core/spec.ts";
import { boundSpec } from "./panelEncoding.ts";
import { type PanelChange, presetGiven } from "./reducers.ts";

/** Changes of side B of a comparison. */

function compareWith(compare: CompareSide): PanelChange {
  // A manual colour domain belongs to the values of one side.
  return (state) => ({ ...state, compare, colour: { ...state.colour, domain: null } });
}

export function compareWithEncoding(encoding: EncodingId, changes: Params = {}): PanelChange {
  return compareWith({ encoding, config: null, given: null, changes: { ...changes } });
}

export function compareWithPreset(preset: ModelPreset): PanelChange {
  return compareWith({ encoding: preset.encoding, config: null, given: presetGiven(preset), changes: {} });
}

/** Compares with one of a config's encodings. */
export function compareWithSpec(config: BoundConfig, index: number): PanelChange {
  return (state) => {
    const spec = config.specs[index];
    if (spec === undefined) return state;
    return compareWith({ encoding: spec.encoding, config: { uri: config.uri, index }, given: null, changes: {} })(
      state,
    );
  };
}

/** Compares with what a runtime makes of the config's encoding. */
export function compareWithRun(config: BoundConfig, index: number, runtime: string): PanelChange {
  return (state) => {
    const spec = config.specs[index];
    return spec === undefined ? state : compareWith(runSide(spec, runtime, { uri: config.uri, index }))(state);
  };
}

/** Compares with the encoding of a config that is most like the panel's own. */
export function compareWithConfig(config: BoundConfig, own: BoundConfig | null): PanelChange {
  return (state) => {
    const spec = boundSpec(state, own);
    return compareWithSpec(config, spec === null ? 0 : findCounterpart(spec, config.specs))(state);
  };
}

/** Compares with the panel's own values before the user's changes. */
export const compareWithUnchanged: PanelChange = (state) => {
  const { encoding, config, given } = state;
  return compareWith({ encoding, config, given, changes: {} })(state);
};

export const swapSides: PanelChange = (state) => {
  const { compare, encoding, config, given, changes } = state;
  if (compare === null) return state;
  return { ...state, ...compare, compare: { encoding, config, given, changes }, hiddenTerms: [] };
};
