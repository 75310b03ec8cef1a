import type { EncodingSpec } from "../../spec.ts";

/** How a layer's attention uses positions. The strip shows it by height and outline as well as by colour. */
export type AttentionKind = "full" | "sliding" | "none";

export interface LayerCell {
  readonly kind: AttentionKind;
  /** Index of the layer's encoding among the model's; null if it has none. */
  readonly spec: number | null;
  /** Index of the layer's encoding in its stack, which selects the colour. */
  readonly indexInStack: number;
}

/** One stack of the model and its layers. */
export interface StackLayers {
  readonly where: string;
  readonly count: number;
  /** Indices of its encodings among the model's. */
  readonly specs: readonly number[];
}

/** More layers than any model has: a wrong number must not produce a million cells. */
const MAX_STRIP_LAYERS = 2048;

function findLayerCount(specs: readonly EncodingSpec[]): number | undefined {
  const written = specs.map(({ params }) => params.num_layers).find((value) => typeof value === "number");
  const listed = specs.flatMap(({ layers }) => (layers === "all" ? [] : [...layers]));
  const count = typeof written === "number" ? written : listed.length === 0 ? 0 : Math.max(...listed) + 1;
  return Number.isInteger(count) && count > 0 && count <= MAX_STRIP_LAYERS ? count : undefined;
}

/** Groups encodings by stack; stacks with an unknown number of layers are left out. */
export function groupByStack(specs: readonly EncodingSpec[]): readonly StackLayers[] {
  const wheres = [...new Set(specs.map(({ where }) => where))];
  return wheres.flatMap((where) => {
    const own = specs.flatMap((spec, index) => (spec.where === where ? [index] : []));
    const count = findLayerCount(own.flatMap((index) => specs[index] ?? []));
    return count === undefined ? [] : [{ where, count, specs: own }];
  });
}

function attentionKindOf({ encoding, params }: EncodingSpec): AttentionKind {
  if (encoding === "none") return "none";
  return typeof params.sliding_window === "number" ? "sliding" : "full";
}

export function buildLayerCells(
  { count, specs: own }: StackLayers,
  specs: readonly EncodingSpec[],
): readonly LayerCell[] {
  const cells: LayerCell[] = Array.from({ length: count }, () => ({
    kind: "none",
    spec: null,
    indexInStack: own.length,
  }));
  own.forEach((index, indexInStack) => {
    const spec = specs[index];
    if (spec === undefined) return;
    const layers = spec.layers === "all" ? cells.keys() : spec.layers;
    for (const layer of layers)
      if (layer in cells) cells[layer] = { kind: attentionKindOf(spec), spec: index, indexInStack };
  });
  return cells;
}

/** Layers from … to (inclusive) that share one cell of the strip. */
export interface LayerRun {
  readonly from: number;
  readonly to: number;
  readonly cell: LayerCell;
}

/** More cells would be narrower than about three pixels, so that equal neighbours are merged. */
const MAX_STRIP_CELLS = 80;

export function mergeCells(cells: readonly LayerCell[]): readonly LayerRun[] {
  const runs: LayerRun[] = [];
  cells.forEach((cell, layer) => {
    const last = runs.at(-1);
    if (cells.length > MAX_STRIP_CELLS && last !== undefined && last.cell.spec === cell.spec)
      runs[runs.length - 1] = { ...last, to: layer };
    else runs.push({ from: layer, to: layer, cell });
  });
  return runs;
}
