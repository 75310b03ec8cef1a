/** A list in groups that can be searched by a few words. Pure. */

export interface SearchChoice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
  /** Searched, not shown: aliases, models. */
  readonly keywords?: string;
  /** What is chosen now. */
  readonly current?: boolean;
}

export type ChoiceList = readonly { readonly label: string; readonly choices: readonly SearchChoice[] }[];

/** Case, accents and the marks inside names ("GPT-2", "rope_type") make no difference. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[-_·—]+/g, " ");
}

function textOf({ label, detail = "", keywords = "" }: SearchChoice): string {
  return plain(`${label} ${detail} ${keywords}`);
}

/** Choices in which every word occurs somewhere; groups without one are left out. */
export function filterChoices(list: ChoiceList, query: string): ChoiceList {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return list;
  const holds = (choice: SearchChoice) => {
    const text = textOf(choice);
    return words.every((word) => text.includes(word));
  };
  return list
    .map(({ label, choices }) => ({ label, choices: choices.filter(holds) }))
    .filter(({ choices }) => choices.length > 0);
}

/** The one that Enter chooses: whose name begins with the query, else has it, else the first. */
export function bestMatch(list: ChoiceList, query: string): SearchChoice | null {
  const choices = list.flatMap((group) => group.choices);
  const wanted = plain(query).trim();
  if (wanted === "") return null;
  const named = (test: (name: string) => boolean) => choices.find(({ label }) => test(plain(label)));
  return named((name) => name.startsWith(wanted)) ?? named((name) => name.includes(wanted)) ?? choices[0] ?? null;
}
