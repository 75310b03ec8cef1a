/** Side of the squares that are transposed at a time, so that reads and writes stay in the cache. */
const TILE = 32;

/** [rows][columns] → [columns][rows], both row-major. TensorFlow.js multiplies by transposed matrices slowly. */
export function transposeMatrix(values: Float32Array, rows: number, columns: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(values.length);
  for (let top = 0; top < rows; top += TILE) {
    const bottom = Math.min(rows, top + TILE);
    for (let left = 0; left < columns; left += TILE) {
      const right = Math.min(columns, left + TILE);
      for (let r = top; r < bottom; r++)
        for (let c = left; c < right; c++) out[c * rows + r] = values[r * columns + c] ?? 0;
    }
  }
  return out;
}
