import { modelWidth } from "../../encodings/support/parameters.ts";
import { numberOf, stringOf } from "../../encodings/support/schema.ts";
import { indexRange } from "../../terms/engine.ts";
import { exampleValue, isExample } from "../../terms/learned.ts";
import { exampleTableLines, givenTableLines, refuseProjections } from "./absolute.ts";
import { contentLines } from "./content.ts";
import { examplesOnly, requireWritten } from "./learned.ts";
import { arrayLines } from "./python.ts";
import type { CodeBody, CodeRequest } from "./request.ts";
import { farPositions } from "./rope.ts";

/** Columns of the head's slice. */
function ownColumns({ params, scene }: CodeRequest): string {
  const dim = modelWidth(params) / numberOf(params, "num_heads");
  return `${scene.head * dim}:${(scene.head + 1) * dim}`;
}

/** Far from zero the last digit of a frequency counts: there they are written out. */
function frequencyLines(request: CodeRequest, dim: number): string[] {
  if (!farPositions(request)) return ["frequency = 0.3 * np.abs(gaussian(0x706F7365, 112, 0, column))"];
  requireWritten("frequency", dim);
  return arrayLines(
    "frequency",
    indexRange(0, dim).map((c) => Math.abs(exampleValue(112, 0, c, 0.3))),
  );
}

/** Complex words, as [real | imaginary]: amplitudes are the content. */
function complexCode(request: CodeRequest): CodeBody {
  examplesOnly(request);
  const { params, show, rows } = request;
  const dim = modelWidth(params);
  const table = show.of === "table";
  const own = ownColumns(request);
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

export function multiplicativeCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  if (stringOf(params, "variant") === "complex_order") return complexCode(request);
  refuseProjections(request, ["position_embeddings"]);
  const dim = modelWidth(params);
  const example = isExample(scene.inputs);
  const lines = example
    ? exampleTableLines(numberOf(params, "max_position_embeddings"), dim)
    : givenTableLines(request, 0, dim);
  const own = ownColumns(request);
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
