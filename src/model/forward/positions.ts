import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import type { AttentionSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { computeBias } from "./bias.ts";
import { buildRotation, type RotationTables } from "./rotation.ts";

/** What an encoding does to the attention of a text of a certain length. */
export interface PositionTensors {
  readonly rotation?: RotationTables;
  /** [heads][tokens][tokens] */
  readonly bias?: tf.Tensor3D;
}

/** Larger than any logit, and finite: −∞ becomes NaN in some WebGL programs. Its exponential is exactly 0. */
const FORBIDDEN = -1e30;

/** Rotations, biases and masks of one run. Layers with the same encoding share them. */
export class PositionCache {
  readonly #weights: Weights;
  readonly #tokens: number;
  readonly #positions = new Map<string, PositionTensors>();
  readonly #masks = new Map<string, tf.Tensor2D>();

  constructor(weights: Weights, tokens: number) {
    this.#weights = weights;
    this.#tokens = tokens;
  }

  /** Belongs to the cache. */
  async positionsOf(spec: AttentionSpec): Promise<PositionTensors> {
    const { encoding, biasTable, heads, headDim } = spec;
    if (encoding === undefined) return {};
    const key = JSON.stringify([encoding.encoding, encoding.params, biasTable, heads, headDim]);
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const built = await this.#build(spec);
    this.#positions.set(key, built);
    return built;
  }

  async #build({ encoding, biasTable, heads, headDim }: AttentionSpec): Promise<PositionTensors> {
    if (encoding === undefined) return {};
    const rotation = buildRotation(encoding, this.#tokens, headDim);
    if (rotation !== undefined) return { rotation };
    const table = biasTable && (await this.#weights.values(`${biasTable.name}.weight`, [biasTable.rows, heads]));
    const rows =
      table && Array.from({ length: table.length / heads }, (_, n) => [...table.subarray(n * heads, (n + 1) * heads)]);
    const bias = computeBias(
      encoding,
      heads,
      this.#tokens,
      rows === undefined ? {} : { relative_attention_bias: rows },
    );
    if (bias === undefined && encoding.encoding !== "none")
      throw new UserError(l10n.t("{0} is not supported yet", encoding.encoding));
    return bias === undefined ? {} : { bias: tf.tensor(bias, [heads, this.#tokens, this.#tokens]) };
  }

  /** What is added to logits; undefined if every query may look everywhere. Belongs to the cache. */
  maskOf({ mask }: AttentionSpec): tf.Tensor2D | undefined {
    const { causal, reach = Number.POSITIVE_INFINITY } = mask;
    const tokens = this.#tokens;
    if (!causal && reach >= tokens - 1) return undefined;
    const key = `${causal}:${reach}`;
    const known = this.#masks.get(key);
    if (known !== undefined) return known;
    const values = new Float32Array(tokens * tokens);
    for (let i = 0; i < tokens; i++)
      for (let j = 0; j < tokens; j++)
        if ((causal && j > i) || Math.abs(i - j) > reach) values[i * tokens + j] = FORBIDDEN;
    const built = tf.tensor2d(values, [tokens, tokens]);
    this.#masks.set(key, built);
    return built;
  }

  dispose(): void {
    for (const { rotation, bias } of this.#positions.values()) {
      if (rotation !== undefined) tf.dispose([rotation.cos, rotation.sin, rotation.swap]);
      bias?.dispose();
    }
    tf.dispose([...this.#masks.values()]);
    this.#positions.clear();
    this.#masks.clear();
  }
}
