/** The shortest text that reads back as the same float64 (at most 17 digits); `nan`, `inf` and `-inf` for the rest. */
export function csvNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return String(value);
}

/** CSV without a header: one line a row. */
export function numbersToCsv(values: Float64Array, columns: number): string {
  let text = "";
  for (let start = 0; start < values.length; start += columns) {
    text += `${Array.from(values.subarray(start, start + columns), csvNumber).join(",")}\n`;
  }
  return text;
}
