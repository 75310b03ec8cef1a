import {
  debertaHeadDim,
  debertaMaxDistance,
  debertaTableSpan,
  hasPositionTerm,
} from "../../encodings/deberta/weights.ts";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, optionalNumber } from "../../encodings/support/schema.ts";
import { requireExampleValues } from "./learned.ts";
import { FLOAT32_LINES, pythonFloat } from "./python.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";

/** Transformer-XL and DeBERTa: vectors of distances, projected. Their example values come from the generator. */

const CELL_INDEX_LINE = "query_at, key_at = (i - i[0])[:, None], (j - j[0])[None, :]";

export function transformerXlCode(request: CodeExportRequest): EncodingCode {
  requireExampleValues(request);
  const { params, scene } = request;
  const dim = getNumber(params, "head_dim");
  const model = resolveHiddenSize(params);
  const clamp = optionalNumber(params, "clamp_len") ?? -1;
  const cosines = model % 2 === 1 ? `[:, :${Math.floor(model / 2)}]` : "";
  const columns = `np.arange(${dim}, dtype=np.int64)`;
  const first = scene.head * model;
  return {
    parameters: ["base"],
    setup: [
      "# Example values in place of trained ones: W_r of this head, u and v",
      `row = np.arange(${first}, ${first + model}, dtype=np.int64)[:, None]`,
      `w_r = gaussian(0x706F7365, 30, row, ${columns}[None, :]) * ${pythonFloat(1 / Math.sqrt(model))}`,
      `u = 0.3 * gaussian(0x706F7365, 31, ${scene.head}, ${columns})`,
      `v = 0.3 * gaussian(0x706F7365, 32, ${scene.head}, ${columns})`,
      "",
      "# Sinusoids of the signed distances, nearest key last, through W_r",
      "nearest = int(delta.min())",
      "distance = np.arange(nearest, int(delta.max()) + 1, dtype=np.int64).astype(np.float64)",
      ...(clamp > 0 ? [`distance = np.clip(distance, ${-clamp}, ${clamp})`] : []),
      `omega = 1 / base ** (np.arange(0, ${model}, 2, dtype=np.float64) / ${model})`,
      "angle = distance[:, None] * omega",
      `table = np.concatenate([np.sin(angle), np.cos(angle)${cosines}], axis=-1) @ w_r`,
      "index = (delta - nearest).astype(np.int64)",
      CELL_INDEX_LINE,
    ],
    terms: {
      content: "q @ k.T",
      content_position: "(q @ table.T)[query_at, index]",
      position_content: "(k @ u)[None, :] + 0.0 * delta",
      position_position: "(table @ v)[index]",
    },
    content: { of: "qk", dim },
    usesGenerator: true,
  };
}

/** Table row of each distance; v2 and v3 use buckets. */
function debertaIndex({ params, scene }: CodeExportRequest): string[] {
  const table = debertaTableSpan(params);
  const first = getNumber(params, "version") === 1;
  const longest = Math.max(scene.queryLength, scene.keyLength);
  const span = first ? Math.min(longest, table) : table;
  const buckets = getNumber(params, "position_buckets");
  const lookUp = `index = (${table - span} + np.clip(bucket + ${span}, 0, ${2 * span - 1})).astype(np.int64)`;
  if (first || buckets <= 0) return ["bucket = delta", lookUp];
  const middle = Math.floor(buckets / 2);
  const furthest = debertaMaxDistance(params);
  return [
    ...FLOAT32_LINES,
    "distance = np.abs(delta)",
    `share = single(np.log(single(np.clip(distance, 1, None) / ${middle}.0)))`,
    `share = single(share / ${pythonFloat(Math.fround(Math.log(Math.fround((furthest - 1) / middle))))})`,
    `far = np.ceil(single(share * ${middle - 1})) + ${middle}`,
    `bucket = np.where(distance <= ${middle}, delta, far * np.sign(delta))`,
    lookUp,
  ];
}

export function debertaCode(request: CodeExportRequest): EncodingCode {
  requireExampleValues(request);
  const { params, scene } = request;
  const dim = debertaHeadDim(params);
  const span = debertaTableSpan(params);
  const table = (name: string, salt: number) => [
    `near = np.exp(-np.abs(row - ${span}).astype(np.float64) / ${pythonFloat(span / 8)})`,
    `${name} = 0.5 * gaussian(0x706F7365, ${salt}, ${scene.head}, column) * near`,
    `${name} = ${name} + 0.1 * gaussian(0x706F7365, ${salt}, ${(scene.head + 1) * 65_536} + row, column)`,
  ];
  return {
    parameters: [],
    setup: [
      "# Example values in place of trained ones: projected vectors of the distances",
      `row, column = np.arange(${2 * span}, dtype=np.int64)[:, None], np.arange(${dim}, dtype=np.int64)[None, :]`,
      ...(hasPositionTerm(params, "c2p") ? table("distance_keys", 40) : []),
      ...(hasPositionTerm(params, "p2c") ? table("distance_queries", 41) : []),
      "",
      "",
      ...debertaIndex(request),
      CELL_INDEX_LINE,
    ],
    terms: {
      content: "q @ k.T",
      content_position: "(q @ distance_keys.T)[query_at, index]",
      position_content: "(k @ distance_queries.T)[key_at, index]",
    },
    content: { of: "qk", dim },
    usesGenerator: true,
  };
}
