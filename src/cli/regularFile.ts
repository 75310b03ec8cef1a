import { readFileSync, statSync } from "node:fs";
import { UserError } from "../core/util/errors.ts";

/** False for what does not exist, and for pipes, devices and folders: reading a pipe would wait for a writer. */
export function isRegularFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Larger files are not read (bytes). */
const MAX_TEXT_SIZE = 32 * 1024 * 1024;

/**
 * Reads a file that an option or an argument names.
 * @throws UserError for anything but a regular file of bounded size
 */
export function readRegularFile(file: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile()) throw new UserError("not a regular file");
  if (stats.size > MAX_TEXT_SIZE) throw new UserError(`not read: larger than ${MAX_TEXT_SIZE / 1024 / 1024} MB`);
  return readFileSync(file);
}
