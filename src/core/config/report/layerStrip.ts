import type { EncodingSpec } from "../../spec.ts";

/** What a layer's attention sees of positions: told apart by height and outline as well as by colour. */
export type Kind = "full" | "sliding" | "none";

export interface Cell {
  readonly kind: Kind;
  /** Index of the layer's encoding among those of the model; null for a layer without one. */
  readonly spec: number | null;
  /** 0, 1, …: which encoding of its stack. */
  readonly tone: number;
}

/** The layers of one stack of the model. */
export interface Stack {
  readonly where: string;
  readonly count: number;
  /** Indices of its encodings among those of the model. */
  readonly specs: readonly number[];
}

/** More layers than any model has; a wrong number must not make a page of a million cells. */
const MOST_LAYERS = 2048;

function layerCount(specs: readonly EncodingSpec[]): number | null {
  const written = specs.map(({ params }) => params.num_layers).find((value) => typeof value === "number");
  const listed = specs.flatMap(({ layers }) => (layers === "all" ? [] : [...layers]));
  const count = typeof written === "number" ? written : listed.length === 0 ? 0 : Math.max(...listed) + 1;
  return Number.isInteger(count) && count > 0 && count <= MOST_LAYERS ? count : null;
}

/** Stacks whose number of layers is known. */
export function stacksOf(specs: readonly EncodingSpec[]): readonly Stack[] {
  const wheres = [...new Set(specs.map(({ where }) => where))];
  return wheres.flatMap((where) => {
    const own = specs.flatMap((spec, index) => (spec.where === where ? [index] : []));
    const count = layerCount(own.flatMap((index) => specs[index] ?? []));
    return count === null ? [] : [{ where, count, specs: own }];
  });
}

function kindOf({ encoding, params }: EncodingSpec): Kind {
  if (encoding === "none") return "none";
  return typeof params.sliding_window === "number" ? "sliding" : "full";
}

export function cellsOf({ count, specs: own }: Stack, specs: readonly EncodingSpec[]): readonly Cell[] {
  const cells: Cell[] = Array.from({ length: count }, () => ({ kind: "none", spec: null, tone: own.length }));
  own.forEach((index, tone) => {
    const spec = specs[index];
    if (spec === undefined) return;
    const layers = spec.layers === "all" ? cells.keys() : spec.layers;
    for (const layer of layers) if (layer in cells) cells[layer] = { kind: kindOf(spec), spec: index, tone };
  });
  return cells;
}

/** Layers from … to that are one cell of the strip. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly cell: Cell;
}

/** A cell narrower than about three pixels is none: beyond this many, equal neighbours are one. */
const MOST_CELLS = 80;

export function runsOf(cells: readonly Cell[]): readonly Run[] {
  const runs: Run[] = [];
  cells.forEach((cell, layer) => {
    const last = runs.at(-1);
    if (cells.length > MOST_CELLS && last !== undefined && last.cell.spec === cell.spec)
      runs[runs.length - 1] = { ...last, to: layer };
    else runs.push({ from: layer, to: layer, cell });
  });
  return runs;
}
