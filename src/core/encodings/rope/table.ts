import type { PositionTable } from "../../terms/scene.ts";
import type { Rotation } from "./rotation.ts";

/** Rows [cos of all pairs | sin of all pairs]. */
export function buildRotationTable(rotation: Rotation): PositionTable {
  const count = rotation.pairs;
  return {
    rows: {
      dim: 2 * count,
      write: (index, out, offset) =>
        rotation.write(index, out.subarray(offset, offset + count), out.subarray(offset + count, offset + 2 * count)),
    },
    column: (index) => `${index < count ? "cos" : "sin"} ω${subscript(index % count)}`,
  };
}

function subscript(value: number): string {
  return [...String(value)].map((digit) => String.fromCharCode(0x2080 + Number(digit))).join("");
}
