import * as v from "valibot";
import type { ParamValue, TextRange } from "../spec.ts";

/** Schemas that several messages share. */

export const paramValueSchema: v.GenericSchema<unknown, ParamValue> = v.union([
  v.number(),
  v.string(),
  v.boolean(),
  v.null(),
  v.array(v.number()),
  v.array(v.string()),
]);

const positionSchema = v.object({ line: v.number(), column: v.number() });
export const rangeSchema: v.GenericSchema<unknown, TextRange> = v.object({
  start: positionSchema,
  end: positionSchema,
});

export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const languageSchema = v.picklist(["en", "zh-cn"]);
