import { buildLayerCells, groupByStack, type StackLayers } from "../core/config/report/layerStrip.ts";
import { summarise } from "../core/config/report/summarise.ts";
import type { EncodingSpec } from "../core/spec.ts";

/**
 * One letter per encoding of a stack: upper case with full attention, lower case with a window, `-` without positions.
 */
function layerLetter(spec: EncodingSpec | undefined, indexInStack: number): string {
  if (spec === undefined || spec.encoding === "none") return "-";
  const own = String.fromCharCode("A".charCodeAt(0) + (indexInStack % 26));
  return typeof spec.params.sliding_window === "number" ? own.toLowerCase() : own;
}

function formatStack(stack: StackLayers, specs: readonly EncodingSpec[]): string[] {
  const cells = buildLayerCells(stack, specs).map(({ spec, indexInStack }) =>
    layerLetter(spec === null ? undefined : specs[spec], indexInStack),
  );
  const legend = stack.specs.flatMap((index, indexInStack) => {
    const spec = specs[index];
    return spec === undefined
      ? []
      : [`    ${layerLetter(spec, indexInStack)}  ${summarise([{ ...spec, layers: "all" }])}`];
  });
  return [`  ${stack.where}, ${stack.count} layers  ${cells.join("")}`, ...legend];
}

/** The layers of each stack, one character per layer, followed by a legend. */
export function formatLayers(specs: readonly EncodingSpec[]): readonly string[] {
  return groupByStack(specs).flatMap((stack) => formatStack(stack, specs));
}
