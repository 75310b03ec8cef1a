/** A value that changes only through `update`, with listeners that are told once a frame at most. */
export interface Store<T> {
  get(): T;
  update(change: (value: T) => T): void;
  /** Called after changes; several changes of one task are one call. */
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

/** A pure function of one changing thing after another: computes anew only when an argument is another one. */
export function memo<Args extends readonly unknown[], R>(compute: (...args: Args) => R): (...args: Args) => R {
  let last: { args: Args; result: R } | undefined;
  return (...args) => {
    const known = last?.args.every((arg, n) => Object.is(arg, args[n])) === true;
    if (last === undefined || !known) last = { args, result: compute(...args) };
    return last.result;
  };
}
