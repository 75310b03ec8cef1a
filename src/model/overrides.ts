import * as l10n from "@vscode/l10n";
import { encodingById } from "../core/encodings/index.ts";
import { findParameter } from "../core/encodings/support/schema.ts";
import type { EncodingSpec, Params, ParamValue } from "../core/spec.ts";
import { ParamError } from "../core/util/errors.ts";
import { ownValue } from "../core/util/ownValue.ts";

/** Parameters that the weights fix. */
const FIXED = ["num_heads", "num_kv_heads", "head_dim", "num_layers", "hidden_size", "num_buckets"] as const;

/** Derived values that an override of the key replaces. */
const REPLACES: Readonly<Record<string, string>> = { partial_rotary_factor: "rotary_dim" };

/**
 * Encodings with other parameters (what if). Each encoding takes those that it has, and every one takes
 * `sliding_window`.
 * @throws ParamError for a name that no encoding of the model has, and for what the weights fix
 */
export function applyOverrides(specs: readonly EncodingSpec[], overrides: Params): readonly EncodingSpec[] {
  for (const [name, value] of Object.entries(overrides)) {
    if (FIXED.some((fixed) => fixed === name) || (name !== "sliding_window" && specs.every(isTable)))
      throw new ParamError({ param: name, value, rule: l10n.t("is fixed by the weights") });
    if (!specs.some((spec) => ownName(spec, name) !== undefined))
      throw new ParamError({
        param: name,
        value,
        rule: l10n.t("is not a parameter of {0}", [...new Set(specs.map(({ encoding }) => encoding))].join(", ")),
      });
  }
  return specs.map((spec) => withOverrides(spec, overrides));
}

/** The positions are rows of a table, so that no parameter changes the attention. */
function isTable({ encoding }: EncodingSpec): boolean {
  return encoding === "learned_absolute";
}

function withOverrides(spec: EncodingSpec, overrides: Params): EncodingSpec {
  const params: Record<string, ParamValue> = { ...spec.params };
  for (const [name, value] of Object.entries(overrides)) {
    const own = ownName(spec, name);
    if (own === undefined) continue;
    params[own] = value;
    const replaced = ownValue(REPLACES, own);
    if (replaced !== undefined && !Object.hasOwn(overrides, replaced)) params[replaced] = null;
  }
  return { ...spec, params };
}

/** The encoding's name of a parameter; undefined if it does not have it. */
function ownName({ encoding }: EncodingSpec, name: string): string | undefined {
  if (name === "sliding_window") return name;
  const found = encodingById(encoding);
  return found === undefined ? undefined : findParameter(found, name)?.name;
}
