import type * as vscode from "vscode";

/** Milliseconds. A checkout or a training run may change thousands of files in a second. */
const BURST_MS = 50;

/** Turns a burst of events into one call, soon after the first of them. */
export class EventBurst implements vscode.Disposable {
  readonly #run: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  fire(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, BURST_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
