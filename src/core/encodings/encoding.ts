import type { Localized } from "../l10n/l10n.ts";
import type { EncodingId, Params, ParamValue } from "../spec.ts";
import type { Numbering } from "../terms/numbering.ts";
import { withSoftmaxScale } from "../terms/softmaxScale.ts";
import type { Attention, Factor, Term, ValueTerm } from "../terms/term.ts";
import type { ParamProblem } from "../util/errors.ts";

/** What a parameter may hold, and how a person sets it. The panel's controls are made from this. */
export interface Parameter {
  /** Hugging Face's own name. */
  readonly name: string;
  /** Other names under which a person may give it (`relative_attention_num_buckets` for `num_buckets`). */
  readonly aliases?: readonly string[];
  readonly help: Localized;
  readonly kind: "integer" | "number" | "boolean" | "choice" | "numbers";
  readonly default: ParamValue;
  /** null is a legal value ("not set"). */
  readonly optional?: boolean;
  /** A good value where the encoding needs one and none is set (`factor` when a person picks YaRN). */
  readonly suggested?: (params: Params) => ParamValue;
  /** Inclusive bounds: outside is a ParamProblem. */
  readonly min?: number;
  readonly max?: number;
  /** Bound that the value must exceed. */
  readonly above?: number;
  /** Range and scale of the slider; absent: no slider, only a field. */
  readonly slider?: {
    readonly min: number;
    readonly max: number;
    readonly step?: number;
    readonly scale: "linear" | "log";
  };
  readonly unit?: Localized;
  readonly choices?: readonly {
    readonly value: string;
    readonly label: Localized;
  }[];
  /** Brings other ways of writing the value into ours (`["c2p", "p2c"]` → `c2p|p2c`, 7 → `[7, 7]`). */
  readonly normalise?: (value: ParamValue) => ParamValue;
  /** Shown and checked only then. */
  readonly when?: (params: Params) => boolean;
}

/** Vectors of the tokens. Rows are pure functions of (seed, index), whatever the viewport. */
export interface Content {
  readonly kind: "ones" | "random" | "given";
  /** Every row of every factor is the same vector, so that products of rotations depend on δ alone. */
  readonly constant: boolean;
  /**
   * `q`, `k`, `v`: head_dim-vectors of a head; `x`: hidden-size input vectors (head ignored).
   * `given` content has the dims of its data, the others take the dim asked for.
   */
  rows(which: "q" | "k" | "v" | "x", head: number, dim: number): Factor;
}

/** Named learned arrays (the golden files' `inputs` schema): nested lists of numbers. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Everything that the terms of one head need beside the parameters. */
export interface Scene {
  readonly queryLength: number;
  /** ≥ queryLength in decoding; the queries stand at the end of the keys. */
  readonly keyLength: number;
  /** Added to the positions of queries and keys alike. */
  readonly shift: number;
  readonly head: number;
  /** Position around which factors that grow exponentially are re-centred (xPos). */
  readonly centre: number;
  readonly content: Content;
  readonly inputs: Inputs;
  /** Position ids that are not the indices, for encodings that take ids (`takesIds`). */
  readonly numbering?: Numbering;
  /** In place of the model's own 1/√d. */
  readonly softmaxScale?: number;
}

/** Positions at which the encoding exists. */
export type Domain =
  | { readonly kind: "any" }
  /** A table or a grid: positions 0 … size − 1. */
  | {
      readonly kind: "table";
      readonly size: number;
      readonly reason: Localized;
    }
  /** Must be computed from the start. */
  | { readonly kind: "recursive"; readonly reason: Localized };

/** Tokens laid out as the patches of an image. */
export interface PatchGrid {
  readonly height: number;
  readonly width: number;
  /** Tokens before the first patch (a class token). */
  readonly classTokens: number;
  /** Patches are numbered down columns, not along rows. */
  readonly columnMajor?: boolean;
}

/** Position × dimension, for the Table view. */
export interface PositionTable {
  readonly rows: Factor;
  /** What a column is: "sin ω₀". */
  column(index: number): string;
}

export interface Classification {
  readonly kind: "absolute" | "relative" | "both" | "none";
  /** Where it acts. */
  readonly acts: "input" | "query_key" | "scores" | "keys_values" | "nowhere";
  readonly trained: "fixed" | "trained" | "either";
  /** Number of trained scalars for these parameters, all heads of a table counted. */
  readonly trainedParameters: (params: Params) => number;
}

/** Terms of the expansion, as the encoding treats them. */
export type TermFate = "kept" | "changed" | "dropped";

export interface Paper {
  readonly title: string;
  readonly arxiv?: string;
  readonly url?: string;
  readonly year: number;
}

export interface Formula {
  /** File name stem of the compiled SVG, unique over all encodings: `rope`, `rope_linear`. */
  readonly id: string;
  readonly tex: string;
  /** The same in plain text, for screen readers and the command line. */
  readonly text: string;
  /** What this variant does, in one line, where an encoding has several (RoPE's types). */
  readonly meaning?: Localized;
}

export interface Explanation {
  /** One line: what it is. */
  readonly summary: Localized;
  /** What happens past the trained length, and why. */
  readonly extrapolation: Localized;
  readonly strengths: Localized;
  readonly weaknesses: Localized;
  /** How other texts write it and where they slip. */
  readonly pitfalls: Localized;
  /** Well-known models that use it. */
  readonly models: readonly string[];
}

/** One case of a golden file. */
export interface GoldenCase {
  readonly id: string;
  readonly encoding: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Inputs;
  readonly expected: Readonly<Record<string, unknown>>;
}

/**
 * Reads the golden files' schema, which is also the schema of the command line's `--inputs`.
 * `expected` maps every key that this encoding's files use to the function of core that yields it;
 * a key without a number of ours is named in `notCompared` with the reason.
 */
export interface GoldenAdapter {
  /** Stems of the files in `test/golden/data`. */
  readonly files: readonly string[];
  /** The value of every key of `expected`, computed by core. */
  compute(golden: GoldenCase): Readonly<Record<string, unknown>>;
  readonly notCompared?: Readonly<Record<string, string>>;
}

/** One encoding: data and a few pure functions. One file each; listed in `index.ts`. */
export interface Encoding {
  readonly id: EncodingId;
  readonly title: Localized;
  /** Other names that people search for. */
  readonly aliases: readonly string[];
  readonly classification: Classification;
  readonly fate: Readonly<
    Record<"content_content" | "content_position" | "position_content" | "position_position", TermFate>
  >;
  readonly parameters: readonly Parameter[];
  /** Rules over several parameters; single ones are checked from the schema first. */
  readonly rules?: (params: Params) => readonly ParamProblem[];
  /** The formula that fits these parameters (RoPE: by rope_type); `formulas` lists all of them. */
  readonly formulas: readonly Formula[];
  readonly formula: (params: Params) => Formula;
  readonly explanation: Explanation;
  readonly papers: readonly Paper[];
  readonly repositories: readonly string[];
  readonly domain: (params: Params) => Domain;
  /** The model hands position ids to it, so that padding and packing can renumber its tokens (`Scene.numbering`). */
  readonly takesIds?: (params: Params) => boolean;
  /** One cell can be had without its row. */
  readonly local: boolean;
  /** Names of learned arrays in `Scene.inputs`; without them the terms use seeded example values and say so. */
  readonly learned: readonly string[];
  /** Those that these parameters need, where that depends on them: each a list of names, any one of which will do. */
  readonly learnedFor?: (params: Params) => readonly (readonly string[])[];
  readonly terms: (params: Params, scene: Scene) => readonly Term[];
  readonly valueTerm?: (params: Params, scene: Scene) => ValueTerm | undefined;
  /** Absent: the Table view says why not. */
  readonly table?: (params: Params, scene: Scene) => PositionTable;
  /** Row of the learned (or fixed) table that a distance δ = i − j uses, for the Buckets view; absent: no buckets. */
  readonly bucketOf?: (params: Params) => (delta: number) => number;
  /** The patches that tokens stand for, for the grid view; absent or undefined: tokens are a line. */
  readonly grid?: (params: Params) => PatchGrid | undefined;
  /** Numbers that hovers and the command line print: `inv_freq`, `attention_scaling`, `alibi_slopes`, … */
  readonly derived?: (params: Params) => Readonly<Record<string, unknown>>;
  readonly golden?: GoldenAdapter;
}

/** The attention of one head, from an encoding, its (checked) parameters and a scene. */
export function attentionOf(
  encoding: Encoding,
  params: Params,
  scene: Scene,
  mask: Attention["mask"],
  extraLogit?: number,
): Attention {
  const valueTerm = encoding.valueTerm?.(params, scene);
  const terms = encoding.terms(params, scene);
  return {
    queryLength: scene.queryLength,
    keyLength: scene.keyLength,
    deltaOffset: scene.keyLength - scene.queryLength,
    terms: scene.softmaxScale === undefined ? terms : withSoftmaxScale(terms, scene.softmaxScale),
    mask,
    ...(extraLogit === undefined ? {} : { extraLogit }),
    ...(valueTerm === undefined ? {} : { valueTerm }),
  };
}
