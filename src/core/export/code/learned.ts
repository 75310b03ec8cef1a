import { t } from "@vscode/l10n";
import { isExample } from "../../terms/learned.ts";
import { arrayLines, matrixLines } from "./python.ts";
import { type CodeRequest, NoCode } from "./request.ts";

/** Learned arrays: drawn from the generator where they are examples of ours, else written out where they are small. */

/** Numbers of one array that are written out at most. */
const MOST_WRITTEN = 4096;

/** @throws NoCode for more numbers than a program should carry */
export function requireWritten(name: string, count: number): void {
  if (count > MOST_WRITTEN) throw new NoCode(t("Array {0} is too large to write out.", name));
}

/** @param given its rows, asked for only where inputs are given */
export function learnedMatrixLines(
  { scene }: CodeRequest,
  name: string,
  example: readonly string[],
  given: () => readonly (readonly number[])[],
): readonly string[] {
  if (isExample(scene.inputs)) return example;
  const rows = given();
  requireWritten(name, rows.length * (rows[0]?.length ?? 0));
  return matrixLines(name, rows);
}

export function learnedVectorLines(
  { scene }: CodeRequest,
  name: string,
  example: readonly string[],
  given: () => readonly number[],
): readonly string[] {
  if (isExample(scene.inputs)) return example;
  const values = given();
  requireWritten(name, values.length);
  return arrayLines(name, values);
}

/** For encodings whose given arrays are too many to follow. */
export function examplesOnly({ scene }: CodeRequest): void {
  const [given] = Object.keys(scene.inputs);
  if (given !== undefined) throw new NoCode(t("Code export does not support the given array {0} yet.", given));
}
