import * as l10n from "@vscode/l10n";
import { layerNorm } from "../../terms/linear.ts";
import { readMatrix, readVector } from "../../terms/read.ts";
import type { Inputs } from "../../terms/scene.ts";
import { ParamError } from "../../util/errors.ts";

/** How models map tokens to rows of a learned position table, and what they add the rows to. */

/** OPT: index = cumsum(mask) · mask − 1 + offset (transformers models/opt). Left padding gives row offset − 1. */
export function optTableRows(mask: readonly number[], offset: number): number[] {
  let seen = 0;
  return mask.map((present) => {
    seen += present;
    return seen * present - 1 + offset;
  });
}

/** RoBERTa: cumsum(non-pad) · non-pad + padding_idx (transformers models/roberta). Padding keeps padding_idx. */
export function robertaTableRows(inputIds: readonly number[], paddingIdx: number): number[] {
  let seen = 0;
  return inputIds.map((id) => {
    const present = id === paddingIdx ? 0 : 1;
    seen += present;
    return seen * present + paddingIdx;
  });
}

/**
 * A row of a table.
 * @throws ParamError if the row does not exist
 */
function requireRow(table: readonly (readonly number[])[], index: number, name: string): readonly number[] {
  const row = table[index];
  if (row !== undefined) return row;
  throw new ParamError({
    param: name,
    value: index,
    rule: l10n.t("row {0} does not exist: the table has {1} rows", index, table.length),
  });
}

function sumRows(...rows: readonly (readonly number[])[]): number[] {
  const [first = [], ...others] = rows;
  return first.map((value, c) => others.reduce((sum, row) => sum + (row[c] ?? 0), value));
}

/** Word vectors of `input_ids`, plus token types if given; undefined without word vectors. */
export function embedTokens(inputs: Inputs): number[][] | undefined {
  const words = inputs.word_embeddings ?? inputs.wte;
  if (words === undefined || inputs.input_ids === undefined) return undefined;
  const table = readMatrix(words, "word_embeddings");
  const vectors = readVector(inputs.input_ids, "input_ids").map((id) => requireRow(table, id, "input_ids"));
  if (inputs.token_type_embeddings === undefined) return vectors.map((row) => [...row]);
  const types = readMatrix(inputs.token_type_embeddings, "token_type_embeddings");
  const ids = inputs.token_type_ids === undefined ? [] : readVector(inputs.token_type_ids, "token_type_ids");
  return vectors.map((row, n) => sumRows(row, requireRow(types, ids[n] ?? 0, "token_type_ids")));
}

/**
 * Input of the first layer: word + type + position, [tokens][hidden]. BERT normalises the sum, GPT-2 does not.
 * @param rows row of the position table for each token
 * @param eps `layer_norm_eps`; used if the inputs contain a LayerNorm
 */
export function embedInput(
  inputs: Inputs,
  positions: readonly (readonly number[])[],
  rows: readonly number[],
  eps: number,
): { readonly summed: number[][]; readonly hidden: number[][] } {
  const vectors = embedTokens(inputs) ?? [];
  const summed = vectors.map((row, n) => sumRows(row, requireRow(positions, rows[n] ?? n, "position_ids")));
  if (inputs.layer_norm_weight === undefined) return { summed, hidden: summed };
  const weight = readVector(inputs.layer_norm_weight, "layer_norm_weight");
  const bias = readVector(inputs.layer_norm_bias, "layer_norm_bias");
  return { summed, hidden: summed.map((row) => layerNorm(row, weight, bias, eps)) };
}
