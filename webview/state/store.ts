/**
 * A value that changes only through `update`. Listeners are called in a microtask, so several updates of one task are
 * one call.
 */
export interface Store<T> {
  get(): T;
  update(change: (value: T) => T): void;
  subscribe(listener: (value: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  let pending = false;
  const listeners = new Set<(value: T) => void>();

  function notify(): void {
    pending = false;
    for (const listener of listeners) listener(value);
  }

  return {
    get: () => value,
    update(change) {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      if (pending) return;
      pending = true;
      queueMicrotask(notify);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
