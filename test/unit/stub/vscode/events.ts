export interface Disposable {
  dispose(): void;
}

/** Listeners and registrations that were not disposed yet. */
export const live = { listeners: 0, registrations: 0 };

/** Counts something as live until it is disposed. */
export function counted(kind: keyof typeof live, release: () => void): Disposable {
  live[kind]++;
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      live[kind]--;
      release();
    },
  };
}

/** Adds a registration to a list until it is disposed. */
export function registerIn<T>(list: T[], given: T): Disposable {
  list.push(given);
  return counted("registrations", () => list.splice(list.indexOf(given), 1));
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return counted("listeners", () => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
}

export class CancellationError extends Error {}
