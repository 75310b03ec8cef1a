/** Formats rows as columns, each as wide as its widest cell, two spaces apart. */
export function formatTextTable(rows: readonly (readonly string[])[], indent = ""): readonly string[] {
  const widths = rows.reduce<number[]>((most, row) => {
    row.forEach((cell, i) => {
      most[i] = Math.max(most[i] ?? 0, cell.length);
    });
    return most;
  }, []);
  return rows.map((row) => `${indent}${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd());
}
