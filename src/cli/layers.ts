import { cellsOf, type Stack, stacksOf } from "../core/config/report/layerStrip.ts";
import { summarise } from "../core/config/report/summarise.ts";
import type { EncodingSpec } from "../core/spec.ts";

/** A letter a kind of layer: capital where it sees everything, small behind a window, a dash without positions. */
function letter(spec: EncodingSpec | undefined, tone: number): string {
  if (spec === undefined || spec.encoding === "none") return "-";
  const own = String.fromCharCode("A".charCodeAt(0) + (tone % 26));
  return typeof spec.params.sliding_window === "number" ? own.toLowerCase() : own;
}

function stripOf(stack: Stack, specs: readonly EncodingSpec[]): string[] {
  const cells = cellsOf(stack, specs).map(({ spec, tone }) => letter(spec === null ? undefined : specs[spec], tone));
  const legend = stack.specs.flatMap((index, tone) => {
    const spec = specs[index];
    return spec === undefined ? [] : [`    ${letter(spec, tone)}  ${summarise([{ ...spec, layers: "all" }])}`];
  });
  return [`  ${stack.where}, ${stack.count} layers  ${cells.join("")}`, ...legend];
}

/** The layers of each stack, one character each, with what the characters stand for. */
export function layerLines(specs: readonly EncodingSpec[]): readonly string[] {
  return stacksOf(specs).flatMap((stack) => stripOf(stack, specs));
}
