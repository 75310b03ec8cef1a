/** Text search in a grouped list of choices. */

export interface SearchChoice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
  /** Searched, not shown: aliases, models. */
  readonly keywords?: string;
  /** The current choice. */
  readonly current?: boolean;
}

export type ChoiceGroups = readonly { readonly label: string; readonly choices: readonly SearchChoice[] }[];

/** Ignores case, accents and the separators inside names ("GPT-2", "rope_type"). */
function normaliseText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[-_·—]+/g, " ");
}

function searchText({ label, detail = "", keywords = "" }: SearchChoice): string {
  return normaliseText(`${label} ${detail} ${keywords}`);
}

/** Choices that contain every word of the query; empty groups are dropped. */
export function filterChoices(list: ChoiceGroups, query: string): ChoiceGroups {
  const words = normaliseText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return list;
  const matches = (choice: SearchChoice) => {
    const text = searchText(choice);
    return words.every((word) => text.includes(word));
  };
  return list
    .map(({ label, choices }) => ({ label, choices: choices.filter(matches) }))
    .filter(({ choices }) => choices.length > 0);
}

/** The choice that Enter selects: a name that starts with the query, else one that contains it, else the first. */
export function bestMatch(list: ChoiceGroups, query: string): SearchChoice | null {
  const choices = list.flatMap((group) => group.choices);
  const wanted = normaliseText(query).trim();
  if (wanted === "") return null;
  const named = (test: (name: string) => boolean) => choices.find(({ label }) => test(normaliseText(label)));
  return named((name) => name.startsWith(wanted)) ?? named((name) => name.includes(wanted)) ?? choices[0] ?? null;
}
