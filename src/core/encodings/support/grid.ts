import * as l10n from "@vscode/l10n";
import type { Params, ParamValue } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Parameter, PositionDomain } from "../encoding.ts";
import { PATCHES_UNIT } from "./parameters.ts";
import { optionalNumbers } from "./schema.ts";

/** Patch grids of vision models: patches in row-major order, after the class token if there is one. */

export interface GridShape {
  readonly height: number;
  readonly width: number;
}

/** Patches. The largest published grids and windows have 64; tables have up to (2 · 256 − 1)² rows. */
const MAX_SIDE = 256;

/** 7 → [7, 7]: square windows are often written as a single number. */
function expandSquare(value: ParamValue): ParamValue {
  return typeof value === "number" ? [value, value] : value;
}

/** A parameter that holds [height, width]. */
export function gridShapeParameter(
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
    max: MAX_SIDE,
    unit: PATCHES_UNIT,
    normalise: expandSquare,
    help,
  };
}

/** Reads [height, width] of a checked parameter. */
export function readGridShape(params: Params, name: string): GridShape {
  const [height = 0, width = 0] = optionalNumbers(params, name) ?? [];
  return { height, width };
}

/** Checks a [height, width] parameter. */
export function checkGridShape(params: Params, name: string, minimum = 1): readonly ParamProblem[] {
  const values = optionalNumbers(params, name) ?? [];
  const isValid = values.length === 2 && values.every((value) => Number.isSafeInteger(value) && value >= minimum);
  if (isValid) return [];
  return [
    {
      param: name,
      value: params[name],
      rule: l10n.t("must be two integers [height, width], each at least {0}", minimum),
    },
  ];
}

/** Row and column of a patch in row-major order. */
export function rowAndColumn(grid: GridShape, patch: number): { readonly row: number; readonly column: number } {
  return { row: Math.floor(patch / grid.width), column: patch % grid.width };
}

/** Swin's row for a pair of patches in a table of (2h − 1)(2w − 1) offsets, query minus key. */
export function offsetTableRow(grid: GridShape, query: number, key: number): number {
  const q = rowAndColumn(grid, query);
  const k = rowAndColumn(grid, key);
  return (q.row - k.row + grid.height - 1) * (2 * grid.width - 1) + (q.column - k.column + grid.width - 1);
}

export function patchDomain(tokens: number): PositionDomain {
  return {
    kind: "table",
    size: tokens,
    reason: {
      en: "Positions are the patches of a grid; none exist outside it.",
      zh: "位置就是网格中的图像块；网格之外没有位置。",
    },
  };
}

/** Values of a table's rows, each computed when it is first asked for: large windows have many. 0 outside the table. */
export function cacheRows(rows: number, compute: (row: number) => number): (row: number) => number {
  const values = new Map<number, number>();
  return (row) => {
    if (!(row >= 0 && row < rows)) return 0;
    const value = values.get(row) ?? compute(row);
    values.set(row, value);
    return value;
  };
}
