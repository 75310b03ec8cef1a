export type GgufValue = number | string | boolean | readonly boolean[] | readonly number[];

class Writer {
  readonly #parts: Uint8Array[] = [];

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  number(size: number, set: (view: DataView) => void): this {
    const bytes = new Uint8Array(size);
    set(new DataView(bytes.buffer));
    return this.bytes(bytes);
  }

  u32(value: number): this {
    return this.number(4, (view) => view.setUint32(0, value, true));
  }

  u64(value: number): this {
    return this.number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }

  f32(value: number): this {
    return this.number(4, (view) => view.setFloat32(0, value, true));
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.u64(bytes.length).bytes(bytes);
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#parts.flatMap((part) => [...part]));
  }
}

/** Whole numbers become uint32, others float32, as converters write them. */
function writeValue(writer: Writer, value: GgufValue): void {
  if (typeof value === "string") writer.u32(8).text(value);
  else if (typeof value === "boolean") writer.u32(7).bytes(Uint8Array.of(Number(value)));
  else if (typeof value === "number")
    Number.isInteger(value) && value < 1e9 ? writer.u32(4).u32(value) : writer.u32(6).f32(value);
  else {
    writer
      .u32(9)
      .u32(typeof value[0] === "boolean" ? 7 : 4)
      .u64(value.length);
    for (const item of value) typeof item === "boolean" ? writer.bytes(Uint8Array.of(Number(item))) : writer.u32(item);
  }
}

export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data?: readonly number[];
}

/** A GGUF file, version 3, of float32 tensors. */
export function gguf(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly Tensor[] = []): Uint8Array {
  const writer = new Writer()
    .bytes(new TextEncoder().encode("GGUF"))
    .u32(3)
    .u64(tensors.length)
    .u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) writeValue(writer.text(key), value);
  let offset = 0;
  for (const { name, shape } of tensors) {
    writer.text(name).u32(shape.length);
    for (const side of shape) writer.u64(side);
    writer.u32(0).u64(offset);
    offset += 4 * shape.reduce((product, side) => product * side, 1);
  }
  const head = writer.done();
  const padded = new Uint8Array(Math.ceil(head.length / 32) * 32);
  padded.set(head);
  const data = new Writer();
  for (const tensor of tensors) for (const value of tensor.data ?? []) data.f32(value);
  return Uint8Array.from([...padded, ...data.done()]);
}

/** Header of a safetensors file: names and shapes, no data. */
export function safetensors(tensors: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const head = Object.fromEntries(
    Object.entries(tensors).map(([name, shape]) => [name, { dtype: "F32", shape, data_offsets: [0, 0] }]),
  );
  const bytes = new TextEncoder().encode(JSON.stringify(head));
  return new Writer().u64(bytes.length).bytes(bytes).done();
}
