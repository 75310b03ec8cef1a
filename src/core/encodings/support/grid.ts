import { t } from "@vscode/l10n";
import type { Params, ParamValue } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Domain, Parameter } from "../encoding.ts";
import { PATCHES } from "./parameters.ts";
import { numbersOf } from "./schema.ts";

/** Patch grids of vision models: tokens in rows, the class token (if any) first. */

export interface Grid {
  readonly height: number;
  readonly width: number;
}

/** 7 → [7, 7]: square windows are often written as one number. */
function squarePair(value: ParamValue): ParamValue {
  return typeof value === "number" ? [value, value] : value;
}

/** A parameter that holds [height, width]. */
export function pairParameter(
  name: string,
  pair: readonly [number, number],
  help: Parameter["help"],
  aliases: readonly string[] = [],
): Parameter {
  return {
    name,
    aliases,
    kind: "numbers",
    default: pair,
    min: 0,
    max: 4096,
    unit: PATCHES,
    normalise: squarePair,
    help,
  };
}

/** [height, width] of a checked parameter. */
export function gridOf(params: Params, name: string): Grid {
  const [height = 0, width = 0] = numbersOf(params, name) ?? [];
  return { height, width };
}

/** The rule of a [height, width] parameter. */
export function gridRule(params: Params, name: string, least = 1): readonly ParamProblem[] {
  const values = numbersOf(params, name) ?? [];
  const good = values.length === 2 && values.every((value) => Number.isSafeInteger(value) && value >= least);
  if (good) return [];
  return [
    { param: name, value: params[name], rule: t("must be two integers [height, width], each at least {0}", least) },
  ];
}

/** Row and column of a patch; tokens run along rows. */
export function cellOf(grid: Grid, patch: number): { readonly row: number; readonly column: number } {
  return { row: Math.floor(patch / grid.width), column: patch % grid.width };
}

/** Swin's index of a pair of patches into a table of (2h − 1)(2w − 1) offsets, query minus key. */
export function offsetIndex(grid: Grid, query: number, key: number): number {
  const q = cellOf(grid, query);
  const k = cellOf(grid, key);
  return (q.row - k.row + grid.height - 1) * (2 * grid.width - 1) + (q.column - k.column + grid.width - 1);
}

export function gridDomain(tokens: number): Domain {
  return {
    kind: "table",
    size: tokens,
    reason: {
      en: "Positions are the patches of a grid; none exist outside it.",
      zh: "位置就是网格中的图像块；网格之外没有位置。",
    },
  };
}
