import { t } from "@vscode/l10n";
import { attentionScale, axialParams, callFrequencies, layoutOf } from "../../encodings/rope/attention.ts";
import { axialShape, gridCoordinate } from "../../encodings/rope/grid.ts";
import { sectionOf } from "../../encodings/rope/mrope.ts";
import { mropeAxes, mropeScene } from "../../encodings/rope/mropePositions.ts";
import { type Pairs, pairsOf } from "../../encodings/rope/rotation.ts";
import { numberOf } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { indexRange } from "../../terms/engine.ts";
import { arrayLines, matrixLines, pythonFloat } from "./python.ts";
import { type CodeBody, type CodeRequest, NoCode, spanOf } from "./request.ts";

/** Rotations by several coordinates a token: images, video, text with pictures. */

interface Axes {
  readonly frequencies: readonly number[];
  /** Axis of each pair. */
  readonly axes: readonly number[];
  readonly count: number;
  readonly pairs: Pairs;
  readonly at: (index: number, axis: number) => number;
  readonly scaling: number;
}

/** Tokens whose coordinates are written out at most. */
const MOST_TOKENS = 2048;

function integers(name: string, values: readonly number[]): string {
  return `${name} = np.array([${values.join(", ")}], dtype=np.int64)`;
}

function axesBody(request: CodeRequest, shape: Axes): CodeBody {
  const [from, to] = spanOf(request);
  if (to - from > MOST_TOKENS)
    throw new NoCode(t("Too many tokens to write out their coordinates: zoom in to at most {0}.", MOST_TOKENS));
  const coordinates = indexRange(from, to).map((index) =>
    indexRange(0, shape.count).map((axis) => shape.at(index, axis)),
  );
  const times = shape.scaling === 1 ? "" : ` * ${pythonFloat(shape.scaling)}`;
  const table = request.show.of === "table";
  return {
    parameters: [],
    setup: [
      `# Coordinates of the tokens from index ${from} on, [tokens][axes]; each pair rotates by its own axis`,
      ...matrixLines("coordinates", coordinates),
      ...arrayLines("inv_freq", shape.frequencies),
      integers("axis_of_pair", shape.axes),
      integers("first", shape.pairs.first),
      integers("second", shape.pairs.second),
      "",
      "",
      "def cos_sin(index):",
      `    angle = coordinates[index - ${from}][:, axis_of_pair] * inv_freq`,
      `    return np.cos(angle)${times}, np.sin(angle)${times}`,
      "",
      "",
      "def rotate(x, index):",
      "    cos, sin = cos_sin(index)",
      "    a, b = x[:, first], x[:, second]",
      "    out = x * 1.0",
      "    out[:, first] = a * cos - b * sin",
      "    out[:, second] = a * sin + b * cos",
      "    return out",
      ...(table ? ["", "", `index = np.arange(${from}, ${to}, dtype=np.int64)`] : ["", ""]),
    ],
    terms: { content: "rotate(q, own) @ rotate(k, j).T" },
    table: "np.concatenate(cos_sin(index), axis=-1)",
    content: { of: "qk", dim: numberOf(request.params, "head_dim") },
  };
}

/** Image towers: rows and columns of patches. */
export function axialCode(request: CodeRequest): CodeBody {
  const own = request.encoding.id === "rope";
  const params: Params = own ? axialParams(request.params) : request.params;
  const { frequencies, axes, pairs } = axialShape(params);
  return axesBody(request, {
    frequencies,
    axes,
    pairs,
    count: 2,
    at: gridCoordinate(params, request.scene),
    scaling: 1,
  });
}

/** Time, row and column: text with pictures. */
export function mropeCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const { at, length } = mropeScene(params, scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, length);
  const table = request.show.of === "table";
  return axesBody(request, {
    frequencies: inv_freq,
    axes: mropeAxes(inv_freq.length, sectionOf(params), params.mrope_interleaved === true),
    pairs: pairsOf(layoutOf(params), inv_freq.length),
    count: 3,
    at,
    scaling: table ? attention_scaling : attentionScale(params, attention_scaling).inFactors,
  });
}
