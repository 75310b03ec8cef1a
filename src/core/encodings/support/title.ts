import type { Localized } from "../../l10n/l10n.ts";

/** "RoPE — rotary position embedding": the name and gloss of an encoding or a choice; without a gloss, the name. */
export function fullTitle({ name, gloss }: { readonly name: Localized; readonly gloss?: Localized }): Localized {
  return gloss === undefined ? name : { en: `${name.en} — ${gloss.en}`, zh: `${name.zh}——${gloss.zh}` };
}
