/**
 * NumPy's .npy format, version 1.0, C order (numpy/lib/format.py): `<f8` of float64 numbers, `<f4` of float32.
 * @param values row-major; NaN and infinities are written in IEEE format
 * @param shape lengths of the axes, slowest first
 */
export function writeNpy(values: Float64Array | Float32Array, ...shape: readonly number[]): Uint8Array {
  const size = values.BYTES_PER_ELEMENT;
  // Python writes a tuple of one element with a comma.
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const header = `{'descr': '<f${size}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // The data must start at a multiple of 64: magic 6, version 2, length 2, header, newline.
  const padded = `${header.padEnd(Math.ceil((10 + header.length + 1) / 64) * 64 - 11)}\n`;
  const bytes = new Uint8Array(10 + padded.length + values.length * size);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const view = new DataView(bytes.buffer);
  view.setUint16(8, padded.length, true);
  for (let n = 0; n < padded.length; n++) bytes[10 + n] = padded.charCodeAt(n);
  const start = 10 + padded.length;
  values.forEach((value, n) => {
    if (size === 4) view.setFloat32(start + n * 4, value, true);
    else view.setFloat64(start + n * 8, value, true);
  });
  return bytes;
}
