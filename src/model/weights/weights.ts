import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import { type CancelSignal, throwIfCancelled } from "../cancel.ts";
import type { LinearSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { transposeMatrix } from "./transposeMatrix.ts";

/** Part of a matrix as a tensor [inputs][outputs]; `from` counts rows of the stored matrix. */
export interface MatrixBlock {
  readonly tensor: tf.Tensor2D;
  readonly from: number;
  readonly to: number;
}

/**
 * Bytes of float32 numbers that are loaded and multiplied at a time: memory does not depend on the size of the model,
 * and a run can be cancelled between two blocks.
 */
const BLOCK_BYTES = 8 * 1024 * 1024;

const FLOAT_BYTES = 4;

/** Old names of a norm's tensors. */
const OLD_NAMES: readonly (readonly [suffix: string, old: string])[] = [
  [".weight", ".gamma"],
  [".bias", ".beta"],
];

/**
 * The parameters of a model as tensors, by names without the file's prefix. What fits into `cacheBytes` is kept for the
 * next run, the rest is freed after use. Not safe for two runs at once.
 */
export class Weights {
  readonly #checkpoint: Checkpoint;
  readonly #prefix: string;
  readonly #cacheBytes: number;
  /** Norms, biases and the like. */
  readonly #vectors = new Map<string, tf.Tensor>();
  readonly #blocks = new Map<string, tf.Tensor2D>();
  #cached = 0;
  #signal: CancelSignal | undefined;

  /**
   * @param anchors names of tensors that every checkpoint of the model has, by which the prefix is found
   * @param cacheBytes bytes of tensors that are kept
   */
  constructor(checkpoint: Checkpoint, anchors: readonly string[], cacheBytes: number) {
    this.#checkpoint = checkpoint;
    this.#prefix = findPrefix(checkpoint.names, anchors);
    this.#cacheBytes = cacheBytes;
  }

  /** Sets what the current run looks at before it loads a block. */
  watch(signal: CancelSignal | undefined): void {
    this.#signal = signal;
  }

  /** The name in the file. */
  #stored(name: string): string {
    const full = this.#prefix + name;
    if (this.#checkpoint.has(full)) return full;
    for (const [suffix, old] of OLD_NAMES) {
      const renamed = full.endsWith(suffix) ? full.slice(0, -suffix.length) + old : full;
      if (renamed !== full && this.#checkpoint.has(renamed)) return renamed;
    }
    return full;
  }

  has(name: string): boolean {
    return this.#checkpoint.has(this.#stored(name));
  }

  /** The shape in the file; undefined without the tensor. */
  shapeOf(name: string): Promise<readonly number[] | undefined> {
    return this.#checkpoint.shapeOf(this.#stored(name));
  }

  /** The first of several names that the file has, else the first. */
  pick(names: readonly string[]): string {
    return names.find((name) => this.has(name)) ?? names[0] ?? "";
  }

  /**
   * A small tensor, whole. The caller must not dispose it.
   * @throws UserError, naming file and tensor
   */
  async load(name: string, shape: readonly number[]): Promise<tf.Tensor> {
    const known = this.#vectors.get(name);
    if (known !== undefined) return known;
    const loaded = tf.tensor(await this.values(name, shape), [...shape]);
    // Too small to count against the limit.
    this.#vectors.set(name, loaded);
    return loaded;
  }

  /**
   * One vector per head as [heads][1][size], stored as one tensor or as NAME.0, NAME.1, … It belongs to the weights.
   * @throws UserError, naming file and tensor
   */
  async loadStacked(name: string, stored: "each_head" | "listed", heads: number, size: number): Promise<tf.Tensor> {
    const key = `${name}:stacked`;
    const known = this.#vectors.get(key);
    if (known !== undefined) return known;
    const values = new Float32Array(heads * size);
    if (stored === "each_head") values.set(await this.values(`${name}.weight`, [heads, size]));
    else for (let h = 0; h < heads; h++) values.set(await this.values(`${name}.${h}.weight`, [size]), h * size);
    const loaded = tf.tensor(values, [heads, 1, size]);
    this.#vectors.set(key, loaded);
    return loaded;
  }

  /** Numbers of a small tensor. */
  async values(name: string, shape: readonly number[]): Promise<Float32Array> {
    const located = await this.#checkpoint.find(this.#stored(name), shape);
    return this.#checkpoint.readRows(located, 0, shape[0] ?? 1);
  }

  /**
   * Some rows of a table. [rows.length][columns], the caller's.
   * @throws UserError, naming file and tensor
   */
  async gatherRows(name: string, shape: readonly [number, number], rows: readonly number[]): Promise<tf.Tensor2D> {
    const [, columns] = shape;
    const located = await this.#checkpoint.find(this.#stored(name), shape);
    const values = new Float32Array(rows.length * columns);
    for (const [n, row] of rows.entries())
      values.set(await this.#checkpoint.readRows(located, row, row + 1), n * columns);
    return tf.tensor2d(values, [rows.length, columns]);
  }

  /**
   * Calls `use` with each block of a matrix, in order; the tensor is disposed after it.
   * @throws UserError, naming file and tensor; RunCancelled
   */
  async eachBlock(spec: LinearSpec, use: (block: MatrixBlock) => void): Promise<void> {
    const { inputs, outputs } = spec;
    const [rows, columns] = spec.inputsFirst ? [inputs, outputs] : [outputs, inputs];
    const name = `${spec.name}.weight`;
    const step = Math.max(1, Math.floor(BLOCK_BYTES / FLOAT_BYTES / columns));
    for (let from = 0; from < rows; from += step) {
      throwIfCancelled(this.#signal);
      const to = Math.min(rows, from + step);
      const key = `${name}:${from}`;
      const known = this.#blocks.get(key);
      const block = known ?? (await this.#loadBlock(name, spec, from, to));
      if (known === undefined) this.#keepIfSmall(key, block);
      try {
        use({ tensor: block, from, to });
      } finally {
        if (!this.#blocks.has(key)) block.dispose();
      }
    }
  }

  #keepIfSmall(key: string, block: tf.Tensor2D): void {
    const bytes = block.size * FLOAT_BYTES;
    if (this.#cached + bytes > this.#cacheBytes) return;
    this.#cached += bytes;
    this.#blocks.set(key, block);
  }

  async #loadBlock(name: string, spec: LinearSpec, from: number, to: number): Promise<tf.Tensor2D> {
    const { inputs, outputs } = spec;
    const shape = spec.inputsFirst ? [inputs, outputs] : [outputs, inputs];
    const located = await this.#checkpoint.find(this.#stored(name), shape);
    const values = await this.#checkpoint.readRows(located, from, to);
    if (spec.inputsFirst) return tf.tensor2d(values, [to - from, outputs]);
    return tf.tensor2d(transposeMatrix(values, to - from, inputs), [inputs, to - from]);
  }

  /** Frees all tensors and closes the files. */
  async close(): Promise<void> {
    tf.dispose([...this.#vectors.values(), ...this.#blocks.values()]);
    this.#vectors.clear();
    this.#blocks.clear();
    this.#cached = 0;
    await this.#checkpoint.close();
  }
}

/**
 * What precedes the names in this file: `model.`, `transformer.`, nothing.
 * @throws UserError if no anchor is there
 */
function findPrefix(names: Iterable<string>, anchors: readonly string[]): string {
  const all = [...names];
  for (const anchor of anchors) {
    const prefixes = all.flatMap((name) =>
      name === anchor || name.endsWith(`.${anchor}`) ? [name.slice(0, name.length - anchor.length)] : [],
    );
    // The shortest: a model inside the model (a vision tower) has a longer one.
    const prefix = prefixes.sort((a, b) => a.length - b.length)[0];
    if (prefix !== undefined) return prefix;
  }
  const [first = ""] = anchors;
  throw new UserError(l10n.t("tensor {0} is missing, with any prefix", first));
}
