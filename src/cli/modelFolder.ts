import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openRange } from "#openRange";
import { UserError } from "../core/util/errors.ts";
import type { ModelFolder } from "../model/weights/modelFolder.ts";

/**
 * A model's folder on the disk.
 * @throws UserError for anything but a folder
 */
export function openFolder(path: string): ModelFolder {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UserError(`${path}: not a folder`);
  return {
    list: () => Promise.resolve(readdirSync(path)),
    open: (name) => openRange(join(path, name)),
  };
}
