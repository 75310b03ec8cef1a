import { t } from "@vscode/l10n";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { encodingChoices } from "../../../src/core/encodings/support/choices.ts";
import type { Preset } from "../../../src/core/encodings/support/presets.ts";
import { PRESETS } from "../../../src/core/encodings/support/presets.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { EncodingId, Params } from "../../../src/core/spec.ts";
import type { ChoiceList, SearchChoice } from "../../state/search.ts";

/** What the lists of encodings and models stand for. */
export type Pick =
  | { readonly kind: "encoding"; readonly encoding: EncodingId; readonly changes: Params }
  | { readonly kind: "preset"; readonly preset: Preset };

/** Encodings by kind, then models, with what each name is looked for by. */
export function encodingList(current: EncodingId | null): ChoiceList {
  const encodings = encodingChoices().map(({ label, choices }) => ({
    label,
    choices: choices.map(({ encoding, changes, name, description, summary }): SearchChoice => {
      const known = encodingById(encoding);
      return {
        value: `encoding ${JSON.stringify([encoding, changes])}`,
        label: name,
        detail: description,
        keywords: [encoding, summary, ...(known?.aliases ?? []), ...(known?.explanation.models ?? [])].join(" "),
        current: encoding === current && Object.keys(changes).length === 0,
      };
    }),
  }));
  return [...encodings, { label: t("known models"), choices: PRESETS.map(presetChoice) }];
}

function presetChoice({ name, encoding, values }: Preset): SearchChoice {
  const known = encodingById(encoding);
  const type = values["rope_type"];
  const scaling = typeof type === "string" && type !== "default" ? ` (${type})` : "";
  const title = known === undefined ? encoding : (localize(known.title).split(/\s*—+\s*/)[0] ?? encoding);
  return { value: `preset ${name}`, label: name, detail: `${title}${scaling}`, keywords: encoding };
}

/** The choice behind a value of `encodingList`; undefined for any other value. */
export function pickOf(value: string): Pick | undefined {
  const preset = PRESETS.find(({ name }) => value === `preset ${name}`);
  if (preset !== undefined) return { kind: "preset", preset };
  const found = encodingChoices()
    .flatMap(({ choices }) => choices)
    .find(({ encoding, changes }) => value === `encoding ${JSON.stringify([encoding, changes])}`);
  return found === undefined ? undefined : { kind: "encoding", encoding: found.encoding, changes: found.changes };
}
