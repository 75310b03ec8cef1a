/** Structural, so that core, host and page share one implementation. */
export interface Disposable {
  dispose(): void;
}

/** Disposes several things together. Disposing twice is harmless; anything added after that is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #owned: Disposable[] = [];
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#owned.push(item);
    return item;
  }

  /** Disposes in reverse order. If some throw, the others are still disposed and the first error is rethrown. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const errors: unknown[] = [];
    for (const item of this.#owned.splice(0).reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
