import { t } from "@vscode/l10n";
import type { Inputs } from "../encodings/encoding.ts";
import type { Localized } from "../l10n/l10n.ts";
import { ParamError } from "../util/errors.ts";
import { gaussianAt } from "./content.ts";
import { readMatrix, readVector } from "./read.ts";

/**
 * Learned arrays. They come from `Scene.inputs` (a checkpoint, `--inputs`, a golden file); with no inputs at all,
 * seeded example values stand in, and the terms' names say so.
 */

/** Whether the arrays are example values of ours. */
export function isExample(inputs: Inputs): boolean {
  return Object.keys(inputs).length === 0;
}

/** A term's name, with the note that its table holds example values. */
export function learnedName(name: Localized, inputs: Inputs): Localized {
  if (!isExample(inputs)) return name;
  return { en: `${name.en} (example values)`, zh: `${name.zh}（示例数值）` };
}

/** First of several names under which an array may be given. */
export function givenArray(inputs: Inputs, names: readonly string[]): { name: string; value: unknown } | undefined {
  for (const name of names) {
    const value = inputs[name];
    if (value !== undefined && value !== null) return { name, value };
  }
  return undefined;
}

function missing(names: readonly string[]): never {
  throw new ParamError({
    param: names[0] ?? "",
    value: undefined,
    rule: t("is a learned array and must be provided in the inputs"),
  });
}

function requireSize(name: string, what: string, size: number, expected: number): void {
  if (size === expected) return;
  throw new ParamError({ param: name, value: size, rule: t("must have {0} {1}", expected, what) });
}

/**
 * A learned matrix [rows][columns] under one of `names`.
 * @param rows number of rows that it must have, or null for any
 * @param example its values when there are no inputs at all
 * @throws ParamError if inputs are given but lack it, or its shape differs
 */
export function learnedMatrix(
  inputs: Inputs,
  names: readonly string[],
  rows: number | null,
  columns: number,
  example: (row: number, column: number) => number,
): (row: number) => readonly number[] {
  const given = givenArray(inputs, names);
  if (given !== undefined) {
    const matrix = readMatrix(given.value, given.name);
    if (rows !== null) requireSize(given.name, t("rows"), matrix.length, rows);
    requireSize(given.name, t("columns"), matrix[0]?.length ?? 0, columns);
    return (row) => matrix[row] ?? [];
  }
  if (!isExample(inputs)) return missing(names);
  return (row) => Array.from({ length: columns }, (_, column) => example(row, column));
}

/** A learned vector under one of `names`; see `learnedMatrix`. */
export function learnedVector(
  inputs: Inputs,
  names: readonly string[],
  length: number,
  example: (index: number) => number,
): readonly number[] {
  const given = givenArray(inputs, names);
  if (given !== undefined) {
    const vector = readVector(given.value, given.name);
    requireSize(given.name, t("values"), vector.length, length);
    return vector;
  }
  if (!isExample(inputs)) return missing(names);
  return Array.from({ length }, (_, index) => example(index));
}

/** A weight matrix of a projection, if it is given. */
export function optionalMatrix(inputs: Inputs, name: string): number[][] | undefined {
  const value = inputs[name];
  return value === undefined || value === null ? undefined : readMatrix(value, name);
}

export function optionalVector(inputs: Inputs, name: string): number[] | undefined {
  const value = inputs[name];
  return value === undefined || value === null ? undefined : readVector(value, name);
}

/** Seeded normal example value; `salt` keeps different arrays apart. */
export function exampleValue(salt: number, row: number, column: number, deviation = 1): number {
  return deviation * gaussianAt(0x706f7365, salt, row, column);
}

/** Example of a table of positions as trained ones look: neighbours alike, waves as long as the table, and noise. */
export function exampleTable(rows: number, columns: number): (row: number, column: number) => number {
  const waves = Array.from({ length: columns }, (_, column) => ({
    frequency: (2 * Math.PI * 2 ** (1.5 * Math.abs(exampleValue(1, 0, column)))) / rows,
    phase: 3 * exampleValue(2, 0, column),
  }));
  return (row, column) => {
    const { frequency, phase } = waves[column] ?? { frequency: 0, phase: 0 };
    return 0.35 * Math.sin(row * frequency + phase) + exampleValue(3, row, column, 0.15);
  };
}
