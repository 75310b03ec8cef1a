/** Work goes on this long before the page, or a worker's next message, gets its turn. */
const SLICE = 8;

/** Lets events, frames and messages through, and goes on. */
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

export interface Slices {
  readonly progress: (fraction: number) => void;
  readonly stopped: () => boolean;
}

/** Runs a stream in slices; null when it was stopped. */
export async function inSlices<T>(stream: Generator<number, T>, { progress, stopped }: Slices): Promise<T | null> {
  let until = performance.now() + SLICE;
  for (let step = stream.next(); ; step = stream.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    progress(step.value);
    await yieldToEventLoop();
    if (stopped()) return null;
    until = performance.now() + SLICE;
  }
}
