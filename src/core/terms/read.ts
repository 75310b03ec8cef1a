import { ParamError } from "../util/errors.ts";

/** Guards for arrays from outside (`--inputs`, golden files, checkpoints), so that core can trust them. */

function throwInvalid(name: string, rule: string, value: unknown): never {
  throw new ParamError({
    param: name,
    value: Array.isArray(value) ? `list of ${value.length}` : String(value),
    rule,
  });
}

export function readVector(value: unknown, name: string): number[] {
  if (!Array.isArray(value)) return throwInvalid(name, "must be a list of numbers", value);
  return value.map((item: unknown) =>
    typeof item === "number" ? item : throwInvalid(name, "must hold numbers only", item),
  );
}

/** Rows of equal length. */
export function readMatrix(value: unknown, name: string): number[][] {
  if (!Array.isArray(value)) return throwInvalid(name, "must be a list of rows", value);
  const rows = value.map((row: unknown) => readVector(row, name));
  if (rows.some((row) => row.length !== rows[0]?.length))
    return throwInvalid(name, "must have rows of equal length", value);
  return rows;
}

export function readMatrixList(value: unknown, name: string): number[][][] {
  if (!Array.isArray(value)) return throwInvalid(name, "must be a list of matrices", value);
  return value.map((matrix: unknown) => readMatrix(matrix, name));
}
