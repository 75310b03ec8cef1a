import * as l10n from "@vscode/l10n";
import type { ValueSource } from "../../spec.ts";
import type { TextSpan } from "../parse/ast.ts";
import type { Module } from "../symbols/module.ts";

export type ConstantValue = number | string | boolean | null | readonly number[];

/** The value of an expression, and where it was read. Unknown values keep their source text. */
export interface EvaluatedValue {
  /** Undefined if the file does not determine it. */
  readonly value: ConstantValue | undefined;
  readonly source: ValueSource;
  /** "default argument", "module constant", "line 24"; empty for a literal at this place. */
  readonly note: string;
  readonly span: TextSpan;
  /** The source text of the expression, shortened. */
  readonly symbol: string;
}

/** "line 24" in the file, or in the queried cell of a notebook. */
export function locationNote({ text, context }: Module, offset: number): string {
  if (offset < context.cellStart) return l10n.t("earlier cell");
  let line = 1;
  for (let at = text.indexOf("\n", context.cellStart); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return l10n.t("line {0}", line);
}
