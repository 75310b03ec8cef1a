import { getNumber } from "../../encodings/support/schema.ts";
import { bucketFunctionLines } from "./biases.ts";
import { requireExampleValues } from "./learned.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";

/** Buckets of TUPE-R: [CLS] has separate rows of the table for its row and its column. */
function relativeBiasLines({ params, scene }: CodeExportRequest): string[] {
  const bins = getNumber(params, "rel_pos_bins");
  const spec = { numBuckets: bins, maxDistance: getNumber(params, "max_rel_pos"), bidirectional: true };
  return [
    "",
    "",
    ...bucketFunctionLines(spec),
    `bias_of_bucket = 0.5 * gaussian(0x706F7365, 53, np.arange(${bins + 1}, dtype=np.int64), ${scene.head})`,
    "index = bucket(j[None, :] - own[:, None])",
    `index = np.where((j == 0)[None, :], ${bins}, index)`,
    `index = np.where((own == 0)[:, None], ${Math.floor(bins / 2)}, index)`,
  ];
}

export function tupeCode(request: CodeExportRequest): EncodingCode {
  requireExampleValues(request);
  const { params, scene } = request;
  const dim = getNumber(params, "head_dim");
  const rows = getNumber(params, "max_seq_len") + 1;
  return {
    parameters: [],
    setup: [
      "# Example values in place of trained ones: positions of this head, projected; neighbours alike",
      `column = np.arange(${dim}, dtype=np.int64)`,
      `wavelength = ${rows} / 2 ** (2 * np.abs(gaussian(0x706F7365, 50, ${scene.head}, column // 2)))`,
      "QUERY, KEY = 51, 52",
      "",
      "",
      "def projected(part, row):",
      "    row = row[:, None]",
      "    angle = 2 * math.pi * row.astype(np.float64) / wavelength - (column % 2).astype(np.float64) * (math.pi / 2)",
      "    return np.cos(angle) + 0.2 * gaussian(0x706F7365, part, row, column[None, :])",
      "",
      "",
      "# [CLS] has no position: rows 0 and 1 hold the values of its row and its column",
      "first_rows = np.arange(2, dtype=np.int64)",
      "cls = (projected(QUERY, first_rows) * projected(KEY, first_rows)).sum(axis=-1)",
      ...(params.rel_pos === true ? relativeBiasLines(request) : []),
    ],
    terms: {
      content: "q @ k.T",
      position: "projected(QUERY, query_position + 1) @ projected(KEY, key_position + 1).T",
      cls_row: "cls[0] + 0.0 * delta",
      cls_column: "cls[1] + 0.0 * delta",
      relative: "bias_of_bucket[index]",
    },
    content: { of: "qk", dim },
    usesGenerator: true,
  };
}
