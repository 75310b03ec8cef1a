/** Longest time without yielding to the host's other work; reading one file takes a few milliseconds. */
const MAX_SLICE_MS = 16;

/** Runs a piece of work after the ones queued before it. */
export type RunQueued = <T>(work: () => T) => Promise<T>;

/** Runs pieces of work one after the other, and yields to other work after each time slice. */
export function createWorkQueue(): RunQueued {
  let sliceStart = Date.now();
  let previous: Promise<unknown> = Promise.resolve();
  const yieldAfterSlice = async () => {
    if (Date.now() - sliceStart < MAX_SLICE_MS) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    sliceStart = Date.now();
  };
  return (work) => {
    const done = previous.then(yieldAfterSlice).then(work);
    // The caller gets the error; the queue continues.
    previous = done.catch(() => undefined);
    return done;
  };
}
