import { isRecord } from "../../util/isRecord.ts";
import type { Section } from "../text/section.ts";
import table from "./borrowedNames.json" with { type: "json" };
import { findModelType, type ModelType } from "./modelTypes.ts";

/** Remote code whose files have the `model_type` of a class of the library, or none. */
interface BorrowedName {
  /** Its own row in the table of model types. */
  readonly type: string;
  /** Repository and file of the code. */
  readonly source: string;
  /** The class that `auto_map.AutoConfig` names, if only that tells it from others. */
  readonly configClass?: string;
  /** The file has all of these keys. */
  readonly every: readonly string[];
}

const BORROWED_NAMES: readonly BorrowedName[] = table;

/** The row of the remote code that a file is written for, whatever its `model_type`; undefined without `auto_map`. */
export function findBorrowedType(section: Section): { name: string; type: ModelType } | undefined {
  const map = section.get("auto_map")?.value;
  if (!isRecord(map)) return undefined;
  // "owner/repository--module.Class" or "module.Class".
  const configClass = typeof map.AutoConfig === "string" ? map.AutoConfig.split(".").at(-1) : undefined;
  const row = BORROWED_NAMES.find(
    (row) =>
      (row.configClass === undefined || row.configClass === configClass) && row.every.every((key) => section.has(key)),
  );
  const type = row === undefined ? undefined : findModelType(row.type);
  return row === undefined || type === undefined ? undefined : { name: row.type, type };
}
