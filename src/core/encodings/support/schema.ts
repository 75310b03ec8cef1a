import * as l10n from "@vscode/l10n";
import type { Params, ParamValue } from "../../spec.ts";
import { ParamError, type ParamProblem } from "../../util/errors.ts";
import type { Encoding, Parameter } from "../encoding.ts";

/** Parameters with defaults filled in, and what is wrong with the given ones. */
export interface CheckedParams {
  readonly params: Params;
  readonly problems: readonly ParamProblem[];
}

/**
 * Fills in defaults, then checks each value and the rules across several. Unknown names are problems; use
 * `pickKnownParams` first for values read from a config.
 */
export function checkParams(encoding: Encoding, given: Params): CheckedParams {
  const problems: ParamProblem[] = [];
  const params: Record<string, ParamValue> = {};
  for (const parameter of encoding.parameters) params[parameter.name] = valueOrDefault(parameter, given);
  for (const name of Object.keys(given)) {
    if (findParameter(encoding, name) === undefined) {
      const knownNames = encoding.parameters.map((parameter) => parameter.name).join(", ");
      problems.push({
        param: name,
        value: given[name],
        rule: l10n.t("is not a parameter of {0}; known: {1}", encoding.id, knownNames),
      });
    }
  }
  for (const parameter of encoding.parameters) {
    if (parameter.when !== undefined && !parameter.when(params)) continue;
    const rule = findBrokenRule(parameter, params[parameter.name] ?? null);
    if (rule !== undefined)
      problems.push({
        param: parameter.name,
        value: params[parameter.name],
        rule,
      });
  }
  if (problems.length === 0) problems.push(...(encoding.rules?.(params) ?? []));
  return { params, problems };
}

/** Like `checkParams`, but throws the first problem as a ParamError. */
export function requireParams(encoding: Encoding, given: Params): Params {
  const { params, problems } = checkParams(encoding, given);
  const first = problems[0];
  if (first !== undefined) throw new ParamError(first);
  return params;
}

/** Only the values that the encoding has a parameter for. null counts as absent unless the parameter allows it. */
export function pickKnownParams(encoding: Encoding, values: Params): Params {
  const known: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const parameter = findParameter(encoding, name);
    if (parameter === undefined || (value === null && parameter.optional !== true)) continue;
    known[parameter.name] = value;
  }
  return known;
}

/** Fills missing values that the given ones require with good defaults, as after a person picked a RoPE type. */
export function suggestParams(encoding: Encoding, given: Params): Params {
  const params = { ...checkParams(encoding, given).params };
  for (const { name, suggest, when } of encoding.parameters) {
    if (suggest === undefined || params[name] !== null || when?.(params) === false) continue;
    params[name] = suggest(params);
  }
  return params;
}

export function findParameter(encoding: Encoding, name: string): Parameter | undefined {
  const { parameters } = encoding;
  return (
    parameters.find((parameter) => parameter.name === name) ??
    parameters.find(({ aliases }) => aliases?.includes(name) === true)
  );
}

function valueOrDefault(parameter: Parameter, given: Params): ParamValue {
  for (const name of [parameter.name, ...(parameter.aliases ?? [])]) {
    const value = given[name];
    if (value !== undefined) return parameter.normalise?.(value) ?? value;
  }
  return parameter.default;
}

function findBrokenRule(parameter: Parameter, value: ParamValue): string | undefined {
  if (value === null) return parameter.optional === true ? undefined : l10n.t("is required");
  switch (parameter.kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : l10n.t("must be true or false");
    case "choice":
      return parameter.choices?.some((choice) => choice.value === value)
        ? undefined
        : l10n.t("must be one of {0}", (parameter.choices ?? []).map((choice) => choice.value).join(", "));
    case "numbers":
      if (!Array.isArray(value) || value.some((item: unknown) => typeof item !== "number" || !Number.isFinite(item))) {
        return l10n.t("must be a list of finite numbers");
      }
      return value.map((item: number) => findBrokenBound(parameter, item)).find((rule) => rule !== undefined);
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return l10n.t("must be a finite number");
      if (parameter.kind === "integer" && !Number.isSafeInteger(value)) return l10n.t("must be an integer");
      return findBrokenBound(parameter, value);
  }
}

function findBrokenBound(parameter: Parameter, value: number): string | undefined {
  if (parameter.above !== undefined && !(value > parameter.above))
    return l10n.t("must be greater than {0}", parameter.above);
  if (parameter.min !== undefined && value < parameter.min) return l10n.t("must be at least {0}", parameter.min);
  if (parameter.max !== undefined && value > parameter.max) return l10n.t("must be at most {0}", parameter.max);
  return undefined;
}

/** Typed access to checked parameters: a wrong type is a bug, not a user error. */
export function getNumber(params: Params, name: string): number {
  const value = params[name];
  if (typeof value !== "number")
    throw new ParamError({
      param: name,
      value,
      rule: l10n.t("must be a finite number"),
    });
  return value;
}

export function optionalNumber(params: Params, name: string): number | undefined {
  const value = params[name];
  return typeof value === "number" ? value : undefined;
}

export function getString(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw new ParamError({ param: name, value, rule: l10n.t("is required") });
  return value;
}

export function optionalNumbers(params: Params, name: string): readonly number[] | undefined {
  const value = params[name];
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is number => typeof item === "number");
}
