/** Work runs this long before the page's events, or a worker's messages, are handled. */
const SLICE_MS = 8;

/** Waits until pending events, frames and messages are handled. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export interface SliceCallbacks {
  readonly progress: (fraction: number) => void;
  readonly stopped: () => boolean;
}

/** Runs a stream in slices; null if it was stopped. */
export async function runInSlices<T>(
  stream: Generator<number, T>,
  { progress, stopped }: SliceCallbacks,
): Promise<T | null> {
  let until = performance.now() + SLICE_MS;
  for (let step = stream.next(); ; step = stream.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    progress(step.value);
    await yieldToEventLoop();
    if (stopped()) return null;
    until = performance.now() + SLICE_MS;
  }
}
