import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import type { EmbeddingSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { applyLinear } from "./linear.ts";
import { normOrSame } from "./norm.ts";
import { type Scope, withScope } from "./scope.ts";

/**
 * The input of the first layer. [tokens][hidden], the caller's.
 * @throws UserError for ids that the vocabulary does not have, and texts longer than the table of positions
 */
export async function embedIds(weights: Weights, spec: EmbeddingSpec, ids: readonly number[]): Promise<tf.Tensor2D> {
  const name = weights.pick(spec.tokens);
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
  return await withScope(async (scope) => {
    const words = scope.add(await weights.gatherRows(name, [spec.vocabulary, spec.size], ids));
    const addends = await readAddends(weights, spec, ids.length, scope);
    const scaled = scope.add(tf.tidy(() => tf.mul<tf.Tensor2D>(words, spec.scale)));
    const before = scope.add(
      addUp(
        scaled,
        addends.filter((own) => own.shape[1] === spec.size),
      ),
    );
    const projected = spec.project === undefined ? before : scope.add(await applyLinear(weights, before, spec.project));
    const summed = scope.add(
      addUp(
        projected,
        addends.filter((own) => own.shape[1] !== spec.size),
      ),
    );
    return await normOrSame(weights, summed, spec.norm);
  });
}

/** A new tensor. */
function addUp(first: tf.Tensor2D, others: readonly tf.Tensor2D[]): tf.Tensor2D {
  return tf.tidy(() => others.reduce<tf.Tensor2D>((sum, own) => tf.add(sum, own), tf.reshape(first, first.shape)));
}

async function readAddends(
  weights: Weights,
  spec: EmbeddingSpec,
  tokens: number,
  scope: Scope,
): Promise<tf.Tensor2D[]> {
  const { positions, types, size } = spec;
  const tables: tf.Tensor2D[] = [];
  if (positions !== undefined) {
    const { name, rows, offset, size: own = size } = positions;
    if (tokens + offset > rows)
      throw new UserError(l10n.t("{0} tokens are too many: {1} has {2} positions", tokens, name, rows - offset));
    const indices = Array.from({ length: tokens }, (_, p) => p + offset);
    tables.push(scope.add(await weights.gatherRows(name, [rows, own], indices)));
  }
  if (types !== undefined) tables.push(scope.add(await weights.gatherRows(types.name, [types.rows, size], [0])));
  return tables;
}
