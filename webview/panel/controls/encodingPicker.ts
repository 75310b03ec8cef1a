import * as l10n from "@vscode/l10n";
import { listEncodingChoices } from "../../../src/core/catalogue/choices.ts";
import type { ModelPreset } from "../../../src/core/catalogue/presets.ts";
import { PRESETS } from "../../../src/core/catalogue/presets.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingId, Params } from "../../../src/core/spec.ts";
import type { ChoiceGroups, SearchChoice } from "../../ui/search.ts";

/** What a choice in the list of encodings and models means. */
export type PickedEncoding =
  | { readonly kind: "encoding"; readonly encoding: EncodingId; readonly changes: Params }
  | { readonly kind: "preset"; readonly preset: ModelPreset };

/** Encodings by kind, then presets, with the keywords each is found by. */
export function encodingGroups(current: EncodingId | null): ChoiceGroups {
  const encodings = listEncodingChoices().map(({ label, choices }) => ({
    label,
    choices: choices.map(({ encoding, params, name, description, summary }): SearchChoice => {
      const entry = encodingById(encoding);
      return {
        value: `encoding ${JSON.stringify([encoding, params])}`,
        label: name,
        detail: description,
        keywords: [
          encoding,
          ...Object.values(params),
          summary,
          ...(entry?.aliases ?? []),
          ...(entry?.explanation.models ?? []),
        ].join(" "),
        current: encoding === current && Object.keys(params).length === 0,
      };
    }),
  }));
  return [...encodings, { label: l10n.t("known models"), choices: PRESETS.map(presetChoice) }];
}

function presetChoice({ name, encoding, values }: ModelPreset): SearchChoice {
  const encodingEntry = encodingById(encoding);
  const type = values["rope_type"];
  const scaling = typeof type === "string" && type !== "default" ? ` (${type})` : "";
  const title = encodingEntry === undefined ? encoding : localize(encodingEntry.name);
  return { value: `preset ${name}`, label: name, detail: `${title}${scaling}`, keywords: encoding };
}

/** Parses a value of `encodingGroups`; undefined for any other value. */
export function parsePick(value: string): PickedEncoding | undefined {
  const preset = PRESETS.find(({ name }) => value === `preset ${name}`);
  if (preset !== undefined) return { kind: "preset", preset };
  const choice = listEncodingChoices()
    .flatMap(({ choices }) => choices)
    .find(({ encoding, params }) => value === `encoding ${JSON.stringify([encoding, params])}`);
  return choice === undefined ? undefined : { kind: "encoding", encoding: choice.encoding, changes: choice.params };
}
