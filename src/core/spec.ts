/**
 * EncodingSpec is the common format of all readers (configs, code, a user's pick) and all consumers (hovers,
 * diagnostics, panel, command line). Consumers do not read the file again.
 */

/** Ids of the encodings that configs and code are read as; `encodings/index.ts` maps them to their files. */
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

/** Any string is allowed, so that adding an encoding needs no line here. `isEncodingId` guards values from outside. */
export type EncodingId = (typeof ENCODING_IDS)[number] | (string & Record<never, never>);

/** Dimensions that form a pair: half (k, k + d/2) or interleaved (2k, 2k + 1). */
export type PairLayout = "half" | "interleaved";

export type ParamValue = number | string | boolean | null | readonly number[] | readonly string[];

/** Numbers must be finite; a list holds numbers or strings only. */
export function isParamValue(value: unknown): value is ParamValue {
  if (Array.isArray(value)) return value.every(Number.isFinite) || value.every((item) => typeof item === "string");
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Values by Hugging Face's parameter names (`rope_theta`, `head_dim`, `num_attention_heads`, …). */
export type Params = Readonly<Record<string, ParamValue>>;

/** Where a value comes from. `code` is Python source. */
export type ValueSource = "config" | "code" | "default" | "derived" | "guess" | "you";

/** A position in a text: 1-based, in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Where a parameter was read from. `path` is the JSON path in a config, empty in code. */
export interface Evidence {
  readonly param: string;
  readonly path: readonly (string | number)[];
  readonly range: TextRange;
  /** Kind of expression in code: "default argument", "module constant", …, in the current language. */
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
  readonly sources: Readonly<Record<string, ValueSource>>;
  readonly evidence: readonly Evidence[];
  readonly confidence: Confidence;
  /**
   * By the name of a runtime ("transformers 5.18"): the parameters that it uses instead of the declared ones. null means
   * that it uses none; `encoding` names another encoding that it uses altogether. Absent where nothing differs.
   */
  readonly runs?: Readonly<Record<string, Params>>;
}
