import type { Params, ParamValue } from "../core/spec.ts";
import { UserError } from "../core/util/errors.ts";

/** Parses `name=JSON`. Anything that is not JSON is a string, so that `rope_type=yarn` needs no nested quotes. */
export function parseParams(pairs: readonly string[]): Params {
  // Entries, because an assignment to `__proto__` would not be a parameter.
  const entries = pairs.map((pair): [string, ParamValue] => {
    const at = pair.indexOf("=");
    if (at <= 0) throw new UserError(`--set ${pair}: expected name=value`);
    return [pair.slice(0, at), parseValue(pair.slice(at + 1))];
  });
  return Object.fromEntries(entries);
}

function parseValue(text: string): ParamValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "string")
    return value;
  if (Array.isArray(value) && value.every((item): item is number => typeof item === "number")) return value;
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) return value;
  throw new UserError(`--set: ${text} must be a number, a string, true, false, null, or a list of numbers or strings`);
}
