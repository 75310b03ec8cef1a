import type { OpenedFile } from "../../core/checkpoint/rangeReader.ts";

/** The folder of a model, on a disk or in a virtual file system. */
export interface ModelFolder {
  /** Names of its files. */
  list(): Promise<readonly string[]>;
  /** Opens a file of any size by ranges. */
  open(name: string): Promise<OpenedFile>;
}
