import type { Encoding, Scene } from "../../encodings/encoding.ts";
import type { Params } from "../../spec.ts";
import type { ContentChoice } from "../../terms/content.ts";
import type { Attention } from "../../terms/term.ts";

/** Half-open. */
export interface IndexSpan {
  readonly from: number;
  readonly to: number;
}

/** Which matrix, from which state: everything that the code has to bring about again. */
export interface CodeRequest {
  readonly encoding: Encoding;
  /** Checked. */
  readonly params: Params;
  readonly scene: Scene;
  /** Made from the three above, with its mask and extra logit. */
  readonly attention: Attention;
  /** What the scene's content is; `given` vectors are written out. */
  readonly content: ContentChoice | "given";
  readonly show:
    | { readonly of: "logits"; readonly hidden: readonly string[] }
    | { readonly of: "weights" }
    | { readonly of: "term"; readonly id: string }
    | { readonly of: "table" };
  /** Indices of queries (positions of a table less the shift), and of keys (dimensions of a table). */
  readonly rows: IndexSpan;
  readonly columns: IndexSpan;
}

/** What an encoding adds to the program. Lines are NumPy; other dialects are translated from it. */
export interface CodeBody {
  /** Parameters that the lines use, printed before them under their own names. */
  readonly parameters: readonly string[];
  /** Lines before the terms: frequencies, tables, functions. */
  readonly setup: readonly string[];
  /**
   * The unscaled matrix of each term, [queries][keys], by the term's id, from `q`, `k`, `i`, `j`, `query_position`,
   * `key_position`, `delta` and what `setup` defines.
   */
  readonly terms: Readonly<Record<string, string>>;
  /** Rows of the position table at `position`, [positions][dimensions]. */
  readonly table?: string;
  /** The content that `setup` and `terms` use: `q` and `k` of a head (with its width), or `x` by token. */
  readonly content:
    | { readonly of: "qk"; readonly dim: number }
    | { readonly of: "x"; readonly dim: number }
    /** `setup` makes its own. */
    | { readonly of: "setup" };
  /** `setup` draws example values from the generator. */
  readonly usesGenerator?: boolean;
}

/** Why there is no code for a state, in the current language. */
export class NoCode extends Error {
  override readonly name = "NoCode";
}

/** The tokens that the cells use: first and last + 1, by index among the keys. */
export function spanOf({ scene, show, rows, columns }: CodeRequest): readonly [number, number] {
  if (show.of === "table") return [rows.from, rows.to];
  if (show.of === "weights") return [0, scene.keyLength];
  const past = scene.keyLength - scene.queryLength;
  return [Math.min(rows.from + past, columns.from), Math.max(rows.to + past, columns.to)];
}
