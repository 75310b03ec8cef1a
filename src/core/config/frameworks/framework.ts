import type { EncodingSpec } from "../../spec.ts";
import type { FrameworkFormat } from "../formats.ts";
import type { Section } from "../text/section.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** A dictionary of a file that describes one model, or one stack of a model. */
export interface ModelPlace {
  readonly section: Section;
  /** As in a spec; `text` if absent. */
  readonly where?: string;
  /** False for a part that other files complete: what it leaves out is not the framework's default. */
  readonly isComplete?: boolean;
}

/** The configuration files of one training framework: data, and the decisions that the framework's code makes. */
export interface Framework {
  readonly format: FrameworkFormat;
  /** Where the defaults and formulas were read: repository, then paths. */
  readonly reference: string;
  /** Words of which every file has at least one: a cheap check before a text is parsed. */
  readonly signs: readonly string[];
  /** The models of a file; undefined if the file is not this framework's. Decided by keys that only it has. */
  findModels(root: Section): readonly ModelPlace[] | undefined;
  /** Keys of a parameter, the first one in the file counts; a dot enters a dictionary, `^` starts at the root. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** What the framework's code uses for an absent key, by parameter. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Other spellings of a key; as written if absent. */
  readonly spellings?: (key: string) => readonly string[];
  readModel(model: FrameworkModel): readonly EncodingSpec[];
}

export function hasAny(section: Section | undefined, ...keys: string[]): boolean {
  return keys.some((key) => section?.has(key) === true);
}

export function hasAll(section: Section | undefined, ...keys: string[]): boolean {
  return keys.every((key) => section?.has(key) === true);
}
