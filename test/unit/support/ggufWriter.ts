/** Writes small GGUF files for tests: key-values and tensor infos, no data. */
export class GgufWriter {
  readonly #pairs: ((out: Sink) => void)[] = [];
  readonly #tensors: ((out: Sink) => void)[] = [];

  #pair(key: string, type: number, write: (out: Sink) => void): this {
    this.#pairs.push((out) => {
      out.text(key);
      out.u32(type);
      write(out);
    });
    return this;
  }

  uint32(key: string, value: number): this {
    return this.#pair(key, 4, (out) => out.u32(value));
  }

  float32(key: string, value: number): this {
    return this.#pair(key, 6, (out) => out.f32(value));
  }

  bool(key: string, value: boolean): this {
    return this.#pair(key, 7, (out) => out.u8(value ? 1 : 0));
  }

  string(key: string, value: string): this {
    return this.#pair(key, 8, (out) => out.text(value));
  }

  uint64(key: string, value: number): this {
    return this.#pair(key, 10, (out) => out.u64(value));
  }

  int32s(key: string, values: readonly number[]): this {
    return this.#array(key, 5, values, (out, value) => out.u32(value));
  }

  float32s(key: string, values: readonly number[]): this {
    return this.#array(key, 6, values, (out, value) => out.f32(value));
  }

  strings(key: string, values: readonly string[]): this {
    return this.#array(key, 8, values, (out, value) => out.text(value));
  }

  #array<T>(key: string, type: number, values: readonly T[], write: (out: Sink, value: T) => void): this {
    return this.#pair(key, 9, (out) => {
      out.u32(type);
      out.u64(values.length);
      for (const value of values) write(out, value);
    });
  }

  tensor(name: string, shape: readonly number[]): this {
    this.#tensors.push((out) => {
      out.text(name);
      out.u32(shape.length);
      for (const size of shape) out.u64(size);
      out.u32(0);
      out.u64(0);
    });
    return this;
  }

  bytes({ littleEndian = true } = {}): Uint8Array {
    const out = new Sink(littleEndian);
    for (const letter of "GGUF") out.u8(letter.charCodeAt(0));
    out.u32(3);
    out.u64(this.#tensors.length);
    out.u64(this.#pairs.length);
    for (const write of [...this.#pairs, ...this.#tensors]) write(out);
    return out.done();
  }
}

class Sink {
  #view = new DataView(new ArrayBuffer(1 << 20));
  #length = 0;
  readonly #littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  #at(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#view.byteLength) {
      const larger = new Uint8Array(this.#view.byteLength * 2);
      larger.set(new Uint8Array(this.#view.buffer));
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#at(1);
    this.#view.setUint8(at, value);
  }

  u32(value: number): void {
    const at = this.#at(4);
    this.#view.setUint32(at, value, this.#littleEndian);
  }

  u64(value: number): void {
    const at = this.#at(8);
    this.#view.setBigUint64(at, BigInt(value), this.#littleEndian);
  }

  f32(value: number): void {
    const at = this.#at(4);
    this.#view.setFloat32(at, value, this.#littleEndian);
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.u64(bytes.length);
    for (const byte of bytes) this.u8(byte);
  }

  done(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#length).slice();
  }
}
