import type { EncodingSpec, ParamValue } from "../../spec.ts";
import type { ConfigAttributes } from "../huggingface/attributes.ts";
import { isFiniteNumber, isNumbers } from "../huggingface/attributes.ts";
import type { LayerRope, StackType } from "../huggingface/modelTypes.ts";
import type { Section } from "../text/section.ts";
import { findModelFacts, type ModelFacts } from "./modelFacts.ts";

/** One RoPE encoding of a `config.json`: the file's own keys, and what transformers 5.18 reads from them. */
export class RopeFile {
  readonly attributes: ConfigAttributes;
  readonly spec: EncodingSpec;
  readonly stack: StackType;

  constructor(attributes: ConfigAttributes, stack: StackType, spec: EncodingSpec) {
    this.attributes = attributes;
    this.stack = stack;
    this.spec = spec;
  }

  /** What runtimes do for its model type. */
  get facts(): ModelFacts {
    return findModelFacts(this.attributes.typeName ?? "");
  }

  /** The rule for this encoding's layers in classes with a dictionary for each layer type. */
  get layerRope(): LayerRope | undefined {
    return this.attributes.type.ropeByLayerType?.[this.usesWindow ? "sliding_attention" : "full_attention"];
  }

  /** A non-empty `rope_scaling` of the file. */
  get ropeScaling(): Section | undefined {
    const section = this.attributes.section?.section("rope_scaling");
    return section === undefined || section.keys().length === 0 ? undefined : section;
  }

  get ropeParameters(): Section | undefined {
    return this.attributes.section?.section("rope_parameters");
  }

  /** Layers differ in their RoPE parameters. */
  get isLayered(): boolean {
    return this.spec.layers !== "all";
  }

  get usesWindow(): boolean {
    return this.number("sliding_window") !== null;
  }

  /** A parameter as transformers 5.18 reads it. */
  param(name: string): ParamValue {
    return this.spec.params[name] ?? null;
  }

  number(name: string): number | null {
    const value = this.param(name);
    return typeof value === "number" ? value : null;
  }

  /** A top-level key of the stack's own object. */
  topLevel(name: string): ParamValue {
    return toParamValue(this.attributes.fromFile(name)?.value);
  }

  /** The code fixes the base, or reads it from a key of another name. */
  get hasFixedTheta(): boolean {
    return (
      this.stack.constantTheta === true ||
      this.stack.parameterKeys?.rope_theta !== undefined ||
      this.attributes.type.remoteCode !== undefined
    );
  }
}

/** A value in a dictionary of RoPE parameters; null if absent. */
export function valueIn(section: Section | undefined, key: string): ParamValue {
  return toParamValue(section?.get(key)?.value);
}

function toParamValue(value: unknown): ParamValue {
  if (typeof value === "string" || typeof value === "boolean" || isFiniteNumber(value)) return value;
  return isNumbers(value) ? value : null;
}
