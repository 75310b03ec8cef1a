import type { Encoding } from "../../../core/encodings/encoding.ts";
import { ENCODINGS, encodingById } from "../../../core/encodings/index.ts";
import { PRESETS, type Preset } from "../../../core/encodings/support/presets.ts";
import { localize } from "../../../core/l10n/l10n.ts";
import type { Given } from "../../../core/protocol/state.ts";
import type { EncodingId } from "../../../core/spec.ts";

/** A model, and the encoding that answers to its name. */
export interface ModelChoice {
  readonly model: string;
  /** "RoPE — rotary position embedding" */
  readonly encoding: string;
  /** Argument of the command that opens the panel. */
  readonly link: { readonly encoding: EncodingId; readonly given?: Given };
}

/** Every model that the catalogue knows, by name: first those whose published numbers come along. */
export function modelChoices(): ModelChoice[] {
  const named = ENCODINGS.flatMap((encoding) => encoding.explanation.models.map((model) => plain(model, encoding)));
  return [...PRESETS.map(withNumbers), ...named.toSorted((a, b) => a.model.localeCompare(b.model, "en"))];
}

function plain(model: string, { id, title }: Encoding): ModelChoice {
  return { model, encoding: localize(title), link: { encoding: id } };
}

function withNumbers({ name, encoding, values }: Preset): ModelChoice {
  const title = encodingById(encoding)?.title;
  const sources = Object.fromEntries(Object.keys(values).map((key) => [key, "config" as const]));
  const given: Given = { name, values: { ...values }, sources };
  return { model: name, encoding: title === undefined ? encoding : localize(title), link: { encoding, given } };
}
