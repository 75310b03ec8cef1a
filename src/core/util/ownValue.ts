/** The entry of a table under a name from a file, which may be that of something every object has ("constructor"). */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
