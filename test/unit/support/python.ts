import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A program and its expected matrix. */
export interface PythonCase {
  readonly name: string;
  readonly code: string;
  readonly rows: number;
  readonly columns: number;
  /** [rows][columns]; −Infinity is written null. */
  readonly values: readonly number[];
}

export interface PythonResult {
  readonly name: string;
  readonly shape: readonly number[];
  /** Largest difference over the largest finite number of the matrix. */
  readonly error: number;
  /** Cells that are masked in only one of the two matrices. */
  readonly misplaced: number;
  readonly failure: string | null;
}

/** Runs every program in one interpreter, which prints one line of JSON. */
const DRIVER = `
import json, math, sys, traceback
results = []
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        scope = {"__name__": "made"}
        exec(compile(case["code"], case["name"], "exec"), scope)
        matrix = scope["matrix"]
        rows = matrix.tolist()
        flat = [value for row in rows for value in row]
        finite = [value for value in case["values"] if value is not None]
        scale = max([abs(value) for value in finite] + [1e-300])
        error, misplaced = 0.0, abs(len(flat) - len(case["values"]))
        for made, wanted in zip(flat, case["values"]):
            if wanted is None or not math.isfinite(made):
                misplaced += wanted is not None or made != -math.inf
            else:
                error = max(error, abs(made - wanted) / scale)
        result = {"shape": list(matrix.shape), "error": error, "misplaced": misplaced, "failure": None}
    except Exception:
        result = {"shape": [], "error": math.inf, "misplaced": 0, "failure": traceback.format_exc()}
    if not math.isfinite(result["error"]):
        result["error"] = 1e308
    results.append({"name": case["name"], **result})
print(json.dumps(results))
`;

const COMMANDS = ["python3", "python"];

/** A Python with the library, or null. `POSENC_PYTHON` selects another one. */
export function findPython(library: string): string | null {
  const named = process.env.POSENC_PYTHON;
  const candidates = named === undefined ? COMMANDS : [named];
  const works = (command: string) =>
    spawnSync(command, ["-c", `import ${library}`], { encoding: "utf8", timeout: 60_000 }).status === 0;
  return candidates.find(works) ?? null;
}

export function runPython(python: string, cases: readonly PythonCase[]): readonly PythonResult[] {
  const folder = mkdtempSync(path.join(tmpdir(), "posenc-python-"));
  try {
    const file = path.join(folder, "cases.json");
    const driver = path.join(folder, "driver.py");
    writeFileSync(file, JSON.stringify(cases));
    writeFileSync(driver, DRIVER);
    const { stdout, stderr, status } = spawnSync(python, [driver, file], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
