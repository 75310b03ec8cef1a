import { type ModelPreset, PRESETS } from "../../../core/catalogue/presets.ts";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { ENCODINGS, encodingById } from "../../../core/encodings/index.ts";
import { fullTitle } from "../../../core/encodings/support/title.ts";
import { localize } from "../../../core/l10n/l10n.ts";
import type { Preset } from "../../../core/protocol/state.ts";
import type { EncodingId } from "../../../core/spec.ts";

/** A model and its encoding. */
export interface ModelChoice {
  readonly model: string;
  /** "RoPE — rotary position embedding" */
  readonly encodingTitle: string;
  /** Argument of the command that opens the panel. */
  readonly link: { readonly encoding: EncodingId; readonly given?: Preset };
}

/** All models of the catalogue by name; those with published parameters come first. */
export function listModelChoices(): ModelChoice[] {
  const modelsByName = ENCODINGS.flatMap((encoding) =>
    encoding.explanation.models.map((model) => choiceByName(model, encoding)),
  );
  return [...PRESETS.map(choiceFromPreset), ...modelsByName.toSorted((a, b) => a.model.localeCompare(b.model, "en"))];
}

function choiceByName(name: string, encoding: Encoding): ModelChoice {
  return { model: name, encodingTitle: localize(fullTitle(encoding)), link: { encoding: encoding.id } };
}

function choiceFromPreset({ name, encoding, values }: ModelPreset): ModelChoice {
  const entry = encodingById(encoding);
  const sources = Object.fromEntries(Object.keys(values).map((key) => [key, "config" as const]));
  const given: Preset = { name, values: { ...values }, sources };
  return {
    model: name,
    encodingTitle: entry === undefined ? encoding : localize(fullTitle(entry)),
    link: { encoding, given },
  };
}
