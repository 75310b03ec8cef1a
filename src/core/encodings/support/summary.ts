import type { Params } from "../../spec.ts";

/** A part of a summary ("16 heads") if the parameter is a number, else nothing. */
export function countPart(params: Params, name: string, text: (count: number) => string): string[] {
  const value = params[name];
  return typeof value === "number" ? [text(value)] : [];
}
