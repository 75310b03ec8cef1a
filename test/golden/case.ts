import type { Encoding } from "../../src/core/encodings/encoding.ts";
import type { Inputs } from "../../src/core/terms/scene.ts";

/** One case of a golden file. */
export interface GoldenCase {
  readonly id: string;
  readonly encoding: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Inputs;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Computes the values of golden files. */
export interface GoldenAdapter {
  /** Absent for files about the engine itself. */
  readonly encoding?: Encoding;
  /** Names in `data`, without extension. */
  readonly files: readonly string[];
  /** Value of every key of `expected`. */
  compute(golden: GoldenCase): Readonly<Record<string, unknown>>;
}
