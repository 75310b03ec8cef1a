/** How long the host may be kept from other work, in milliseconds; one file takes a few. */
const SLICE = 16;

/**
 * To be awaited before a piece of work: gives way to everything else once a slice of time has been used up. Those who
 * wait at the same time go one after the other.
 */
export function pacer(): () => Promise<void> {
  let since = Date.now();
  let before = Promise.resolve();
  const step = async () => {
    if (Date.now() - since < SLICE) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    since = Date.now();
  };
  return () => {
    before = before.then(step);
    return before;
  };
}
