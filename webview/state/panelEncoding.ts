import type { Encoding, Parameter } from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { checkParams, pickKnownParams, suggestParams } from "../../src/core/encodings/support/schema.ts";
import { fullTitle } from "../../src/core/encodings/support/title.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { PanelState, Preset } from "../../src/core/protocol/state.ts";
import type { EncodingSpec, Params, ParamValue, ValueSource } from "../../src/core/spec.ts";
import type { ParamProblem } from "../../src/core/util/errors.ts";
import { type CheckpointData, NO_CHECKPOINT_DATA } from "./checkpointData.ts";
import { type EncodingResult, headCount, type ResolveEncoding, resolveEncoding } from "./resolvedEncoding.ts";

/** One parameter as its control shows it. */
export interface ParameterControl {
  readonly parameter: Parameter;
  readonly value: ParamValue;
  readonly source: ValueSource;
  /** The value a reset restores, and its source. */
  readonly base: ParamValue;
  readonly baseSource: ValueSource;
  /** The rule that the value violates. */
  readonly problem: string | null;
}

/** The encoding's parameters as the panel state has them. */
interface PanelParameters {
  readonly encoding: Encoding;
  readonly spec: EncodingSpec | null;
  /** The preset the values come from, if no config is bound. */
  readonly preset: Preset | null;
  readonly params: Params;
  readonly controls: readonly ParameterControl[];
  readonly problems: readonly ParamProblem[];
  readonly heads: number;
}

/** Everything derived from the panel state; never stored. */
export interface PanelEncoding extends PanelParameters, EncodingResult {}

/** The encoding of the config that a panel is bound to. */
export function boundSpec(panel: PanelState, config: BoundConfig | null): EncodingSpec | null {
  if (panel.config === null || config === null) return null;
  const spec = config.specs[panel.config.index];
  return spec?.encoding === panel.encoding ? spec : null;
}

/** @returns null for an unknown encoding */
export function derivePanelParameters(panel: PanelState, config: BoundConfig | null): PanelParameters | null {
  const encoding = encodingById(panel.encoding);
  if (encoding === undefined) return null;
  const spec = boundSpec(panel, config);
  const preset = spec === null ? panel.given : null;
  const base = checkParams(encoding, pickKnownParams(encoding, spec?.params ?? preset?.values ?? {})).params;
  const changes = pickKnownParams(encoding, panel.changes);
  const merged = { ...base, ...changes };
  // Choosing a variant should give a picture, so missing parameters are filled in; an unchanged config is shown as it
  // is.
  const asWritten = spec !== null && Object.keys(changes).length === 0;
  const { params, problems } = checkParams(encoding, asWritten ? merged : suggestParams(encoding, merged));
  const sources = spec?.sources ?? preset?.sources ?? {};
  const controls = buildControls(encoding, { base, changes, params, from: { params: base, sources }, problems });
  return { encoding, spec, preset, params, controls, problems, heads: headCount(params) };
}

/** @returns null for an unknown encoding */
export function derivePanelEncoding(
  panel: PanelState,
  config: BoundConfig | null,
  data: CheckpointData = NO_CHECKPOINT_DATA,
  resolve: ResolveEncoding = resolveEncoding,
): PanelEncoding | null {
  const derived = derivePanelParameters(panel, config);
  if (derived === null) return null;
  if (derived.problems.length > 0) return { ...derived, resolved: null, failure: null };
  return { ...derived, ...resolve(derived.encoding, derived.params, panel, data) };
}

interface LayeredValues {
  readonly base: Params;
  readonly changes: Params;
  readonly params: Params;
  /** The values below the user's changes, with their sources. */
  readonly from: Pick<EncodingSpec, "params" | "sources">;
  readonly problems: readonly ParamProblem[];
}

function buildControls(encoding: Encoding, values: LayeredValues): ParameterControl[] {
  const applicable = encoding.parameters.filter(
    (parameter) => parameter.when === undefined || parameter.when(values.params),
  );
  return applicable.map((parameter) => {
    const baseSource = findSource(values.from, parameter);
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

function findSource({ params, sources }: LayeredValues["from"], parameter: Parameter): ValueSource {
  const names = [parameter.name, ...(parameter.aliases ?? [])];
  for (const name of names) {
    const source = sources[name];
    if (source !== undefined && params[parameter.name] !== null) return source;
  }
  return "default";
}

/** "RoPE · YaRN ×4"; without scaling, the encoding's title. */
export function formatTitle(encodingOfPanel: PanelEncoding): string {
  const { encoding, params, controls } = encodingOfPanel;
  const type = scalingType(encodingOfPanel);
  if (type === null || type === "default") return localize(fullTitle(encoding));
  const choices = controls.find(({ parameter }) => parameter.name === "rope_type")?.parameter.choices;
  const choice = choices?.find(({ value }) => value === type);
  const factor = params["factor"];
  const times = typeof factor === "number" ? ` ×${factor}` : "";
  return `${localize(encoding.name)} · ${choice === undefined ? type : localize(choice.name)}${times}`;
}

/** `rope_type`, if the encoding has one. */
export function scalingType(model: Pick<PanelEncoding, "params">): string | null {
  const type = model.params["rope_type"];
  return typeof type === "string" ? type : null;
}
