import * as l10n from "@vscode/l10n";
import type { Budget } from "../util/budget.ts";
import { CheckpointError, type RangeReader } from "./rangeReader.ts";

const WINDOW_BYTES = 1 << 20;

/**
 * Sequential reads over a RangeReader, one window at a time. `limit` bounds the bytes that are loaded in total; skipped
 * bytes do not count. A longer header is refused.
 */
export class Cursor {
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;
  #position = 0;
  #bytesLeft: number;
  readonly #budget: Budget;
  readonly #reader: RangeReader;
  readonly littleEndian: boolean;
  /** Size of a count or a length in bytes. */
  readonly #countSize: 4 | 8;

  constructor(reader: RangeReader, limit: number, littleEndian: boolean, countSize: 4 | 8, budget: Budget) {
    this.#reader = reader;
    this.#bytesLeft = limit;
    this.#budget = budget;
    this.littleEndian = littleEndian;
    this.#countSize = countSize;
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#reader.size - this.#position;
  }

  /**
   * Counts values of which objects are made.
   * @throws BudgetError for too many
   */
  spendNodes(count: number): void {
    this.#budget.spendNodes(count);
  }

  fail(message: string): never {
    throw new CheckpointError(message, this.#position);
  }

  skip(length: number): void {
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(l10n.t("unexpected end of file"));
    this.#position += length;
  }

  /** Skips length-prefixed strings. A tokenizer has too many of them to await each. */
  async skipStrings(count: number): Promise<void> {
    for (let left = count - this.#skipInWindow(count); left > 0; left -= 1 + this.#skipInWindow(left - 1)) {
      this.skip(await this.count());
    }
  }

  /**
   * Skips strings whose start is loaded, and stops at an impossible length.
   * @returns the number of strings skipped
   */
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
    if (!Number.isSafeInteger(length) || length > this.remaining) this.fail(l10n.t("unexpected end of file"));
    if (this.#position < this.#start || this.#position + length > this.#start + this.#window.length) {
      await this.#load(Math.max(length, WINDOW_BYTES));
    }
    const from = this.#position - this.#start;
    if (from + length > this.#window.length) this.fail(l10n.t("unexpected end of file"));
    this.#position += length;
    return this.#window.subarray(from, from + length);
  }

  async #load(length: number): Promise<void> {
    this.#bytesLeft -= length;
    if (this.#bytesLeft < 0) this.fail(l10n.t("the header is too large"));
    await this.#budget.yieldIfDue();
    this.#window = await this.#budget.waitFor(this.#reader.read(this.#position, length));
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
    return this.#requireSafeInteger(Number((await this.view(8)).getBigUint64(0, this.littleEndian)));
  }

  /**
   * Reads a count or a length.
   * @throws CheckpointError if it is not a safe integer
   */
  async count(): Promise<number> {
    return this.#requireSafeInteger(this.#countAt(await this.view(this.#countSize), 0));
  }

  #requireSafeInteger(value: number): number {
    return Number.isSafeInteger(value) ? value : this.fail(l10n.t("invalid length in the file"));
  }
}
