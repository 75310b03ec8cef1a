import type { EncodingId, Params } from "../../spec.ts";
import table from "./modelTypes.json" with { type: "json" };

/**
 * What transformers 5.18 does for a `model_type`, from its configuration and modelling files. Short keys, because
 * the table is in four bundles; made once from the library itself, kept by hand from then on.
 */
export interface ModelType {
  /** Present where the encoding was derived mechanically and not confirmed by building the model. */
  readonly u?: 1;
  /** Code that comes with the checkpoint, not part of transformers. */
  readonly x?: 1;
  readonly e: readonly StackType[];
  /** The configuration class has `rope_parameters`. */
  readonly v?: 1;
  /** `default_theta` where it is not 10000. */
  readonly t?: number;
  /** `default_rope_type` is `axial`. */
  readonly a?: 1;
  /** `rope_parameters` that the class sets when the file has none. */
  readonly rp?: Readonly<Record<string, unknown>>;
  /** Default of `partial_rotary_factor`. */
  readonly pd?: number;
  /** rope_type `default` honours `partial_rotary_factor`; the other types always do. */
  readonly p?: 1;
  /** How `convert_rope_params_to_dict` of this class differs (`ropeParameters.ts`). */
  readonly s?: string;
  /** `sliding_window` holds for every layer. */
  readonly wa?: 1;
  /** `sliding_window` counts only with `use_sliding_window`. */
  readonly uw?: 1;
  /** `attribute_map`: transformers' common name → this model's key. */
  readonly m?: Readonly<Record<string, string>>;
  /** Defaults of the class. */
  readonly f?: Readonly<Record<string, unknown>>;
  /** How `layer_types` is made when the file has none (`layers.ts`). */
  readonly L?: readonly [string, ...unknown[]];
  /** Which layers go without RoPE (`layers.ts`). */
  readonly N?: string;
  /** Default `mrope_section`, and whether the axes' frequencies are interleaved. */
  readonly ms?: readonly number[];
  readonly mi?: 1;
}

/** One encoding of a model type, or a reference to the model type of a sub-config. */
export interface StackType {
  /** `where`; `encoder+decoder` are two. */
  readonly w: string;
  /** Key of the sub-config, dots for nesting. */
  readonly k?: string;
  /** Follow this model type (`*`: the one that the file names). */
  readonly r?: string;
  readonly i?: EncodingId;
  /** Interleaved pairs. */
  readonly l?: 1;
  /** Only if these keys (any of those joined by |) have this value. */
  readonly x?: readonly [string, unknown];
  /** Parameters of the encoding that the model's code fixes. */
  readonly c?: Params;
  /**
   * Our parameter → the model's key. `pad`: texts begin behind the row of pad_token_id, whose rows count among
   * `max`; `zero`: the same for a computed table, where they do not; `scale`: words are multiplied by √d first;
   * `grid`, `spectrogram`: one row a patch, and so many beside.
   */
  readonly p?: Readonly<Record<string, string | number>>;
  /** Rows that the table has beyond its key's value. */
  readonly off?: number;
  /** Rows of a table whose size no key gives. */
  readonly rows?: number;
  /** Defaults that the parent sets for this sub-config. */
  readonly d?: Readonly<Record<string, unknown>>;
}

function isTable(value: unknown): value is Readonly<Record<string, ModelType>> {
  return typeof value === "object" && value !== null;
}

const raw: unknown = table;
const types = new Map(isTable(raw) ? Object.entries(raw) : []);

/** The entry of a `model_type`, or undefined. */
export function findModelType(name: string): ModelType | undefined {
  return types.get(name);
}

export function modelTypeNames(): string[] {
  return [...types.keys()];
}

/** The model type whose class an entry of `architectures` names: LlamaForCausalLM → llama. */
export function typeOfArchitecture(architecture: string): string | undefined {
  const stem = architecture.replace(/(?:For[A-Z].*|Model|LMHeadModel|PreTrainedModel)$/, "").toLowerCase();
  return stem === "" ? undefined : modelTypeNames().find((name) => name.replace(/[-_]/g, "") === stem);
}
