import { recursivePositions } from "../../encodings/recursive/recursive.ts";
import { modelWidth } from "../../encodings/support/parameters.ts";
import { numberOf, stringOf } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { indexRange } from "../../terms/engine.ts";
import { isExample, learnedMatrix, learnedVector } from "../../terms/learned.ts";
import { rowOf } from "../../terms/linear.ts";
import { fourTerms, refuseProjections } from "./absolute.ts";
import { learnedMatrixLines, learnedVectorLines, requireWritten } from "./learned.ts";
import { matrixLines, pythonFloat } from "./python.ts";
import { type CodeBody, type CodeRequest, spanOf } from "./request.ts";

/**
 * A vector is written out every so many positions: what rounding adds to a path would grow without end, the faster
 * the further a step goes. Of 1: nothing is left to the rule, which throws the path about.
 */
function strideOf(params: Params): number {
  if (stringOf(params, "variant") === "rnn") return 64;
  const delta = numberOf(params, "delta");
  if (delta / numberOf(params, "substeps_per_position") > 1) return 1;
  return Math.min(64, Math.max(1, Math.floor(16 / delta)));
}

function givenMatrix({ scene }: CodeRequest, name: string, rows: number, columns: number): (readonly number[])[] {
  const row = learnedMatrix(scene.inputs, [name], rows, columns, () => 0);
  return indexRange(0, rows).map((r) => row(r));
}

/** The recurrent network's step. */
function networkLines(request: CodeRequest, dim: number): string[] {
  const given = () => learnedVector(request.scene.inputs, ["b_h"], dim, () => 0);
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

/** p' = h(time, p). The example's first layer is the identity, and neither of its layers looks at the time. */
function slopeLines(request: CodeRequest, dim: number): string[] {
  const activation = stringOf(request.params, "activation") === "relu" ? "np.clip(%, 0, None)" : "np.tanh(%)";
  const activated = (text: string) => activation.replace("%", text);
  if (isExample(request.scene.inputs)) {
    return [
      "low, high = np.minimum(row, column), np.maximum(row, column)",
      `turn = ${pythonFloat(2 / Math.sqrt(dim))} * gaussian(0x706F7365, 121, low, high) * np.sign(row - column)`,
      "",
      "",
      "def slope(time, p):",
      `    return turn @ ${activated("p")}`,
    ];
  }
  const vector = (name: string) =>
    learnedVectorLines(request, name, [], () => learnedVector(request.scene.inputs, [name], dim, () => 0));
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

const RK4: readonly string[] = [
  "        b = slope(time + s / 2, p + s / 2 * a)",
  "        c = slope(time + s / 2, p + s / 2 * b)",
  "        d = slope(time + s, p + s * c)",
  "        p = p + s / 6 * a + s / 3 * b + s / 3 * c + s / 6 * d",
];

/** Kutta's 3/8 rule. */
const RK4_38: readonly string[] = [
  "        b = slope(time + s / 3, p + s / 3 * a)",
  "        c = slope(time + 2 * s / 3, p - s / 3 * a + s * b)",
  "        d = slope(time + s, p + s * a - s * b + s * c)",
  "        p = p + s / 8 * a + 3 * s / 8 * b + 3 * s / 8 * c + s / 8 * d",
];

function flowLines(request: CodeRequest, dim: number): string[] {
  const { params } = request;
  const delta = numberOf(params, "delta");
  const substeps = numberOf(params, "substeps_per_position");
  return [
    ...slopeLines(request, dim),
    "",
    "",
    "def step(position, p):",
    `    s = ${pythonFloat(delta / substeps)}`,
    `    for n in range(${substeps}):`,
    `        time = position * ${pythonFloat(delta)} + n * s`,
    "        a = slope(time, p)",
    ...(stringOf(params, "method") === "rk4_38" ? RK4_38 : RK4),
    "    return p",
  ];
}

/** `table`: the path from the written vector at or before the first position that is asked for. */
function pathLines(request: CodeRequest): string[] {
  const { params, scene } = request;
  const [from, to] = spanOf(request);
  const stride = strideOf(params);
  const first = Math.floor((from + scene.shift) / stride) * stride;
  const places = indexRange(first, to + scene.shift, stride);
  requireWritten("p", places.length * modelWidth(params));
  const path = recursivePositions(params, scene.inputs);
  return [
    `# p at ${first} and every ${stride} positions from there: rounding errors along a path would otherwise grow without bound`,
    ...matrixLines(
      "known",
      places.map((place) => Array.from(rowOf(path, place))),
    ),
    "path = []",
    "",
    "",
    "def table(position):",
    '    """Each position from the one before."""',
    `    while len(path) + ${first} <= int(position.max()):`,
    "        n = len(path)",
    `        path.append(known[n // ${stride}] if n % ${stride} == 0 else step(n - 1 + ${first}, path[-1]))`,
    `    return np.stack(path)[position - ${first}]`,
    "",
    "",
  ];
}

export function recursiveCode(request: CodeRequest): CodeBody {
  const { params, show, scene } = request;
  refuseProjections(request, ["p0", "w1", "b1", "w2", "b2", "w_hh", "b_h"]);
  const dim = modelWidth(params);
  const example = isExample(scene.inputs);
  const { lines, terms, content } = fourTerms(request, 1);
  const rule = stringOf(params, "variant") === "rnn" ? networkLines(request, dim) : flowLines(request, dim);
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
    ...pathLines(request),
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
