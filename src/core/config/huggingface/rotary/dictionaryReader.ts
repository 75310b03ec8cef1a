import { t } from "@vscode/l10n";
import { type Attributes, isFiniteNumber, isNumbers, type Sourced } from "../attributes.ts";
import type { RopeParameters } from "./ropeDictionary.ts";

/** Typed reads of a dictionary: a value of another kind is reported at its place, and taken for absent. */
export class DictionaryReader {
  readonly #attributes: Attributes;
  readonly #rope: RopeParameters;

  constructor(attributes: Attributes, rope: RopeParameters) {
    this.#attributes = attributes;
    this.#rope = rope;
  }

  number(key: string): Sourced<number> | undefined {
    return this.#typed(key, isFiniteNumber, t("a finite number"));
  }

  numbers(key: string): Sourced<readonly number[]> | undefined {
    return this.#typed(key, isNumbers, t("a list of finite numbers"));
  }

  string(key: string): Sourced<string> | undefined {
    return this.#typed(key, (value) => typeof value === "string", t("a string"));
  }

  boolean(key: string): Sourced<boolean> | undefined {
    return this.#typed(key, (value) => typeof value === "boolean", t("true or false"));
  }

  #typed<T>(key: string, is: (value: unknown) => value is T, wanted: string): Sourced<T> | undefined {
    const found = this.#rope.get(key);
    if (found === undefined || found.value === null) return undefined;
    const { value } = found;
    if (is(value)) return { ...found, value };
    this.#attributes.wrongType(found, wanted);
    return undefined;
  }
}
