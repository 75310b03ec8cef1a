import type { Path } from "../config/text/json.ts";

/** How a format spells inserted text. */
export interface SnippetSyntax {
  name(key: string): string;
  /** A string as a value. */
  value(text: string): string;
  entry(key: string, value: string): string;
  /** Entries of one dictionary, one below the other. */
  list(entries: readonly string[]): string;
  /** A dictionary as a value. */
  dictionary(entries: readonly string[]): string;
}

/** The location in a config where text is being typed. */
export interface CompletionPlace {
  /** Path of the value, or of the object that gets a new key. */
  readonly path: Path;
  readonly isKey: boolean;
  /** Offsets of the text that a completion replaces. */
  readonly start: number;
  readonly end: number;
  /** Text around a completion: a space after YAML's colon, a comma before the next key. */
  readonly prefix: string;
  readonly suffix: string;
  /** A colon follows: only the name of the key is being typed. */
  readonly hasValue: boolean;
  readonly syntax: SnippetSyntax;
}
