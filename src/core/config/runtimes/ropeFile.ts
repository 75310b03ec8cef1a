import type { EncodingSpec, ParamValue } from "../../spec.ts";
import type { Attributes } from "../huggingface/attributes.ts";
import { isFiniteNumber, isNumbers } from "../huggingface/attributes.ts";
import type { StackType } from "../huggingface/modelTypes.ts";
import type { Section } from "../text/section.ts";

/** One rotary encoding of a `config.json`: the file's own keys, and what transformers 5.18 makes of them. */
export class RopeFile {
  readonly attributes: Attributes;
  readonly spec: EncodingSpec;
  readonly stack: StackType;

  constructor(attributes: Attributes, stack: StackType, spec: EncodingSpec) {
    this.attributes = attributes;
    this.stack = stack;
    this.spec = spec;
  }

  get modelType(): string {
    return this.attributes.typeName ?? "";
  }

  /** `rope_scaling` where the file has a dictionary with something in it. */
  get scaling(): Section | undefined {
    const section = this.attributes.section?.section("rope_scaling");
    return section === undefined || section.keys().length === 0 ? undefined : section;
  }

  get parameters(): Section | undefined {
    return this.attributes.section?.section("rope_parameters");
  }

  /** Dictionaries by layer type, or one base a kind of layer. */
  get isLayered(): boolean {
    return this.spec.layers !== "all";
  }

  get slides(): boolean {
    return this.number("sliding_window") !== null;
  }

  /** A parameter as transformers 5.18 has it. */
  param(name: string): ParamValue {
    return this.spec.params[name] ?? null;
  }

  number(name: string): number | null {
    const value = this.param(name);
    return typeof value === "number" ? value : null;
  }

  /** A key at the top of the stack's own object. */
  top(name: string): ParamValue {
    return paramOf(this.attributes.fromFile(name)?.value);
  }

  /** The base of both forms is a constant of the model's code, or a key of another name. */
  get isFixed(): boolean {
    return this.stack.p?.constant === 1 || typeof this.stack.p?.base === "string" || this.attributes.type.x === 1;
  }
}

/** A value of a dictionary of RoPE parameters; null where there is none. */
export function valueIn(section: Section | undefined, key: string): ParamValue {
  return paramOf(section?.get(key)?.value);
}

function paramOf(value: unknown): ParamValue {
  if (typeof value === "string" || typeof value === "boolean" || isFiniteNumber(value)) return value;
  return isNumbers(value) ? value : null;
}
