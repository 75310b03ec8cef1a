import { ParamError } from "../util/errors.ts";

/** Guards for arrays that come from outside (`--inputs`, golden files, checkpoints): checked once, then trusted. */

function fail(name: string, rule: string, value: unknown): never {
  throw new ParamError({
    param: name,
    value: Array.isArray(value) ? `list of ${value.length}` : String(value),
    rule,
  });
}

export function readVector(value: unknown, name: string): number[] {
  if (!Array.isArray(value)) return fail(name, "must be a list of numbers", value);
  return value.map((item: unknown) => (typeof item === "number" ? item : fail(name, "must hold numbers only", item)));
}

/** Rows of equal length. */
export function readMatrix(value: unknown, name: string): number[][] {
  if (!Array.isArray(value)) return fail(name, "must be a list of rows", value);
  const rows = value.map((row: unknown) => readVector(row, name));
  if (rows.some((row) => row.length !== rows[0]?.length)) return fail(name, "must have rows of equal length", value);
  return rows;
}

export function readTensor(value: unknown, name: string): number[][][] {
  if (!Array.isArray(value)) return fail(name, "must be a list of matrices", value);
  return value.map((matrix: unknown) => readMatrix(matrix, name));
}
