import type { Section } from "../text/section.ts";
import { findModelType, type ModelType } from "./modelTypes.ts";
import table from "./unnamedTypes.json" with { type: "json" };

/** Keys by which a config without `model_type` is certainly of one type: early releases did not write it. */
interface UnnamedType {
  /** `model_type` of its row in the table of model types. */
  readonly type: string;
  /** Repository and file that the keys come from. */
  readonly source: string;
  /** The file has all of these keys, … */
  readonly every: readonly string[];
  /** … one of these, if there are any, … */
  readonly some: readonly string[];
  /** … and none of these, which other types with the same keys have. */
  readonly none?: readonly string[];
  /** The type's key → the key of this release. */
  readonly renames?: Readonly<Record<string, string | undefined>>;
}

const UNNAMED_TYPES: readonly UnnamedType[] = table;

/** The type of a config without `model_type`, with the name of its row; undefined if its keys are not only one type's. */
export function findUnnamedType(section: Section | undefined): { name: string; type: ModelType } | undefined {
  if (section === undefined || section.has("model_type")) return undefined;
  const has = (key: string) => section.has(key);
  const row = UNNAMED_TYPES.find(
    ({ every, some, none = [] }) => every.every(has) && (some.length === 0 || some.some(has)) && !none.some(has),
  );
  const type = row === undefined ? undefined : findModelType(row.type);
  if (row === undefined || type === undefined) return undefined;
  const renames = Object.entries(row.renames ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { name: row.type, type: { ...type, attributeMap: { ...type.attributeMap, ...Object.fromEntries(renames) } } };
}
