/** Creates a value at the first call. Keeps the module that it comes from out of activation. */
export function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
