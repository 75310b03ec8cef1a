import { t } from "@vscode/l10n";
import { type ConfigAttributes, isFiniteNumber, isNumbers, type Sourced } from "../attributes.ts";
import type { RopeParameters } from "./ropeDictionary.ts";

/** Typed access to RoPE parameters: a value of another type is reported at its location and counts as absent. */
export class RopeParameterReader {
  readonly #attributes: ConfigAttributes;
  readonly #rope: RopeParameters;

  constructor(attributes: ConfigAttributes, rope: RopeParameters) {
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
    this.#attributes.reportWrongType(found, wanted);
    return undefined;
  }
}
