import * as l10n from "@vscode/l10n";
import type { Localized } from "../l10n/l10n.ts";
import { ParamError } from "../util/errors.ts";
import { gaussianAt } from "./content.ts";
import { readMatrix, readVector } from "./read.ts";
import type { Inputs } from "./scene.ts";

/**
 * Learned arrays from `Scene.inputs` (a checkpoint, `--inputs`, a golden file). Without any inputs, seeded example
 * values are used, and the names of the terms say so.
 */

/** Whether learned arrays have example values. */
export function usesExampleValues(inputs: Inputs): boolean {
  return Object.keys(inputs).length === 0;
}

/** A term's name, with a note if its table has example values. */
export function learnedTermName(name: Localized, inputs: Inputs): Localized {
  if (!usesExampleValues(inputs)) return name;
  return { en: `${name.en} (example values)`, zh: `${name.zh}（示例数值）` };
}

/** The first array found under one of its names. */
export function findInputArray(inputs: Inputs, names: readonly string[]): { name: string; value: unknown } | undefined {
  for (const name of names) {
    const value = inputs[name];
    if (value !== undefined && value !== null) return { name, value };
  }
  return undefined;
}

function throwMissing(names: readonly string[]): never {
  throw new ParamError({
    param: names[0] ?? "",
    value: undefined,
    rule: l10n.t("is a learned array and must be provided in the inputs"),
  });
}

function requireSize(name: string, what: string, size: number, expected: number): void {
  if (size === expected) return;
  throw new ParamError({ param: name, value: size, rule: l10n.t("must have {0} {1}", expected, what) });
}

/**
 * A learned matrix [rows][columns] under one of `names`.
 * @param rows required number of rows, or null for any
 * @param example value of a cell if there are no inputs at all
 * @throws ParamError if there are inputs but not this array, or if its shape differs
 */
export function readLearnedMatrix(
  inputs: Inputs,
  names: readonly string[],
  rows: number | null,
  columns: number,
  example: (row: number, column: number) => number,
): (row: number) => readonly number[] {
  const input = findInputArray(inputs, names);
  if (input !== undefined) {
    const matrix = readMatrix(input.value, input.name);
    if (rows !== null) requireSize(input.name, l10n.t("rows"), matrix.length, rows);
    requireSize(input.name, l10n.t("columns"), matrix[0]?.length ?? 0, columns);
    return (row) => matrix[row] ?? [];
  }
  if (!usesExampleValues(inputs)) return throwMissing(names);
  return (row) => Array.from({ length: columns }, (_, column) => example(row, column));
}

/** A learned vector under one of `names`; see `readLearnedMatrix`. */
export function readLearnedVector(
  inputs: Inputs,
  names: readonly string[],
  length: number,
  example: (index: number) => number,
): readonly number[] {
  const input = findInputArray(inputs, names);
  if (input !== undefined) {
    const vector = readVector(input.value, input.name);
    requireSize(input.name, l10n.t("values"), vector.length, length);
    return vector;
  }
  if (!usesExampleValues(inputs)) return throwMissing(names);
  return Array.from({ length }, (_, index) => example(index));
}

/** The weight matrix of a projection, if given. */
export function findInputMatrix(inputs: Inputs, name: string): number[][] | undefined {
  const value = inputs[name];
  return value === undefined || value === null ? undefined : readMatrix(value, name);
}

export function findInputVector(inputs: Inputs, name: string): number[] | undefined {
  const value = inputs[name];
  return value === undefined || value === null ? undefined : readVector(value, name);
}

/** Seeded normal example value; `salt` separates arrays. */
export function exampleValue(salt: number, row: number, column: number, deviation = 1): number {
  return deviation * gaussianAt(0x706f7365, salt, row, column);
}

/** Resembles trained position tables: similar neighbours, waves as long as the table, and noise. */
export function examplePositionTable(rows: number, columns: number): (row: number, column: number) => number {
  const waves = Array.from({ length: columns }, (_, column) => ({
    frequency: (2 * Math.PI * 2 ** (1.5 * Math.abs(exampleValue(1, 0, column)))) / rows,
    phase: 3 * exampleValue(2, 0, column),
  }));
  return (row, column) => {
    const { frequency, phase } = waves[column] ?? { frequency: 0, phase: 0 };
    return 0.35 * Math.sin(row * frequency + phase) + exampleValue(3, row, column, 0.15);
  };
}
