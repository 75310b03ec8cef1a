import { recursivePositionFactor } from "../../encodings/recursive/recursive.ts";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, getString } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { indexRange } from "../../terms/engine.ts";
import { readLearnedMatrix, readLearnedVector, usesExampleValues } from "../../terms/learned.ts";
import { evaluateRow } from "../../terms/linear.ts";
import { fourTermCode, refuseOtherArrays } from "./absolute.ts";
import { learnedMatrixLines, learnedVectorLines, requireWritable } from "./learned.ts";
import { matrixLines, pythonFloat } from "./python.ts";
import { type CodeExportRequest, type EncodingCode, neededTokens } from "./request.ts";

/**
 * Rounding errors grow along a recursive path, faster for larger steps, so a vector is written out every few positions.
 * With stride 1, all vectors are written out because the steps are too large to reproduce.
 */
function writtenStride(params: Params): number {
  if (getString(params, "variant") === "rnn") return 64;
  const delta = getNumber(params, "delta");
  if (delta / getNumber(params, "substeps_per_position") > 1) return 1;
  return Math.min(64, Math.max(1, Math.floor(16 / delta)));
}

function givenMatrix({ scene }: CodeExportRequest, name: string, rows: number, columns: number): (readonly number[])[] {
  const row = readLearnedMatrix(scene.inputs, [name], rows, columns, () => 0);
  return indexRange(0, rows).map((r) => row(r));
}

/** One step of the recurrent network. */
function recurrentStepLines(request: CodeExportRequest, dim: number): string[] {
  const given = () => readLearnedVector(request.scene.inputs, ["b_h"], dim, () => 0);
  return [
    ...learnedMatrixLines(
      request,
      "w_hh",
      [`w_hh = ${pythonFloat(1.4 / Math.sqrt(dim))} * gaussian(0x706F7365, 125, row, column)`],
      () => givenMatrix(request, "w_hh", dim, dim),
    ),
    ...learnedVectorLines(request, "b_h", ["b_h = 0.1 * gaussian(0x706F7365, 126, row[:, 0], 0)"], given),
    "",
    "",
    "def step(position, p):",
    "    return np.tanh(w_hh @ p + b_h)",
  ];
}

/** p' = h(time, p). In the example, the first layer is the identity and neither layer uses the time. */
function slopeLines(request: CodeExportRequest, dim: number): string[] {
  const activation = getString(request.params, "activation") === "relu" ? "np.clip(%, 0, None)" : "np.tanh(%)";
  const activated = (text: string) => activation.replace("%", text);
  if (usesExampleValues(request.scene.inputs)) {
    return [
      "low, high = np.minimum(row, column), np.maximum(row, column)",
      `weight = ${pythonFloat(2 / Math.sqrt(dim))} * gaussian(0x706F7365, 121, low, high) * np.sign(row - column)`,
      "",
      "",
      "def slope(time, p):",
      `    return weight @ ${activated("p")}`,
    ];
  }
  const vector = (name: string) =>
    learnedVectorLines(request, name, [], () => readLearnedVector(request.scene.inputs, [name], dim, () => 0));
  const matrix = (name: string) =>
    learnedMatrixLines(request, name, [], () => givenMatrix(request, name, dim, dim + 1));
  return [
    ...["w1", "w2"].flatMap(matrix),
    ...["b1", "b2"].flatMap(vector),
    "",
    "",
    "def slope(time, p):",
    `    hidden = ${activated("w1[:, :-1] @ p + w1[:, -1] * time + b1")}`,
    "    return w2[:, :-1] @ hidden + w2[:, -1] * time + b2",
  ];
}

const RK4_LINES: readonly string[] = [
  "        b = slope(time + s / 2, p + s / 2 * a)",
  "        c = slope(time + s / 2, p + s / 2 * b)",
  "        d = slope(time + s, p + s * c)",
  "        p = p + s / 6 * a + s / 3 * b + s / 3 * c + s / 6 * d",
];

/** Kutta's 3/8 rule. */
const RK4_38_LINES: readonly string[] = [
  "        b = slope(time + s / 3, p + s / 3 * a)",
  "        c = slope(time + 2 * s / 3, p - s / 3 * a + s * b)",
  "        d = slope(time + s, p + s * a - s * b + s * c)",
  "        p = p + s / 8 * a + 3 * s / 8 * b + 3 * s / 8 * c + s / 8 * d",
];

function flowStepLines(request: CodeExportRequest, dim: number): string[] {
  const { params } = request;
  const delta = getNumber(params, "delta");
  const substeps = getNumber(params, "substeps_per_position");
  return [
    ...slopeLines(request, dim),
    "",
    "",
    "def step(position, p):",
    `    s = ${pythonFloat(delta / substeps)}`,
    `    for n in range(${substeps}):`,
    `        time = position * ${pythonFloat(delta)} + n * s`,
    "        a = slope(time, p)",
    ...(getString(params, "method") === "rk4_38" ? RK4_38_LINES : RK4_LINES),
    "    return p",
  ];
}

/** Defines `table`: continues from the last written vector before the requested positions. */
function positionTableLines(request: CodeExportRequest): string[] {
  const { params, scene } = request;
  const [from, to] = neededTokens(request);
  const stride = writtenStride(params);
  const first = Math.floor((from + scene.shift) / stride) * stride;
  const writtenPositions = indexRange(first, to + scene.shift, stride);
  requireWritable("p", writtenPositions.length * resolveHiddenSize(params));
  const path = recursivePositionFactor(params, scene.inputs);
  return [
    `# p at ${first} and every ${stride} positions from there: rounding errors along a path would otherwise grow without bound`,
    ...matrixLines(
      "known",
      writtenPositions.map((place) => Array.from(evaluateRow(path, place))),
    ),
    "path = []",
    "",
    "",
    "def table(position):",
    '    """Computes each position from the previous one."""',
    `    while len(path) + ${first} <= int(position.max()):`,
    "        n = len(path)",
    `        path.append(known[n // ${stride}] if n % ${stride} == 0 else step(n - 1 + ${first}, path[-1]))`,
    `    return np.stack(path)[position - ${first}]`,
    "",
    "",
  ];
}

export function recursiveCode(request: CodeExportRequest): EncodingCode {
  const { params, show, scene } = request;
  refuseOtherArrays(request, ["p0", "w1", "b1", "w2", "b2", "w_hh", "b_h"]);
  const dim = resolveHiddenSize(params);
  const example = usesExampleValues(scene.inputs);
  const { lines, terms, content } = fourTermCode(request, 1);
  const rule = getString(params, "variant") === "rnn" ? recurrentStepLines(request, dim) : flowStepLines(request, dim);
  const setup = [
    ...(example
      ? [
          "# Example values in place of trained ones",
          `row, column = np.arange(${dim}, dtype=np.int64)[:, None], np.arange(${dim}, dtype=np.int64)[None, :]`,
        ]
      : []),
    ...rule,
    "",
    "",
    ...positionTableLines(request),
  ];
  return {
    parameters: [],
    setup: show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
    usesGenerator: example,
  };
}
