import { specAsRun } from "../config/runs.ts";
import type { EncodingSpec } from "../spec.ts";
import { presetFromSpec } from "./link.ts";
import type { CompareSide } from "./state.ts";

/**
 * One side of a comparison: a config's encoding as declared, or as a runtime computes it.
 * @param runtime name in the encoding's `runs`; null for the declared values, which follow the file
 */
export function runSide(
  spec: EncodingSpec,
  runtime: string | null,
  config: NonNullable<CompareSide["config"]>,
): CompareSide {
  if (runtime === null) return { encoding: spec.encoding, config, given: null, changes: {} };
  const run = specAsRun(spec, runtime);
  const preset = presetFromSpec(run);
  return {
    encoding: run.encoding,
    config: null,
    given: preset === null ? null : { ...preset, name: runtime },
    changes: {},
  };
}
