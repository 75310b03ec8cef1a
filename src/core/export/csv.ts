/** The shortest text that parses to the same float64 (at most 17 digits); `nan`, `inf` and `-inf` otherwise. */
export function csvNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return String(value);
}

/** CSV without a header, one line per row. */
export function numbersToCsv(values: Float64Array, columns: number): string {
  let text = "";
  for (let start = 0; start < values.length; start += columns) {
    text += `${Array.from(values.subarray(start, start + columns), csvNumber).join(",")}\n`;
  }
  return text;
}

/** A field, quoted if it contains a separator (RFC 4180). */
function csvField(value: number | string): string {
  if (typeof value === "number") return csvNumber(value);
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** CSV with a header. */
export function tableToCsv(columns: readonly string[], rows: readonly (readonly (number | string)[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(csvField).join(",")}\n`).join("");
}
