import { significant } from "../../state/format.ts";
import type { Cell } from "../../state/viewport.ts";
import { biasAt, type ExampleKind, type Pair, positionVector, rotate, THETA, vectorOf } from "./model.ts";

function number(value: number): string {
  return significant(Number(value.toFixed(4)), 5);
}

function pair([a, b]: Pair): string {
  return `[${number(a)}, ${number(b)}]`;
}

function dot([a, b]: Pair, [c, d]: Pair): number {
  return a * c + b * d;
}

function products(a: Pair, b: Pair): string {
  return `${number(a[0])}·${number(b[0])} + ${number(a[1])}·${number(b[1])}`;
}

/** How one score comes about, in digits. */
export function arithmetic(kind: ExampleKind, tokens: readonly string[], { row, column }: Cell): string {
  const q = vectorOf(tokens[row] ?? "");
  const k = vectorOf(tokens[column] ?? "");
  switch (kind) {
    case "none":
      return `${pair(q)} · ${pair(k)} = ${products(q, k)} = ${number(dot(q, k))}`;
    case "absolute": {
      const [p, r] = [positionVector(row + 1), positionVector(column + 1)];
      const [a, b]: [Pair, Pair] = [
        [q[0] + p[0], q[1] + p[1]],
        [k[0] + r[0], k[1] + r[1]],
      ];
      return `(${pair(q)} + ${pair(p)}) · (${pair(k)} + ${pair(r)}) = ${pair(a)} · ${pair(b)} = ${number(dot(a, b))}`;
    }
    case "bias": {
      const bias = biasAt(row - column);
      return `${products(q, k)} + b(${Math.abs(row - column)}) = ${number(dot(q, k))} + ${number(bias)} = ${number(dot(q, k) + bias)}`;
    }
    case "rope": {
      const a = rotate(q, (row + 1) * THETA);
      const b = rotate(k, (column + 1) * THETA);
      return `R(${row + 1}θ)${pair(q)} · R(${column + 1}θ)${pair(k)} = ${pair(a)} · ${pair(b)} = ${number(dot(a, b))}   (θ = ${THETA}, ${column + 1} − ${row + 1} = ${number(column - row)})`;
    }
  }
}
