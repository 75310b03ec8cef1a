/** A whole safetensors file: tensors with their bytes. */
export interface StoredTensor {
  readonly dtype: "F64" | "F32" | "F16" | "BF16" | "I8";
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export function storedFloat32(shape: readonly number[], values: readonly number[]): StoredTensor {
  return { dtype: "F32", shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

export function safetensorsFile(tensors: Readonly<Record<string, StoredTensor>>): Uint8Array {
  let offset = 0;
  const head: Record<string, unknown> = {};
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    head[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(head));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  const parts = [length, text, ...Object.values(tensors).map(({ bytes }) => bytes)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
