import type { Localized } from "../l10n/l10n.ts";
import type { EncodingId, Params, ParamValue } from "../spec.ts";
import type { ContentAndPosition } from "../terms/absolute.ts";
import type { Rounding } from "../terms/precision.ts";
import type { PositionTable, Scene } from "../terms/scene.ts";
import type { Term, ValueTerm } from "../terms/term.ts";
import type { ParamProblem } from "../util/errors.ts";

/** Schema of a parameter: allowed values, default and how the panel edits it. */
export interface Parameter {
  /** Hugging Face's name. */
  readonly name: string;
  /** Other accepted names (`relative_attention_num_buckets` for `num_buckets`). */
  readonly aliases?: readonly string[];
  readonly help: Localized;
  readonly kind: "integer" | "number" | "boolean" | "choice" | "numbers";
  readonly default: ParamValue;
  /** null is allowed and means "not set". */
  readonly optional?: boolean;
  /** Value to suggest if the encoding needs one and none is set (`factor` after picking YaRN). */
  readonly suggest?: (params: Params) => ParamValue;
  /** Inclusive bounds; a value outside is a ParamProblem. */
  readonly min?: number;
  readonly max?: number;
  /** Exclusive lower bound. */
  readonly above?: number;
  /** Range and scale of the slider; without it, the parameter only has a text field. */
  readonly slider?: {
    readonly min: number;
    readonly max: number;
    readonly step?: number;
    readonly scale: "linear" | "log";
  };
  readonly unit?: Localized;
  readonly choices?: readonly {
    readonly value: string;
    readonly name: Localized;
    readonly gloss?: Localized;
  }[];
  /** Converts other notations to the canonical one (`["c2p", "p2c"]` → `c2p|p2c`, 7 → `[7, 7]`). */
  readonly normalise?: (value: ParamValue) => ParamValue;
  /** The parameter is shown and checked only if this returns true. */
  readonly when?: (params: Params) => boolean;
}

/** Positions at which the encoding is defined. */
export type PositionDomain =
  | { readonly kind: "any" }
  /** A table or a grid: positions 0 … size − 1. */
  | {
      readonly kind: "table";
      readonly size: number;
      readonly reason: Localized;
    }
  /** Each position must be computed from the start of the sequence. */
  | { readonly kind: "recursive"; readonly reason: Localized };

/** Tokens laid out as the patches of an image. */
export interface PatchGrid {
  readonly height: number;
  readonly width: number;
  /** Tokens before the first patch (a class token). */
  readonly classTokens: number;
  /** Patches are numbered down the columns instead of along the rows. */
  readonly columnMajor?: boolean;
}

export interface Classification {
  readonly kind: "absolute" | "relative" | "both" | "none";
  /** What the position information is added to or applied to. */
  readonly actsOn: "input" | "query_key" | "scores" | "keys_values" | "nowhere";
  readonly trained: "fixed" | "trained" | "either";
  /** Number of trained scalars with these parameters, over all heads. */
  readonly trainedParameters: (params: Params) => number;
}

/** Part of an encoding that a piece of code computes. */
export type EncodingPart =
  | "encoding"
  | "inverse frequencies"
  | "angles"
  | "cos and sin"
  | "rotation"
  | "pair layout"
  | "scaling"
  | "base"
  | "rotated dimensions"
  | "table"
  | "slopes"
  | "bias"
  | "buckets"
  | "distances"
  | "relative table"
  | "relative index"
  | "relative shift"
  | "position projection"
  | "gate"
  | "convolution"
  | "sections";

/** How an encoding rotates pairs of dimensions. */
export interface RotationTraits {
  /** What the angle of a pair is proportional to: the position, or a row or column of an image. */
  readonly by: (params: Params) => "position" | "axes";
  /** The frequencies are scaled by `rope_parameters` (before transformers 5, `rope_scaling`). */
  readonly scalable: boolean;
  /** Queries and keys keep their lengths, so bounds on sums of rotations apply. */
  readonly keepsLength: boolean;
}

/** Coordinates of tokens for an encoding that gives each token several positions (M-RoPE). */
export interface PositionAxes {
  readonly axes: readonly ("time" | "row" | "column")[];
  coordinate(index: number, axis: number): number;
  isPatch(index: number): boolean;
}

/** How an encoding shares its learned vectors or scalars among distances. */
export interface BucketRule {
  readonly kind: "t5" | "deberta" | "clip";
  /** Table row for δ = i − j. */
  readonly row: (delta: number, round?: Rounding) => number;
  /** Number of rows of the table. */
  readonly rowCount: number;
  /** From this |δ| on, all distances share one row per side. */
  readonly lastDistance: number;
  /** Rows are computed from a float32 logarithm, as in torch. */
  readonly usesFloat32Log: boolean;
}

/** Text about an encoding in views whose general text would be wrong or incomplete. */
export interface ViewNotes {
  /** Why there is no position table. */
  readonly table?: Localized;
  /** Why there are no buckets. */
  readonly buckets?: Localized;
  /** Why no rounding errors can be shown. */
  readonly precision?: Localized;
  /** What happens to queries and keys besides the rotation by position. */
  readonly rotation?: Localized;
}

/** What an encoding does to a term of the expansion. */
export type TermEffect = "kept" | "changed" | "dropped";

/** The way from the four terms of x + p to an encoding's own. */
export interface Expansion {
  /** Its changed terms, with bold letters in place of the p's. */
  readonly terms: Readonly<Partial<Record<Term["role"], Formula>>>;
  /** Which p became what, and which terms are dropped. */
  readonly steps: Localized;
}

export interface Paper {
  readonly title: string;
  readonly arxiv?: string;
  readonly url?: string;
  readonly year: number;
}

export interface Formula {
  /** File name of the compiled SVG without extension, unique across encodings: `rope`, `rope_linear`. */
  readonly id: string;
  readonly tex: string;
  /** Plain text, for screen readers and the command line. */
  readonly text: string;
  /** What this variant does, in one line, if the encoding has several (RoPE's types). */
  readonly meaning?: Localized;
}

export interface Explanation {
  /** What it is, in one line. */
  readonly summary: Localized;
  /** What happens beyond the training context, and why. */
  readonly extrapolation: Localized;
  readonly strengths: Localized;
  readonly weaknesses: Localized;
  /** Differences in notation between sources, and common mistakes. */
  readonly pitfalls: Localized;
  /** Well-known models that use it. */
  readonly models: readonly string[];
}

/** One encoding: data and a few pure functions, in one file and listed in `index.ts`. */
export interface Encoding {
  readonly id: EncodingId;
  readonly name: Localized;
  /** What the name means, in a few words. */
  readonly gloss: Localized;
  /** Other names to search for. */
  readonly aliases: readonly string[];
  readonly classification: Classification;
  readonly effect: Readonly<
    Record<"content_content" | "content_position" | "position_content" | "position_position", TermEffect>
  >;
  /** What becomes of the four terms, where more can be said than `effect` does. */
  readonly expansion?: Expansion;
  readonly parameters: readonly Parameter[];
  /** Checks across parameters; runs only if every single parameter is valid. */
  readonly rules?: (params: Params) => readonly ParamProblem[];
  /** All formulas of the encoding; `formula` picks the one for given parameters (RoPE: by rope_type). */
  readonly formulas: readonly Formula[];
  readonly formula: (params: Params) => Formula;
  /** Formulas of parts that code computes on their own. */
  readonly partFormulas?: Readonly<Partial<Record<EncodingPart, Formula>>>;
  /** Formulas of single parameters. */
  readonly parameterFormulas?: readonly Formula[];
  readonly explanation: Explanation;
  readonly papers: readonly Paper[];
  readonly repositories: readonly string[];
  readonly domain: (params: Params) => PositionDomain;
  /** The model passes position ids, so padding and packing can renumber tokens (`Scene.numbering`). */
  readonly takesPositionIds?: (params: Params) => boolean;
  /** A cell can be computed without the rest of its row. */
  readonly cellsAreIndependent: boolean;
  /**
   * Names of learned arrays in `Scene.inputs`. Without inputs, the terms use seeded example values and their names say
   * so.
   */
  readonly learnedArrays: readonly string[];
  /** Learned arrays required with these parameters, if they depend on them. Each entry lists alternative names. */
  readonly requiredArrays?: (params: Params) => readonly (readonly string[])[];
  readonly terms: (params: Params, scene: Scene) => readonly Term[];
  readonly valueTerm?: (params: Params, scene: Scene) => ValueTerm | undefined;
  /** The words' and the positions' part of the values by key index, if positions are added to the input. [head_dim] */
  readonly valueParts?: (params: Params, scene: Scene) => ContentAndPosition;
  /** Without it, the Table view explains why there is no table. */
  readonly positionTable?: (params: Params, scene: Scene) => PositionTable;
  /** Undefined if the encoding does not rotate. */
  readonly rotation?: RotationTraits;
  /** Inverse frequencies in radians per position. [pairs] */
  readonly frequencies?: (params: Params) => readonly number[];
  /** Penalty per position of distance, of an encoding whose bias is linear. [heads] */
  readonly slopes?: (params: Params) => readonly number[];
  readonly positionAxes?: (params: Params, scene: Scene) => PositionAxes;
  readonly viewNotes?: (params: Params) => ViewNotes;
  /**
   * What a panel starts with if the usual ones would hide what the encoding does: words, and as many tokens as cells
   * can be told apart.
   */
  readonly initialScene?: { readonly content: "tokens"; readonly tokens: number };
  /** Parts of a one-line summary, in the current language: "ALiBi", "16 heads". Without it, the name alone. */
  readonly summary?: (params: Params) => readonly string[];
  /** Undefined if the encoding gives every distance its own value or does not use distances. */
  readonly buckets?: (params: Params) => BucketRule | undefined;
  /** Patches that the tokens stand for, for the Grid view; undefined if the tokens form a sequence. */
  readonly patchGrid?: (params: Params) => PatchGrid | undefined;
  /** Derived values printed by hovers and the command line: `inv_freq`, `attention_scaling`, `alibi_slopes`, … */
  readonly derived?: (params: Params) => Readonly<Record<string, unknown>>;
}
