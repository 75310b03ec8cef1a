import type { EncodingId, Params } from "../../spec.ts";
import table from "./modelTypes.json" with { type: "json" };

/**
 * What transformers 5.18 does for a `model_type`, from its configuration and modelling files. The table was generated
 * from the library once and is maintained by hand.
 */
export interface ModelType {
  /** The encoding was derived mechanically and not confirmed by building the model. */
  readonly unverified?: true;
  /** The code comes with the checkpoint and is not part of transformers. */
  readonly remoteCode?: true;
  readonly stacks: readonly StackType[];
  /** The configuration class has `rope_parameters`. */
  readonly hasRopeParameters?: true;
  /** `default_theta` where it is not 10000. */
  readonly defaultTheta?: number;
  /** `default_rope_type` is `axial`. */
  readonly defaultsToAxial?: true;
  /** `rope_parameters` that the class sets when the file has none. */
  readonly defaultRopeParameters?: Readonly<Record<string, unknown>>;
  /** Default of `partial_rotary_factor`. */
  readonly defaultPartialFactor?: number;
  /** `rope_type` `default` honours `partial_rotary_factor`; the other types always do. */
  readonly honoursPartialFactor?: true;
  /** How the class overrides `convert_rope_params_to_dict` (`conversions.ts`). */
  readonly ropeConversion?: string;
  /** Every layer uses `sliding_window`. */
  readonly windowInEveryLayer?: true;
  /** `sliding_window` has no effect without `use_sliding_window`. */
  readonly windowNeedsFlag?: true;
  /** `attribute_map`: transformers' common name → this model's key. */
  readonly attributeMap?: Readonly<Record<string, string>>;
  /** Defaults of the class. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** How the class generates missing `layer_types` (`layers.ts`). */
  readonly layerTypeRule?: readonly [string, ...unknown[]];
  /** Which layers use RoPE, if not all: those with a window, or by the key of this name (`layers.ts`). */
  readonly ropeLayers?: string;
  /** Default of `mrope_section`, and whether the axes' frequencies are interleaved. */
  readonly mropeSection?: readonly number[];
  readonly mropeInterleaved?: true;
}

/** One encoding of a model type, or a reference to the model type of a sub-config. */
export interface StackType {
  /** Name of the stack; `encoder+decoder` means both. */
  readonly where: string;
  /** Key of the sub-config; dots separate levels. */
  readonly key?: string;
  /** Model type of the sub-config; `*` means the one that the file names. */
  readonly reference?: string;
  readonly encoding?: EncodingId;
  /** Rotates interleaved pairs instead of halves. */
  readonly interleaved?: true;
  /** [key, value]: the encoding is used only with this value; | separates alternative keys. */
  readonly when?: readonly [string, unknown];
  /** Parameters of the encoding that the code fixes. */
  readonly constants?: Params;
  /** Our parameter → the model's key for it. `max_position_embeddings` is read under its own name unless given here. */
  readonly parameterKeys?: Readonly<Record<string, string>>;
  /** The code fixes the base and does not scale, whatever the file has. */
  readonly constantTheta?: true;
  /** `rope_interleave` of the file decides the pair layout. */
  readonly layoutByFlag?: true;
  /** The code makes a longer table when it needs one. */
  readonly growsOnDemand?: true;
  /**
   * Positions start after the row of `pad_token_id`: `max_position_embeddings` counts the rows up to it, or the
   * (computed) table has them in addition.
   */
  readonly paddingRows?: "counted" | "extra";
  /** One row per image patch, and this many more (class token and the like). */
  readonly patchGridExtraRows?: number;
  /** One row per spectrogram patch, and this many more. */
  readonly spectrogramExtraRows?: number;
  /** Rows of the table beyond the value of its key. */
  readonly tableOffset?: number;
  /** Rows of a table whose size is not in any key. */
  readonly tableRows?: number;
  /** Defaults that the parent sets for the sub-config, or the code for this encoding. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

function isModelTypeTable(value: unknown): value is Readonly<Record<string, ModelType>> {
  return typeof value === "object" && value !== null;
}

const untypedTable: unknown = table;
const modelTypes = new Map(isModelTypeTable(untypedTable) ? Object.entries(untypedTable) : []);

export function findModelType(name: string): ModelType | undefined {
  return modelTypes.get(name);
}

export function modelTypeNames(): string[] {
  return [...modelTypes.keys()];
}

/** The model type of a class in `architectures`: LlamaForCausalLM → llama. */
export function modelTypeOfArchitecture(architecture: string): string | undefined {
  const stem = architecture.replace(/(?:For[A-Z].*|Model|LMHeadModel|PreTrainedModel)$/, "").toLowerCase();
  return stem === "" ? undefined : modelTypeNames().find((name) => name.replace(/[-_]/g, "") === stem);
}
