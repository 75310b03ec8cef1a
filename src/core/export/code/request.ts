import type { Encoding } from "../../encodings/encoding.ts";
import type { Params } from "../../spec.ts";
import type { ContentChoice } from "../../terms/content.ts";
import type { Scene } from "../../terms/scene.ts";
import type { Attention } from "../../terms/term.ts";

/** Half-open. */
export interface IndexSpan {
  readonly from: number;
  readonly to: number;
}

/** The matrix and the state that the code has to reproduce. */
export interface CodeExportRequest {
  readonly encoding: Encoding;
  /** Checked parameters. */
  readonly params: Params;
  readonly scene: Scene;
  /** Built from the three above, with its mask and extra logit. */
  readonly attention: Attention;
  /** Kind of the scene's content; `given` vectors are written out. */
  readonly content: ContentChoice | "given";
  readonly show:
    | { readonly of: "logits"; readonly hidden: readonly string[] }
    | { readonly of: "weights" }
    | { readonly of: "term"; readonly id: string }
    | { readonly of: "table" };
  /** Query indices (for a table: positions minus the shift) and key indices (for a table: dimensions). */
  readonly rows: IndexSpan;
  readonly columns: IndexSpan;
}

/** One encoding's contribution to the program, in NumPy; other libraries are translated from it. */
export interface EncodingCode {
  /** Parameters that the lines use, printed before them under their own names. */
  readonly parameters: readonly string[];
  /** Lines before the terms: frequencies, tables, functions. */
  readonly setup: readonly string[];
  /**
   * Expression for the unscaled matrix of each term, [queries][keys], by term id. May use `q`, `k`, `i`, `j`,
   * `query_position`, `key_position`, `delta` and what `setup` defines.
   */
  readonly terms: Readonly<Record<string, string>>;
  /** Rows of the position table at `position`, [positions][dimensions]. */
  readonly table?: string;
  /** Content that `setup` and `terms` use: `q` and `k` of a head, or `x` by token. */
  readonly content:
    | { readonly of: "qk"; readonly dim: number }
    | { readonly of: "x"; readonly dim: number }
    /** `setup` defines its own content. */
    | { readonly of: "setup" };
  /** `setup` uses the generator for example values. */
  readonly usesGenerator?: boolean;
}

/** The reason why a state cannot be exported as code, in the current language. */
export class CodeExportError extends Error {
  override readonly name = "NoCode";
}

/** First and last + 1 key index of the tokens that the cells depend on. */
export function neededTokens({ scene, show, rows, columns }: CodeExportRequest): readonly [number, number] {
  if (show.of === "table") return [rows.from, rows.to];
  if (show.of === "weights") return [0, scene.keyLength];
  const past = scene.keyLength - scene.queryLength;
  return [Math.min(rows.from + past, columns.from), Math.max(rows.to + past, columns.to)];
}
