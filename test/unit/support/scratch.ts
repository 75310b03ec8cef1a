import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, deleted after the tests of the file. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `posenc-${name}-`));
  made.push(folder);
  return folder;
}
