/** What a run looks at to see whether it is still wanted. An `AbortSignal` is one. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/** Thrown when the signal of a run is aborted. */
export class RunCancelled extends Error {
  override readonly name = "RunCancelled";
}

/** @throws RunCancelled */
export function throwIfCancelled(signal: CancelSignal | undefined): void {
  if (signal?.aborted) throw new RunCancelled();
}
