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

  constructor(reader: RangeReader, limit: number, littleEndian = true) {
    this.#reader = reader;
    this.#budget = limit;
    this.littleEndian = littleEndian;
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
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(t("the file ends too early"));
    this.#position += length;
  }

  async bytes(length: number): Promise<Uint8Array> {
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(t("the file ends too early"));
    if (this.#position < this.#start || this.#position + length > this.#start + this.#window.length) {
      await this.#load(Math.max(length, WINDOW));
    }
    const from = this.#position - this.#start;
    if (from + length > this.#window.length) this.fail(t("the file ends too early"));
    this.#position += length;
    return this.#window.subarray(from, from + length);
  }

  async #load(length: number): Promise<void> {
    this.#budget -= length;
    if (this.#budget < 0) this.fail(t("the head of the file is too long"));
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

  /** A count or a length: refused when it is no safe integer. */
  async uint64(): Promise<number> {
    const value = Number((await this.view(8)).getBigUint64(0, this.littleEndian));
    if (!Number.isSafeInteger(value)) this.fail(t("a length in the file is impossible"));
    return value;
  }
}
