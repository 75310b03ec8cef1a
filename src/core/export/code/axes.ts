import * as l10n from "@vscode/l10n";
import { assignMropeAxes, resolveMropeCoordinates } from "../../encodings/mrope/positions.ts";
import { readMropeSection } from "../../encodings/mrope/term.ts";
import {
  asAxialRopeParams,
  frequenciesForLength,
  readPairLayout,
  resolveAttentionScale,
} from "../../encodings/rope/attention.ts";
import { buildGridCoordinate, resolveAxialPairs } from "../../encodings/rope/grid.ts";
import { type PairIndices, pairIndices } from "../../encodings/rope/rotation.ts";
import { getNumber } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { indexRange } from "../../terms/engine.ts";
import { arrayLines, matrixLines, pythonFloat } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode, neededTokens } from "./request.ts";

/** Rotations by several coordinates per token: images, video, text with images. */

interface AxesCode {
  readonly frequencies: readonly number[];
  /** Axis of each pair. */
  readonly axes: readonly number[];
  readonly count: number;
  readonly pairs: PairIndices;
  readonly coordinate: (index: number, axis: number) => number;
  readonly scaling: number;
}

const MAX_WRITTEN_TOKENS = 2048;

function integerArrayLine(name: string, values: readonly number[]): string {
  return `${name} = np.array([${values.join(", ")}], dtype=np.int64)`;
}

function axesBody(request: CodeExportRequest, axesCode: AxesCode): EncodingCode {
  const [from, to] = neededTokens(request);
  if (to - from > MAX_WRITTEN_TOKENS)
    throw new CodeExportError(
      l10n.t("Too many tokens to write out their coordinates: zoom in to at most {0}.", MAX_WRITTEN_TOKENS),
    );
  const coordinates = indexRange(from, to).map((index) =>
    indexRange(0, axesCode.count).map((axis) => axesCode.coordinate(index, axis)),
  );
  const times = axesCode.scaling === 1 ? "" : ` * ${pythonFloat(axesCode.scaling)}`;
  const table = request.show.of === "table";
  return {
    parameters: [],
    setup: [
      `# Coordinates of the tokens from index ${from} on, [tokens][axes]; each pair rotates by its own axis`,
      ...matrixLines("coordinates", coordinates),
      ...arrayLines("inv_freq", axesCode.frequencies),
      integerArrayLine("axis_of_pair", axesCode.axes),
      integerArrayLine("first", axesCode.pairs.first),
      integerArrayLine("second", axesCode.pairs.second),
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
    content: { of: "qk", dim: getNumber(request.params, "head_dim") },
  };
}

/** Vision towers: rows and columns of patches. */
export function axialCode(request: CodeExportRequest): EncodingCode {
  const isRope = request.encoding.id === "rope";
  const params: Params = isRope ? asAxialRopeParams(request.params) : request.params;
  const { frequencies, axes, pairs } = resolveAxialPairs(params);
  return axesBody(request, {
    frequencies,
    axes,
    pairs,
    count: Math.max(1, ...axes) + 1,
    coordinate: buildGridCoordinate(params, request.scene),
    scaling: 1,
  });
}

/** Time, row and column: text with images. */
export function mropeCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const { coordinate, length } = resolveMropeCoordinates(params, scene);
  const { inv_freq, attention_scaling } = frequenciesForLength(params, length);
  const table = request.show.of === "table";
  return axesBody(request, {
    frequencies: inv_freq,
    axes: assignMropeAxes(inv_freq.length, readMropeSection(params), params.mrope_interleaved === true),
    pairs: pairIndices(readPairLayout(params), inv_freq.length),
    count: 3,
    coordinate,
    scaling: table ? attention_scaling : resolveAttentionScale(params, attention_scaling).cosSinFactor,
  });
}
