import type { PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import table from "./modelFacts.json" with { type: "json" };

/**
 * What runtimes do for one `model_type`, from the source and at the version that each runtime's file names. A runtime
 * whose files for a model type were not read has no entry here, and its column says so.
 */
export interface ModelFacts {
  /** models/<model type>/configuration_*.py and modeling_*.py */
  readonly transformers4?: {
    /** Added later: this version has no class for it. */
    readonly hasNoClass?: true;
    /** The class copies `type` to `rope_type`, so that the old name wins. */
    readonly typeOverridesRopeType?: true;
    /** Default base where version 5.18 has another. */
    readonly defaultTheta?: number;
    /** The base is not one top-level key for each layer type; how it is written was not read. */
    readonly otherThetaForm?: true;
  };
  /** vllm/config/model.py */
  readonly vllm?: {
    /** The context length is not multiplied by the factor. */
    readonly ignoresFactorInContext?: true;
  };
  /** server/text_generation_server/models/custom_modeling/flash_*_modeling.py */
  readonly tgi?: {
    readonly layout: PairLayout;
    /** Rotates a fraction of the head, not all of it. */
    readonly honoursPartialFactor?: true;
  };
  /** src/llama-model.cpp: llama_model_rope_type, for the architecture that the conversion writes. */
  readonly llamaCpp?: { readonly layout: PairLayout };
  /** mlx_lm/models/<model type>.py: `ModelArgs` and `Attention` */
  readonly mlx?: {
    /** `traditional` is fixed in the code, or `rope_traditional` with this default. */
    readonly layout?: PairLayout;
    readonly defaultTraditional?: boolean;
    /** Default of `rope_theta`; null if the key is required. Without it, the model reads other keys or is unknown. */
    readonly defaultTheta?: number | null;
    /** Default base of layers with a window, where layers differ. */
    readonly slidingTheta?: number;
    /** Reads `rope_parameters`; passes `rope_scaling` to `initialize_rope`. */
    readonly readsRopeParameters?: true;
    readonly readsRopeScaling?: true;
    /** Rotates int(head_dim · fraction) dimensions, with the class's own key for the fraction. */
    readonly honoursPartialFactor?: true;
  };
}

function isModelFactsTable(value: unknown): value is Readonly<Record<string, ModelFacts>> {
  return typeof value === "object" && value !== null;
}

const untypedTable: unknown = table;
const modelFacts = isModelFactsTable(untypedTable) ? untypedTable : {};

/** Facts about a model type; empty if nothing about it was read. */
export function findModelFacts(modelType: string): ModelFacts {
  return ownValue(modelFacts, modelType) ?? {};
}

export function modelFactsNames(): string[] {
  return Object.keys(modelFacts);
}
