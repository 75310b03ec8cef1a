import * as l10n from "@vscode/l10n";
import type { ConfigAttributes } from "../../core/config/huggingface/attributes.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { UserError } from "../../core/util/errors.ts";
import { isRecord } from "../../core/util/isRecord.ts";
import { ownValue } from "../../core/util/ownValue.ts";
import type { Activation } from "../modelSpec.ts";

/** Larger sizes are no model's; products of two of them are still exact. */
const MAX_SIZE = 2 ** 26;

/** transformers' names of activations (`ACT2FN`). */
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  gelu: "gelu",
  gelu_python: "gelu",
  gelu_new: "gelu_tanh",
  gelu_fast: "gelu_tanh",
  gelu_pytorch_tanh: "gelu_tanh",
  gelu_accurate: "gelu_tanh",
  silu: "silu",
  swish: "silu",
  relu: "relu",
  relu2: "relu_squared",
  quick_gelu: "quick_gelu",
  linear: "linear",
};

/** What families read of a config: values of the file under the class's names, then the class's defaults. */
export class FamilyConfig {
  readonly modelType: string;
  readonly #attributes: ConfigAttributes;
  readonly #specs: readonly EncodingSpec[];

  constructor(modelType: string, attributes: ConfigAttributes, specs: readonly EncodingSpec[]) {
    this.modelType = modelType;
    this.#attributes = attributes;
    this.#specs = specs;
  }

  /** The encoding of a layer; undefined without one. */
  encodingOf(where: string, layer: number): EncodingSpec | undefined {
    const own = this.#specs.filter((spec) => spec.where === where);
    return own.find(({ layers }) => layers === "all" || layers.includes(layer));
  }

  /** The encoding of a stack by its id, where a stack has several. */
  specOf(where: string, encoding: string): EncodingSpec | undefined {
    return this.#specs.find((spec) => spec.where === where && spec.encoding === encoding);
  }

  /**
   * A size that the encoding's reader has resolved: `num_heads`, `num_kv_heads`, `head_dim`, `num_layers`.
   * @throws UserError without it
   */
  resolved(where: string, name: string): number {
    const found = this.#specs.find((spec) => spec.where === where)?.params[name];
    return this.#requireSize(name, found);
  }

  /**
   * A positive integer.
   * @param names tried in order
   * @throws UserError without it
   */
  size(...names: string[]): number {
    const found = names.map((name) => this.#attributes.get(name)?.value).find((value) => typeof value === "number");
    return this.#requireSize(names[0] ?? "", found);
  }

  /** A positive integer that the file may leave to the class's default. */
  sizeOr(name: string, fallback: number): number {
    const value = this.#attributes.get(name)?.value;
    return typeof value === "number" ? this.#requireSize(name, value) : fallback;
  }

  #requireSize(name: string, value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_SIZE) return value;
    throw new UserError(l10n.t("config.json: {0} must be a positive integer", name));
  }

  /** A number; `fallback` is the class's default. */
  number(name: string, fallback: number): number {
    const value = this.#attributes.get(name)?.value;
    return typeof value === "number" && Number.isFinite(value) ? value : fallback;
  }

  /** A number that may be null or absent. */
  optionalNumber(name: string): number | undefined {
    const value = this.#attributes.get(name)?.value;
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** A number of a nested dictionary that may be null or absent. */
  nestedNumber(section: string, name: string): number | undefined {
    const found = this.#attributes.get(section)?.value;
    const value = isRecord(found) ? found[name] : undefined;
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#attributes.get(name)?.value;
    return typeof value === "boolean" ? value : fallback;
  }

  text(name: string, fallback: string): string {
    const value = this.#attributes.get(name)?.value;
    return typeof value === "string" ? value : fallback;
  }

  strings(name: string): readonly string[] | undefined {
    return this.#attributes.strings(name)?.value;
  }

  /** @throws UserError for a function that is not supported */
  activation(name: string, fallback: string): Activation {
    return findActivation(this.text(name, fallback));
  }
}

/** @throws UserError for a function that is not supported */
export function findActivation(name: string): Activation {
  const found = ownValue(ACTIVATIONS, name);
  if (found === undefined) throw new UserError(l10n.t("config.json: activation {0} is not supported yet", name));
  return found;
}
