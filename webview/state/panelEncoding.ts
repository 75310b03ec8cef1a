import type { Encoding, Parameter } from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { checkParams, knownParams, suggestParams } from "../../src/core/encodings/support/schema.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { BoundConfig } from "../../src/core/protocol/messages.ts";
import type { Given, PanelState } from "../../src/core/protocol/state.ts";
import type { EncodingSpec, Params, ParamValue, Source } from "../../src/core/spec.ts";
import type { ParamProblem } from "../../src/core/util/errors.ts";
import { type Drawing, drawingOf, headCount } from "./resolvedEncoding.ts";

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

/** Everything that follows from the state, computed and never stored. */
export interface Model extends Drawing {
  readonly encoding: Encoding;
  readonly spec: EncodingSpec | null;
  /** What the values are of, where no config is behind them. */
  readonly given: Given | null;
  readonly params: Params;
  readonly controls: readonly Control[];
  readonly heads: number;
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
  const model = { encoding, spec, given, params, controls, problems, heads: headCount(params) };
  if (problems.length > 0) return { ...model, drawable: null, failure: null };
  return { ...model, ...drawingOf(encoding, params, panel) };
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

/** "RoPE · YaRN ×4"; without scaling the title as the catalogue has it. */
export function titleOf(model: Model): string {
  const { encoding, params, controls } = model;
  const type = scalingType(model);
  if (type === null || type === "default") return localize(encoding.title);
  const choices = controls.find(({ parameter }) => parameter.name === "rope_type")?.parameter.choices;
  const label = choices?.find(({ value }) => value === type)?.label;
  const factor = params["factor"];
  const times = typeof factor === "number" ? ` ×${factor}` : "";
  return `${aroundDash(localize(encoding.title))[0]} · ${label === undefined ? type : aroundDash(localize(label))[1]}${times}`;
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
