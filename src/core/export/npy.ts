/**
 * NumPy's .npy format, version 1.0: `<f8`, C order (numpy/lib/format.py).
 * @param values row-major [rows][columns]; NaN and infinities are written in IEEE format
 */
export function writeNpy(values: Float64Array, rows: number, columns: number): Uint8Array {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  // The data must start at a multiple of 64: magic 6, version 2, length 2, header, newline.
  const padded = `${header.padEnd(Math.ceil((10 + header.length + 1) / 64) * 64 - 11)}\n`;
  const bytes = new Uint8Array(10 + padded.length + values.length * 8);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const view = new DataView(bytes.buffer);
  view.setUint16(8, padded.length, true);
  for (let n = 0; n < padded.length; n++) bytes[10 + n] = padded.charCodeAt(n);
  values.forEach((value, n) => {
    view.setFloat64(10 + padded.length + n * 8, value, true);
  });
  return bytes;
}
