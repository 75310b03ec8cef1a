import type { EncodingId, Params } from "../../spec.ts";
import table from "./modelTypes.json" with { type: "json" };
import remoteTable from "./remoteModelTypes.json" with { type: "json" };

/**
 * What transformers 5.18 does for a `model_type`. A row's facts come from the configuration and modelling files in
 * `transformers/models/` that its class is in, or, with `remoteCode`, from the repositories that it names; a field that
 * rests on another source names it. The table was generated from the library once and is maintained by hand: readers
 * and rules know no model by name, so that a new model is a new row. Rows of models that only have remote code, or that
 * transformers 5 dropped, are in `remoteModelTypes.json`.
 */
export interface ModelType {
  /** The encoding was derived mechanically and not confirmed by building the model. */
  readonly unverified?: true;
  /** The code comes with the checkpoint and is not part of transformers: repositories on Hugging Face that have it. */
  readonly remoteCode?: readonly string[];
  /** Remote code with other position encodings uses this name too (Jina's embeddings, `auto_map`). */
  readonly nameUsedByRemoteCode?: true;
  readonly stacks: readonly StackType[];
  /**
   * What the model's published code does otherwise than transformers 5.18 (version 4 of the library, or the code of the
   * repository): these fields replace those of the row where a file is read for what it declares.
   */
  readonly published?: PublishedCode;
  /** Further keys about positions that the code reads; they become parameters under their own names. */
  readonly furtherKeys?: readonly string[];
  /** Keys about positions that files of this type have and no code uses. */
  readonly unusedKeys?: readonly string[];
  /** In transformers 4's form, the keys of `text_config` are at the top level of the file. */
  readonly flatTextConfig?: true;
  /** How sizes distinguish two models of one type (conditions `sizeVariant` of its stacks). */
  readonly sizeVariants?: SizeVariants;

  /** The configuration class has `rope_parameters`. */
  readonly hasRopeParameters?: true;
  /** `default_theta` where it is not 10000. */
  readonly defaultTheta?: number;
  /** Top-level key of the base where it is not `rope_theta`. */
  readonly thetaKey?: string;
  /** `layer_rope_theta` has a base for each layer; 0 means no RoPE. */
  readonly thetaPerLayer?: true;
  /** `default_rope_type` is `axial`. */
  readonly defaultsToAxial?: true;
  /** `rope_parameters` that the class sets when the file has none. */
  readonly defaultRopeParameters?: Readonly<Record<string, unknown>>;
  /** Labels of the nested dictionaries that the class always has, and what each of them starts with. */
  readonly ropeByLayerType?: Readonly<Record<string, LayerRope>>;
  /** `thetaKey` and `partialFactorKey` of nested dictionaries may be lists with one value per layer. */
  readonly ropeListsPerLayer?: true;
  /** Path of the dictionary that the class has in place of `rope_scaling`. */
  readonly ropeSection?: string;
  /** Flag of the file that switches dynamic NTK on, with `defaultFactor`. */
  readonly dynamicNtkFlag?: string;
  /** `factor` of a dictionary without one. */
  readonly defaultFactor?: number;
  /** `rope_scaling` has no effect. */
  readonly ignoresRopeScaling?: true;
  /** Names of RoPE types that the class replaces (`convert_rope_params_to_dict`). */
  readonly ropeTypeAliases?: Readonly<Record<string, string>>;
  /** Keys of `rope_parameters` that the class copies to another key. */
  readonly ropeKeyAliases?: Readonly<Record<string, string>>;
  /** RoPE types that the class accepts, if not all. */
  readonly acceptedRopeTypes?: readonly string[];
  /** Further keys of `rope_parameters` that the class accepts (`ignore_keys_at_rope_validation`) or requires. */
  readonly ropeKeys?: readonly string[];
  readonly requiredRopeKeys?: readonly string[];
  /** Default of `partial_rotary_factor`. */
  readonly defaultPartialFactor?: number;
  /** Top-level key of the fraction where it is not `partial_rotary_factor`. */
  readonly partialFactorKey?: string;
  /** Keys whose ratio is the fraction if the file has none. */
  readonly partialFactorRatio?: readonly [rotated: string, whole: string];
  /** `rope_type` `default` honours `partial_rotary_factor`; the other types always do. */
  readonly honoursPartialFactor?: true;
  /** Only `rope_parameters` can change the fraction. */
  readonly ignoresTopLevelPartialFactor?: true;
  /** `head_dim` is the rotated part of a latent head, and the fraction counts the whole head. */
  readonly headDimIsRotated?: true;
  /** Attention multiplies the softmax scale by YaRN's m(factor, mscale_all_dim)² (`yarn_get_mscale`). */
  readonly appliesMscale?: true;

  /** Every layer uses `sliding_window`. */
  readonly windowInEveryLayer?: true;
  /** `sliding_window` has no effect without `use_sliding_window`. */
  readonly windowNeedsFlag?: true;
  /** Key of the window in a model without RoPE. */
  readonly windowKey?: string;
  /** Key with the width of the window in both directions together; the class halves it. */
  readonly windowSpanKey?: string;
  /** `sliding_window` counts both directions if `use_bidirectional_attention` has this value. */
  readonly halvesWindowWhen?: "all" | true;

  /** `attribute_map`: transformers' common name → this model's key. */
  readonly attributeMap?: Readonly<Record<string, string>>;
  /** Defaults of the class. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Attentions in each of `num_layers` layers, if more than one. */
  readonly attentionsPerLayer?: number;
  /** The layers run `H_cycles` · (`L_cycles` + 1) times; each run has its own cache and counts as separate layers. */
  readonly repeatsLayersInCycles?: true;
  /** Input of the attention, as a multiple of `hidden_size`. */
  readonly attentionWidthFactor?: number;
  /** Key of the hidden size where `hidden_size` is another model's. */
  readonly widthKey?: string;
  /** The code divides the width by the number of heads, whatever `head_dim` is. */
  readonly ignoresHeadDim?: true;
  /** `head_dim` stays null in the class: if the file does not set it, or only if the file has null. */
  readonly nullHeadDim?: "unless_set" | "if_written";
  /** Layers with full attention have `global_head_dim` and `num_global_key_value_heads`; default of the former. */
  readonly globalHeadDim?: number;
  /** Path of the number of key-value heads, and its default. */
  readonly nestedKeyValueHeads?: { readonly path: readonly [section: string, key: string]; readonly default: number };
  /** Flags for the number of key-value heads. */
  readonly multiQuery?: MultiQueryKeys;
  /** The class declares sizes as float, so that 131072.0 is accepted; or as optional, so that null is. */
  readonly sizesMayBeFloats?: true;
  readonly sizesMayBeNull?: true;
  /** `validate_architecture` requires that the number of heads divides `hidden_size`, even with a `head_dim`. */
  readonly requiresDivisibleWidth?: true;
  /** Keys of `attn_config` that the code ignores, with the values that it always uses. */
  readonly fixedAttentionValues?: Readonly<Record<string, unknown>>;
  /** ALiBi's biases are stored in bfloat16 if the model is. */
  readonly alibiInBfloat16?: true;

  /** How the class generates missing `layer_types` (`layers.ts`). */
  readonly layerTypeRule?: readonly [string, ...unknown[]];
  /** Without a window, `layerTypeRule` makes all layers of the last type. */
  readonly layerPatternNeedsWindow?: true;
  /** The last layer has full attention: always, only in generated types, or if no other generated one has. */
  readonly fullLastLayer?: "always" | "generated" | "if_none";
  /** `layer_types` has no effect. */
  readonly ignoresLayerTypes?: true;
  /** `layer_types` lists blocks of a backbone, not kinds of attention. */
  readonly layerTypesNameBlocks?: true;
  /** Which layers use RoPE, if not all: those with a window, or by the key of this name (`layers.ts`). */
  readonly ropeLayers?: string;
  /** Default of `mrope_section`, and whether the axes' frequencies are interleaved. */
  readonly mropeSection?: readonly number[];
  readonly mropeInterleaved?: true;

  /** Checkpoints store the weights of norms minus 1, or have none. */
  readonly normWeights?: "minus_one" | "absent";
}

/** Fields of a row that are different in the published code, and where that was read. */
export interface PublishedCode extends Partial<Omit<ModelType, "published">> {
  /** Release or repository, and the file. */
  readonly source: string;
  /**
   * `position_embedding_type` "relative_key" and "relative_key_query" replace the model's first table by trained vectors
   * of distances, in every attention (version 4's BERT and its relatives).
   */
  readonly hasRelativeKeys?: true;
  /** Where transformers 5.18 reads a parameter that the published code reads elsewhere. */
  readonly readAt?: Readonly<Record<string, string>>;
  /** Keys that the makers' own files have, so that no one else is to blame for them. */
  readonly publishedKeys?: readonly string[];
}

/** One of the nested dictionaries in `rope_parameters`. Top-level keys fill in what it does not have. */
export interface LayerRope {
  /** Top-level key of the base; without it, only the dictionary can change the base. */
  readonly thetaKey?: string;
  /** Default of the base where it is not the class's `defaultTheta`. */
  readonly theta?: number;
  /** Default of the fraction, and a top-level key for it. */
  readonly partialFactor?: number;
  readonly partialFactorKey?: string;
  /** The values of `rope_scaling` replace those of the dictionary. */
  readonly mergesRopeScaling?: true;
  /** A dictionary that is not nested, in `rope_parameters` or `rope_scaling`, is this one. */
  readonly takesFlatParameters?: true;
  /** Layer types that use the dictionary, where its label is not one. */
  readonly layerTypes?: readonly string[];
}

/** Two sizes of one model type. The first condition that holds decides. */
export interface SizeVariants {
  /** Only the small model has this key. */
  readonly onlyInSmall: string;
  /** Any of these values means large. */
  readonly large: Readonly<Record<string, number>>;
  /** Any of these values, or one of these keys, means small; else the model is large. */
  readonly small: Readonly<Record<string, number>>;
  readonly keysOfSmall: readonly string[];
}

export interface MultiQueryKeys {
  /** One key-value head for all queries. */
  readonly flag: string;
  /** Number of key-value heads; decides if it is set. */
  readonly key?: string;
  /** If this flag is set, `groupedKey` has the number. */
  readonly groupedFlag?: string;
  readonly groupedKey?: string;
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
  /**
   * [key, value]: the encoding is used only with this value; | separates alternative keys. `sizeVariant` stands for
   * the size that `sizeVariants` finds.
   */
  readonly when?: readonly [string, unknown];
  /** [key, values]: the encoding is not used with these values. */
  readonly unless?: readonly [string, readonly unknown[]];
  /** Parameters of the encoding that the code fixes. */
  readonly constants?: Params;
  /** Our parameter → the model's key for it. `max_position_embeddings` is read under its own name unless given here. */
  readonly parameterKeys?: Readonly<Record<string, string>>;
  /** The code fixes the base and does not scale, whatever the file has. */
  readonly constantTheta?: true;
  /** The code rotates this fraction of a head, whatever the file has. */
  readonly partialFactor?: number;
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

const untypedTables: readonly unknown[] = [remoteTable, table];
const modelTypes = new Map(untypedTables.flatMap((rows) => (isModelTypeTable(rows) ? Object.entries(rows) : [])));

export function findModelType(name: string): ModelType | undefined {
  return modelTypes.get(name);
}

/** The row as the model's published code has it. */
export function publishedRow(type: ModelType): ModelType {
  const { published } = type;
  if (published === undefined) return type;
  const row: ModelType = { ...type, ...published, published: { source: published.source } };
  if (published.hasRelativeKeys !== true) return row;
  const [table, ...others] = row.stacks;
  const stacks = table === undefined ? row.stacks : [...withRelativeKeys(table), ...others];
  return { ...row, stacks, defaults: { ...row.defaults, position_embedding_type: "absolute" } };
}

function withRelativeKeys(table: StackType): readonly StackType[] {
  const key = "position_embedding_type";
  const relative = ["relative_key", "relative_key_query"].map(
    (kind): StackType => ({
      where: table.where,
      encoding: "shaw",
      when: [key, kind],
      constants: { position_embeddings_type: kind },
      parameterKeys: { positions: "max_position_embeddings" },
    }),
  );
  return [{ ...table, unless: [key, relative.map(({ when }) => when?.[1])] }, ...relative];
}

export function modelTypeNames(): string[] {
  return [...modelTypes.keys()];
}

/** The model type of a class in `architectures`: LlamaForCausalLM → llama. */
export function modelTypeOfArchitecture(architecture: string): string | undefined {
  const stem = architecture.replace(/(?:For[A-Z].*|Model|LMHeadModel|PreTrainedModel)$/, "").toLowerCase();
  return stem === "" ? undefined : modelTypeNames().find((name) => name.replace(/[-_]/g, "") === stem);
}
