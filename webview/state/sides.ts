import { counterpart } from "../../src/core/config/compare/counterpart.ts";
import type { Preset } from "../../src/core/encodings/support/presets.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { Side } from "../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../src/core/spec.ts";
import { boundSpec } from "./panelEncoding.ts";
import { type Change, givenBy } from "./reducers.ts";

/** What is compared with: the other side of the panel. */

function compareWith(compare: Side): Change {
  // A domain by hand was of one side's numbers.
  return (state) => ({ ...state, compare, colour: { ...state.colour, domain: null } });
}

export function compareWithEncoding(encoding: EncodingId, changes: Params = {}): Change {
  return compareWith({ encoding, config: null, given: null, changes: { ...changes } });
}

export function compareWithPreset(preset: Preset): Change {
  return compareWith({ encoding: preset.encoding, config: null, given: givenBy(preset), changes: {} });
}

/** One of a config's encodings. */
export function compareWithSpec(config: BoundConfig, index: number): Change {
  return (state) => {
    const spec = config.specs[index];
    if (spec === undefined) return state;
    return compareWith({ encoding: spec.encoding, config: { uri: config.uri, index }, given: null, changes: {} })(
      state,
    );
  };
}

/** The encoding of a config that is most like the panel's own. */
export function compareWithConfig(config: BoundConfig, own: BoundConfig | null): Change {
  return (state) => {
    const spec = boundSpec(state, own);
    return compareWithSpec(config, spec === null ? 0 : counterpart(spec, config.specs))(state);
  };
}

/** The panel's own values before the user changed them. */
export const compareWithUnchanged: Change = (state) => {
  const { encoding, config, given } = state;
  return compareWith({ encoding, config, given, changes: {} })(state);
};

export const swapSides: Change = (state) => {
  const { compare, encoding, config, given, changes } = state;
  if (compare === null) return state;
  return { ...state, ...compare, compare: { encoding, config, given, changes }, hiddenTerms: [] };
};
