import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import type { EmbeddingSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { applyLinear } from "./linear.ts";
import { normOrSame } from "./norm.ts";

/**
 * The input of the first layer. [tokens][hidden], the caller's.
 * @throws UserError for ids that the vocabulary does not have, and texts longer than the table of positions
 */
export async function embedIds(weights: Weights, spec: EmbeddingSpec, ids: readonly number[]): Promise<tf.Tensor2D> {
  const name = `${weights.pick(spec.tokens)}`;
  const outside = ids.find((id) => !Number.isSafeInteger(id) || id < 0 || id >= spec.vocabulary);
  if (outside !== undefined)
    throw new UserError(
      l10n.t(
        "token {0} is out of range: {1} has {2} rows. Is the tokenizer another model's?",
        outside,
        name,
        spec.vocabulary,
      ),
    );
  const words = await weights.gatherRows(name, [spec.vocabulary, spec.size], ids);
  const extra = await readAddends(weights, spec, ids.length);
  const summed = tf.tidy(() =>
    extra.reduce<tf.Tensor2D>((sum, own) => tf.add(sum, own), spec.scale === 1 ? words : tf.mul(words, spec.scale)),
  );
  const own = summed === words ? words : summed;
  tf.dispose([...extra, ...(own === words ? [] : [words])]);
  const projected = spec.project === undefined ? own : await applyLinear(weights, own, spec.project);
  if (projected !== own) own.dispose();
  if (spec.norm === undefined) return projected;
  const normed = await normOrSame(weights, projected, spec.norm);
  projected.dispose();
  return normed;
}

async function readAddends(weights: Weights, spec: EmbeddingSpec, tokens: number): Promise<tf.Tensor2D[]> {
  const { positions, types, size } = spec;
  const tables: tf.Tensor2D[] = [];
  if (positions !== undefined) {
    const { name, rows, offset } = positions;
    if (tokens + offset > rows)
      throw new UserError(l10n.t("{0} tokens are too many: {1} has {2} positions", tokens, name, rows - offset));
    const indices = Array.from({ length: tokens }, (_, p) => p + offset);
    tables.push(await weights.gatherRows(name, [rows, size], indices));
  }
  if (types !== undefined) tables.push(await weights.gatherRows(types.name, [types.rows, size], [0]));
  return tables;
}
