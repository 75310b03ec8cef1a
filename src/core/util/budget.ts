import * as l10n from "@vscode/l10n";
import { UserError } from "./errors.ts";

/** What reading one file may cost. */
export interface BudgetLimits {
  /** Own work; waiting for a disk or the network does not count. */
  readonly milliseconds: number;
  /** Bytes (of text: characters) that are loaded. */
  readonly bytes: number;
  /** Values, tensors, lines: whatever a reader makes an object of. */
  readonly nodes: number;
}

const MEGABYTE = 1024 * 1024;

/** Far more than any real file of a model needs. */
export const FILE_LIMITS: BudgetLimits = { milliseconds: 2000, bytes: 32 * MEGABYTE, nodes: 200_000 };

/** A file that needs more than its budget counts as unreadable; the message names the limit. */
export class BudgetError extends UserError {}

declare function setTimeout(run: () => void, milliseconds: number): number;

/** Reading the clock costs more than most nodes do. */
const NODES_PER_CLOCK = 1024;

/** Longest own work between two turns of the event loop. */
const MAX_SLICE_MS = 16;

/**
 * Bounds what reading one hostile file costs. Every reader gets one, and spends from it before it allocates; the first
 * limit that is passed throws a BudgetError.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  #bytes = 0;
  #nodes = 0;
  #untilClock = NODES_PER_CLOCK;
  #deadline: number;
  #sliceEnd: number;

  constructor(limits: Partial<BudgetLimits> = {}) {
    this.#limits = { ...FILE_LIMITS, ...limits };
    this.#deadline = Date.now() + this.#limits.milliseconds;
    this.#sliceEnd = Date.now() + MAX_SLICE_MS;
  }

  /** @throws BudgetError if this is more than the bytes that are left */
  spendBytes(count: number): void {
    this.#bytes += count;
    const { bytes } = this.#limits;
    if (this.#bytes > bytes)
      throw new BudgetError(l10n.t("not read: larger than {0} MB", Math.floor(bytes / MEGABYTE)));
  }

  /** @throws BudgetError if this is more than the nodes or the time that are left */
  spendNodes(count = 1): void {
    this.#nodes += count;
    if (this.#nodes > this.#limits.nodes)
      throw new BudgetError(l10n.t("not read: more than {0} values", this.#limits.nodes.toLocaleString("en")));
    this.#untilClock -= count;
    if (this.#untilClock > 0) return;
    this.#untilClock = NODES_PER_CLOCK;
    this.checkTime();
  }

  /** Whether so many more nodes can be spent. */
  hasNodes(count: number): boolean {
    return this.#nodes + count <= this.#limits.nodes;
  }

  /** @throws BudgetError after the deadline */
  checkTime(): void {
    if (Date.now() <= this.#deadline) return;
    throw new BudgetError(l10n.t("not read: it takes more than {0} s", this.#limits.milliseconds / 1000));
  }

  /** Waits for a disk, the network or other work; the time does not count. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const start = Date.now();
    try {
      return await work;
    } finally {
      this.#deadline += Date.now() - start;
      this.#sliceEnd = Date.now() + MAX_SLICE_MS;
    }
  }

  /** Lets other work of the process run if this reader has worked for a while. */
  async yieldIfDue(): Promise<void> {
    if (Date.now() < this.#sliceEnd) return;
    this.checkTime();
    await this.waitFor(new Promise<void>((resolve) => setTimeout(resolve, 0)));
  }
}
