/** The own entry of a table. Names come from files and may be those of inherited properties ("constructor"). */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
