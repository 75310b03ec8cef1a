import { t } from "@vscode/l10n";
import { CheckpointError, type RangeReader } from "./rangeReader.ts";

const WINDOW = 1 << 20;

/**
 * Sequential reads over a RangeReader, a window at a time. `limit` bounds what is ever read: a head longer than
 * that is refused, skipped bytes do not count.
 */
export class Cursor {
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;
  #position = 0;
  #budget: number;
  readonly #reader: RangeReader;
  readonly littleEndian: boolean;
  /** Bytes of a count or a length. */
  readonly #countSize: 4 | 8;

  constructor(reader: RangeReader, limit: number, littleEndian: boolean, countSize: 4 | 8) {
    this.#reader = reader;
    this.#budget = limit;
    this.littleEndian = littleEndian;
    this.#countSize = countSize;
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#reader.size - this.#position;
  }

  fail(message: string): never {
    throw new CheckpointError(message, this.#position);
  }

  skip(length: number): void {
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(t("unexpected end of file"));
    this.#position += length;
  }

  /** Passes over strings, each after its length: a tokenizer's words are too many to be awaited one by one. */
  async skipStrings(count: number): Promise<void> {
    for (let left = count - this.#skipInWindow(count); left > 0; left -= 1 + this.#skipInWindow(left - 1)) {
      this.skip(await this.count());
    }
  }

  /** @returns how many of the strings begin in what is loaded, up to the first that is impossible */
  #skipInWindow(most: number): number {
    const { buffer, byteOffset, byteLength } = this.#window;
    const view = new DataView(buffer, byteOffset, byteLength);
    let at = this.#position - this.#start;
    let skipped = 0;
    while (skipped < most && at >= 0 && at + this.#countSize <= byteLength) {
      const next = at + this.#countSize + this.#countAt(view, at);
      if (!(this.#start + next <= this.#reader.size)) break;
      at = next;
      skipped++;
    }
    this.#position = this.#start + at;
    return skipped;
  }

  #countAt(view: DataView, at: number): number {
    return this.#countSize === 4
      ? view.getUint32(at, this.littleEndian)
      : Number(view.getBigUint64(at, this.littleEndian));
  }

  async bytes(length: number): Promise<Uint8Array> {
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(t("unexpected end of file"));
    if (this.#position < this.#start || this.#position + length > this.#start + this.#window.length) {
      await this.#load(Math.max(length, WINDOW));
    }
    const from = this.#position - this.#start;
    if (from + length > this.#window.length) this.fail(t("unexpected end of file"));
    this.#position += length;
    return this.#window.subarray(from, from + length);
  }

  async #load(length: number): Promise<void> {
    this.#budget -= length;
    if (this.#budget < 0) this.fail(t("the header is too large"));
    this.#window = await this.#reader.read(this.#position, length);
    this.#start = this.#position;
  }

  async view(length: number): Promise<DataView> {
    const bytes = await this.bytes(length);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async uint32(): Promise<number> {
    return (await this.view(4)).getUint32(0, this.littleEndian);
  }

  async uint64(): Promise<number> {
    return this.#safe(Number((await this.view(8)).getBigUint64(0, this.littleEndian)));
  }

  /** A count or a length: refused when it is no safe integer. */
  async count(): Promise<number> {
    return this.#safe(this.#countAt(await this.view(this.#countSize), 0));
  }

  #safe(value: number): number {
    return Number.isSafeInteger(value) ? value : this.fail(t("invalid length in the file"));
  }
}
