/** How long the host may be kept from other work, in milliseconds; one file takes a few. */
const SLICE = 16;

/** Does a piece of work in its turn. */
export type Pace = <T>(work: () => T) => Promise<T>;

/**
 * Pieces of work that go one after the other, however many ask at the same time, and give way to everything else once
 * a slice of time has been used up.
 */
export function pacer(): Pace {
  let since = Date.now();
  let before: Promise<unknown> = Promise.resolve();
  const giveWay = async () => {
    if (Date.now() - since < SLICE) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    since = Date.now();
  };
  return (work) => {
    const done = before.then(giveWay).then(work);
    // Whoever asked is told that it failed; the next piece goes on.
    before = done.catch(() => undefined);
    return done;
  };
}
