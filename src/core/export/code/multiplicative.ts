import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, getString } from "../../encodings/support/schema.ts";
import { indexRange } from "../../terms/engine.ts";
import { exampleValue, usesExampleValues } from "../../terms/learned.ts";
import { exampleTableLines, givenTableLines, refuseOtherArrays } from "./absolute.ts";
import { contentLines } from "./content.ts";
import { requireExampleValues, requireWritable } from "./learned.ts";
import { arrayLines } from "./python.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";
import { hasFarPositions } from "./rope.ts";

/** Column range of the head's slice. */
function headColumns({ params, scene }: CodeExportRequest): string {
  const dim = resolveHiddenSize(params) / getNumber(params, "num_heads");
  return `${scene.head * dim}:${(scene.head + 1) * dim}`;
}

/** Far from position zero, the last digit of a frequency matters, so the frequencies are written out. */
function frequencyLines(request: CodeExportRequest, dim: number): string[] {
  if (!hasFarPositions(request)) return ["frequency = 0.3 * np.abs(gaussian(0x706F7365, 112, 0, column))"];
  requireWritable("frequency", dim);
  return arrayLines(
    "frequency",
    indexRange(0, dim).map((c) => Math.abs(exampleValue(112, 0, c, 0.3))),
  );
}

/** Complex word vectors as [real | imaginary]; the amplitudes are the content. */
function complexWordCode(request: CodeExportRequest): EncodingCode {
  requireExampleValues(request);
  const { params, show, rows } = request;
  const dim = resolveHiddenSize(params);
  const table = show.of === "table";
  const own = headColumns(request);
  return {
    parameters: [],
    setup: [
      "# Example values in place of a word's own: frequencies and phases",
      `column = np.arange(${dim}, dtype=np.int64)`,
      ...frequencyLines(request, dim),
      "phase = gaussian(0x706F7365, 113, 0, column)",
      "",
      "",
      "def rotated(x, position, frequency, phase):",
      "    angle = (position[:, None] + 1) * frequency + phase  # positions start at 1",
      "    return np.concatenate([x * np.cos(angle), x * np.sin(angle)], axis=-1)",
      "",
      "",
      ...(table
        ? [
            `token = np.arange(${rows.from}, ${rows.to}, dtype=np.int64)`,
            ...contentLines(request, "x", dim, "token", rows),
          ]
        : [`frequency, phase = frequency[${own}], phase[${own}]  # of this head`]),
    ],
    terms: {
      content: `rotated(x_query[:, ${own}], query_position, frequency, phase) @ rotated(x_key[:, ${own}], key_position, frequency, phase).T`,
    },
    table: "rotated(x, position, frequency, phase)",
    content: { of: "x", dim },
    usesGenerator: true,
  };
}

export function multiplicativeCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  if (getString(params, "variant") === "complex_order") return complexWordCode(request);
  refuseOtherArrays(request, ["position_embeddings"]);
  const dim = resolveHiddenSize(params);
  const example = usesExampleValues(scene.inputs);
  const lines = example
    ? exampleTableLines(getNumber(params, "max_position_embeddings"), dim)
    : givenTableLines(request, 0, dim);
  const own = headColumns(request);
  return {
    parameters: [],
    setup: [
      ...lines,
      "",
      "",
      "def table(position):",
      example ? "    return 1 + rows_at(position)  # words stay recognisable" : "    return rows_at(position)",
      "",
      "",
    ],
    terms: {
      content: `(x_query * table(query_position))[:, ${own}] @ (x_key * table(key_position))[:, ${own}].T`,
    },
    table: "table(position)",
    content: { of: "x", dim },
    usesGenerator: example,
  };
}
