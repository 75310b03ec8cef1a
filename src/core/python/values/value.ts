import { t } from "@vscode/l10n";
import type { Source } from "../../spec.ts";
import type { Span } from "../parse/ast.ts";
import type { Module } from "../symbols/module.ts";

export type Constant = number | string | boolean | null | readonly number[];

/** What an expression is worth, and where that was read. Unknown values keep the name they are written with. */
export interface Value {
  /** Undefined: not known from this file. */
  readonly value: Constant | undefined;
  readonly source: Source;
  /** "default argument", "module constant", "line 24"; empty for a literal on the spot. */
  readonly note: string;
  readonly span: Span;
  /** The expression as written, shortened. */
  readonly symbol: string;
}

/** "line 24" of the file, or of the notebook's cell that is asked about. */
export function placeNote({ text, links }: Module, offset: number): string {
  if (offset < links.from) return t("earlier cell");
  let line = 1;
  for (let at = text.indexOf("\n", links.from); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return t("line {0}", line);
}
