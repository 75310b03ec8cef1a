import type { ParamValue } from "../../spec.ts";

/** Numbers and lists in Python syntax. */

/** The shortest text that parses to the same float64; integers stay integers. */
export function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return "math.nan";
  if (!Number.isFinite(value)) return value > 0 ? "math.inf" : "-math.inf";
  return String(value);
}

/** Like `pythonNumber`, but never an integer: 2 → 2.0. */
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

/** Defines `single`. */
export const FLOAT32_LINES: readonly string[] = [
  "def single(x):",
  '    """Rounds to float32, in which models compute this."""',
  "    return x.astype(np.float32).astype(np.float64)",
  "",
  "",
];

/** Longer arrays would make the program unreadable. */
export const MAX_WRITTEN_NUMBERS = 4096;

const MAX_LINE_WIDTH = 96;

/** `name = np.array([…])` in float64, wrapped. */
export function arrayLines(name: string, values: readonly number[]): string[] {
  return [`${name} = np.array([`, ...wrapItems(values.map(pythonFloat), "    "), "], dtype=np.float64)"];
}

/** Like `arrayLines`, for a matrix. */
export function matrixLines(name: string, rows: readonly (readonly number[])[]): string[] {
  const lines = rows.flatMap((row) => ["    [", ...wrapItems(row.map(pythonFloat), "        "), "    ],"]);
  return [`${name} = np.array([`, ...lines, "], dtype=np.float64)"];
}

function wrapItems(items: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const item of items) {
    if (line !== indent && line.length + item.length + 1 > MAX_LINE_WIDTH) {
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

const NUMPY_TO_TORCH: readonly (readonly [RegExp, string])[] = [
  [/import numpy as np/g, "import torch"],
  [/\bnp\.array\(/g, "torch.tensor("],
  [/\bnp\.concatenate\(/g, "torch.cat("],
  [/\bnp\.clip\(/g, "torch.clamp("],
  [/\.astype\(np\./g, ".to(torch."],
  [/\baxis=/g, "dim="],
  [/\bkeepdims=/g, "keepdim="],
  [/\bnp\./g, "torch."],
];

/** Translates NumPy code to a library. */
export function translateToLibrary(code: string, library: Library): string {
  if (library === "numpy") return code;
  // torch.load only reads torch files, so np.load stays NumPy's.
  const loaded = code.replace(/\bnp\.load\(/g, "numpy.load(");
  const text = loaded === code ? code : loaded.replace("import numpy as np", "import numpy\nimport numpy as np");
  return NUMPY_TO_TORCH.reduce((words, [from, to]) => words.replace(from, to), text);
}
