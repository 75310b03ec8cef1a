import type { Path } from "../config/text/json.ts";

/** How a format spells what is put in. */
export interface Syntax {
  name(key: string): string;
  /** A word as a value. */
  word(text: string): string;
  entry(key: string, value: string): string;
  /** Entries of one dictionary, one below the other. */
  list(entries: readonly string[]): string;
  /** A dictionary as a value. */
  dictionary(entries: readonly string[]): string;
}

/** Where in a config something is being typed. */
export interface Place {
  /** Of the value, or of the object that a key is being added to. */
  readonly path: Path;
  readonly isKey: boolean;
  /** The text that a choice takes the place of. */
  readonly start: number;
  readonly end: number;
  /** What a choice needs around it: the blank behind a colon of YAML, the comma that what follows calls for. */
  readonly before: string;
  readonly after: string;
  /** A colon follows: only the key's name is being typed. */
  readonly hasValue: boolean;
  readonly syntax: Syntax;
}
