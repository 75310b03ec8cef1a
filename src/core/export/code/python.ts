import type { ParamValue } from "../../spec.ts";

/** Numbers and lists as Python writes them. */

/** The shortest text that reads back as the same float64; whole numbers stay whole. */
export function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return "math.nan";
  if (!Number.isFinite(value)) return value > 0 ? "math.inf" : "-math.inf";
  return String(value);
}

/** The same, never an integer: 2 → 2.0. */
export function pythonFloat(value: number): string {
  const text = pythonNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export function pythonValue(value: ParamValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return pythonNumber(value);
  if (typeof value === "string") return JSON.stringify(value);
  return `[${value.map((item) => (typeof item === "number" ? pythonNumber(item) : JSON.stringify(item))).join(", ")}]`;
}

const WIDTH = 96;

/** `name = np.array([…])` of float64, wrapped. */
export function arrayLines(name: string, values: readonly number[]): string[] {
  return [`${name} = np.array([`, ...wrapped(values.map(pythonFloat), "    "), "], dtype=np.float64)"];
}

/** The same of rows. */
export function matrixLines(name: string, rows: readonly (readonly number[])[]): string[] {
  const lines = rows.flatMap((row) => ["    [", ...wrapped(row.map(pythonFloat), "        "), "    ],"]);
  return [`${name} = np.array([`, ...lines, "], dtype=np.float64)"];
}

function wrapped(items: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const item of items) {
    if (line !== indent && line.length + item.length + 1 > WIDTH) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${item}, `;
  }
  if (line !== indent) lines.push(line.trimEnd());
  return lines;
}

export const LIBRARIES = ["numpy", "torch"] as const;
export type Library = (typeof LIBRARIES)[number];

const TORCH: readonly (readonly [RegExp, string])[] = [
  [/import numpy as np/g, "import torch"],
  [/\bnp\.array\(/g, "torch.tensor("],
  [/\bnp\.concatenate\(/g, "torch.cat("],
  [/\bnp\.clip\(/g, "torch.clamp("],
  [/\.astype\(np\./g, ".to(torch."],
  [/\baxis=/g, "dim="],
  [/\bkeepdims=/g, "keepdim="],
  [/\bnp\./g, "torch."],
];

/** NumPy lines in the words of a library. */
export function inLibrary(code: string, library: Library): string {
  if (library === "numpy") return code;
  // torch.load reads its own files alone: those of NumPy stay NumPy's.
  const loaded = code.replace(/\bnp\.load\(/g, "numpy.load(");
  const text = loaded === code ? code : loaded.replace("import numpy as np", "import numpy\nimport numpy as np");
  return TORCH.reduce((words, [from, to]) => words.replace(from, to), text);
}
