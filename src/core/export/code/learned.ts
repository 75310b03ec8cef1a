import * as l10n from "@vscode/l10n";
import { usesExampleValues } from "../../terms/learned.ts";
import { arrayLines, MAX_WRITTEN_NUMBERS, matrixLines } from "./python.ts";
import { CodeExportError, type CodeExportRequest } from "./request.ts";

/** Learned arrays: example values from the generator, given values written out if they are few. */

/** @throws CodeExportError if there are too many numbers to write out */
export function requireWritable(name: string, count: number): void {
  if (count > MAX_WRITTEN_NUMBERS) throw new CodeExportError(l10n.t("Array {0} is too large to write out.", name));
}

/** @param given the rows; called only if inputs are given */
export function learnedMatrixLines(
  { scene }: CodeExportRequest,
  name: string,
  example: readonly string[],
  given: () => readonly (readonly number[])[],
): readonly string[] {
  if (usesExampleValues(scene.inputs)) return example;
  const rows = given();
  requireWritable(name, rows.length * (rows[0]?.length ?? 0));
  return matrixLines(name, rows);
}

export function learnedVectorLines(
  { scene }: CodeExportRequest,
  name: string,
  example: readonly string[],
  given: () => readonly number[],
): readonly string[] {
  if (usesExampleValues(scene.inputs)) return example;
  const values = given();
  requireWritable(name, values.length);
  return arrayLines(name, values);
}

/**
 * For encodings whose given arrays cannot be exported.
 * @throws CodeExportError if arrays are given
 */
export function requireExampleValues({ scene }: CodeExportRequest): void {
  const [given] = Object.keys(scene.inputs);
  if (given !== undefined)
    throw new CodeExportError(l10n.t("Code export does not support the given array {0} yet.", given));
}
