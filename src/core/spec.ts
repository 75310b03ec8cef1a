/**
 * EncodingSpec is the one currency between readers (configs, code, a user's pick) and everything downstream
 * (hovers, diagnostics, panel, command line). Nothing downstream reads the file again.
 */

/** Ids that configs and code are read into. The table in `encodings/index.ts` maps each to its one file. */
export const ENCODING_IDS = [
  "none",
  "sinusoidal",
  "learned_absolute",
  "multiplicative",
  "recursive",
  "shaw",
  "transformer_xl",
  "t5_bias",
  "deberta",
  "tupe",
  "rope",
  "alibi",
  "xpos",
  "kerple",
  "sandwich",
  "fire",
  "cope",
  "swin_bias",
  "swinv2_cpb",
  "sincos_2d",
  "axial_rope",
  "mrope",
  "decomposed_rel_pos",
  "rerope",
  "self_extend",
  "conv",
] as const;

/** Open on purpose: an encoding of the table needs no line here. `isEncodingId` guards what comes from outside. */
export type EncodingId = (typeof ENCODING_IDS)[number] | (string & Record<never, never>);

/** Pair layout of rotations: (k, k + d/2) or (2k, 2k + 1). */
export type Layout = "half" | "interleaved";

export type ParamValue = number | string | boolean | null | readonly number[] | readonly string[];

/** Parameters under Hugging Face's own names (`rope_theta`, `head_dim`, `num_attention_heads`, …). */
export type Params = Readonly<Record<string, ParamValue>>;

/** Where a value came from. `code` is a value read from Python source. */
export type Source = "config" | "code" | "default" | "derived" | "guess" | "you";

/** A place in a text: 1-based, UTF-16 code units, end exclusive. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** The place that a parameter was read from. `path` is the JSON path in a config, empty in code. */
export interface Evidence {
  readonly param: string;
  readonly path: readonly (string | number)[];
  readonly range: Range;
  /** What stands there, for code: "default argument", "module constant", … already in the current language. */
  readonly note?: string;
}

/** `checked`: verified against transformers; `automatic`: derived mechanically; `guess`: read by its keys alone. */
export type Confidence = "checked" | "automatic" | "guess";

export interface EncodingSpec {
  readonly encoding: EncodingId;
  /** `text`, `vision`, `audio`, `encoder`, `decoder`, or the key of another sub-config. */
  readonly where: string;
  /** 0-based layer indices that have this encoding. */
  readonly layers: "all" | readonly number[];
  readonly params: Params;
  readonly sources: Readonly<Record<string, Source>>;
  readonly evidence: readonly Evidence[];
  readonly confidence: Confidence;
}
