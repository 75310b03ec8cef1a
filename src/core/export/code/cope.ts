import { getNumber } from "../../encodings/support/schema.ts";
import { indexRange } from "../../terms/engine.ts";
import { readLearnedMatrix, usesExampleValues } from "../../terms/learned.ts";
import { contentLines } from "./content.ts";
import { learnedMatrixLines } from "./learned.ts";
import { pythonFloat } from "./python.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";
import { visibleLines } from "./softmax.ts";

/** e[n], [head_dim][npos_max]. */
function positionColumnLines(request: CodeExportRequest, dim: number, count: number): readonly string[] {
  const example = [
    "# Example values in place of trained ones, decaying with the position",
    `row, column = np.arange(${dim}, dtype=np.int64)[:, None], np.arange(${count}, dtype=np.int64)[None, :]`,
    "fall = np.exp(-column.astype(np.float64) / 6)",
    "pos_emb = 0.4 * gaussian(0x706F7365, 70, row, 0) * fall + 0.1 * gaussian(0x706F7365, 70, row, column + 1)",
  ];
  return learnedMatrixLines(request, "pos_emb", example, () => {
    const row = readLearnedMatrix(request.scene.inputs, ["pos_emb"], dim, count, () => 0);
    return indexRange(0, dim).map((r) => row(r));
  });
}

export function copeCode(request: CodeExportRequest): EncodingCode {
  const { params, scene, attention } = request;
  const dim = getNumber(params, "head_dim");
  const count = getNumber(params, "npos_max");
  const scale = attention.terms.find(({ id }) => id === "content")?.scale ?? 1;
  return {
    parameters: [],
    setup: [
      ...positionColumnLines(request, dim, count),
      "",
      "# Positions are counted along the whole row, from the query back to the key",
      "shown = k",
      "every = np.arange(key_length, dtype=np.int64)",
      ...contentLines(request, "k", dim, "every", { from: 0, to: scene.keyLength }),
      "k, every_k = shown, k",
      "",
      "",
      "def gates(logits, own, key):",
      "    visible = key <= own",
      ...visibleLines(attention.mask).map((line) => `    ${line}`),
      "    return np.where(visible, 1 / (1 + np.exp(-logits)), 0.0)",
      "",
      "",
      `gate = gates(${pythonFloat(scale)} * (q @ every_k.T), own[:, None], every[None, :])`,
      "counted = np.flip(np.cumsum(np.flip(gate, (1,)), axis=1), (1,))[:, j]",
      `counted = np.clip(counted, None, ${count - 1})`,
      "part = counted - np.floor(counted)",
      "low = np.floor(counted).astype(np.int64)",
      `high = np.clip(low + 1, None, ${count - 1})`,
      "at, of_position = (i - i[0])[:, None], q @ pos_emb",
    ],
    terms: { content: "q @ k.T", bias: "(1 - part) * of_position[at, low] + part * of_position[at, high]" },
    content: { of: "qk", dim },
    usesGenerator: usesExampleValues(scene.inputs),
  };
}
