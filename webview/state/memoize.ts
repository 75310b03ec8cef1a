/**
 * Caches of pure functions. They may be module-level, because forgetting them costs time only; nothing has to be told
 * when their input changes.
 */

/** Caches the last result of a pure function; recomputes when an argument is a different object. */
export function memoizeLast<Args extends readonly unknown[], R>(compute: (...args: Args) => R): (...args: Args) => R {
  let last: { args: Args; result: R } | undefined;
  return (...args) => {
    const unchanged = last?.args.every((arg, n) => Object.is(arg, args[n])) === true;
    if (last === undefined || !unchanged) last = { args, result: compute(...args) };
    return last.result;
  };
}

/** Caches the last result of a pure function of a part of its argument, which `keyOf` names. */
export function memoizeByKey<T, R>(keyOf: (argument: T) => string, compute: (argument: T) => R): (argument: T) => R {
  let last: { key: string; result: R } | undefined;
  return (argument) => {
    const key = keyOf(argument);
    if (last?.key !== key) last = { key, result: compute(argument) };
    return last.result;
  };
}
