import * as tf from "../tf.ts";

/** Tensors to dispose together, across awaits that `tf.tidy` cannot span. */
export class Scope {
  readonly #tensors = new Set<tf.Tensor>();

  add<T extends tf.Tensor>(own: T): T {
    this.#tensors.add(own);
    return own;
  }

  dispose(): void {
    tf.dispose([...this.#tensors]);
    this.#tensors.clear();
  }
}

/** Disposes what `compute` adds to the scope, whether it succeeds or not. The result must not be in the scope. */
export async function withScope<T>(compute: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  try {
    return await compute(scope);
  } finally {
    scope.dispose();
  }
}
