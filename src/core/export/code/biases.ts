import * as l10n from "@vscode/l10n";
import { modelSlopes } from "../../encodings/alibi.ts";
import { readFireWeights } from "../../encodings/fire.ts";
import { readKernelParameters } from "../../encodings/kerple.ts";
import { sandwichFrequencies } from "../../encodings/sandwich.ts";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, getString, optionalNumber } from "../../encodings/support/schema.ts";
import { exactDistanceCount, findBucketStarts, type T5BucketSpec } from "../../encodings/t5Bias/buckets.ts";
import { readBucketSpec } from "../../encodings/t5Bias/t5Bias.ts";
import type { BiasTerm } from "../../terms/term.ts";
import { arrayLines, FLOAT32_LINES, pythonFloat } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode } from "./request.ts";
import { BFLOAT16_LINES } from "./rope.ts";

/** content · content plus one number per cell. */
function withBias(
  request: CodeExportRequest,
  body: { parameters?: readonly string[]; setup: readonly string[]; bias: string },
): EncodingCode {
  return {
    parameters: body.parameters ?? [],
    setup: body.setup,
    terms: { content: "q @ k.T", bias: body.bias },
    content: { of: "qk", dim: getNumber(request.params, "head_dim") },
  };
}

export function noneCode(request: CodeExportRequest): EncodingCode {
  return {
    parameters: [],
    setup: [],
    terms: { content: "q @ k.T" },
    content: { of: "qk", dim: getNumber(request.params, "head_dim") },
  };
}

export function alibiCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const heads = getNumber(params, "num_heads");
  const slope = `slope = ${pythonFloat(modelSlopes(params)[scene.head] ?? 0)}  # of head ${scene.head} of ${heads}`;
  const variants: Readonly<Record<string, string>> = {
    paper: "-slope * delta",
    symmetric: "-slope * np.abs(delta)",
    bloom: "slope * key_position[None, :].astype(np.float64) + 0.0 * delta",
    mpt: "slope * (j - (key_length - 1))[None, :].astype(np.float64) + 0.0 * delta",
    falcon: "half(half(np.array([slope], dtype=np.float64)) * key_position[None, :]) + 0.0 * delta",
  };
  const variant = getString(params, "variant");
  const bias = variants[variant] ?? variants.paper ?? "";
  return withBias(request, {
    setup: variant === "falcon" ? [slope, "", "", ...BFLOAT16_LINES, "", ""] : [slope],
    bias,
  });
}

function findBiasTerm({ attention }: CodeExportRequest): BiasTerm {
  const term = attention.terms.find(({ id }) => id === "bias");
  if (term?.kind === "bias") return term;
  throw new CodeExportError(l10n.t("Code export does not support the term {0} yet.", "bias"));
}

/** One value per bucket, read from the term, so it does not matter where the table comes from. */
function readBucketColumn(request: CodeExportRequest): number[] {
  const { params, scene } = request;
  const spec = readBucketSpec(params);
  const { profile } = findBiasTerm(request);
  const offset = scene.keyLength - scene.queryLength;
  const past = optionalNumber(params, "past_seen_tokens") ?? offset;
  const column = new Array<number>(spec.numBuckets).fill(0);
  for (const { bucket, from, key } of findBucketStarts(spec)) {
    const relative = key === "after" ? from : -from;
    column[bucket] = profile?.(offset - past - relative) ?? 0;
  }
  return column;
}

/** Defines `bucket` of key position minus query position, in float32 as in models. */
export function bucketFunctionLines(spec: T5BucketSpec): string[] {
  const side = spec.bidirectional ? Math.floor(spec.numBuckets / 2) : spec.numBuckets;
  const exact = exactDistanceCount(spec);
  return [
    ...FLOAT32_LINES,
    "def bucket(relative):",
    '    """Bucket of key position minus query position."""',
    ...(spec.bidirectional
      ? ["    distance = np.abs(relative).astype(np.float64)", `    side = np.where(relative > 0, ${side}, 0)`]
      : ["    distance = np.clip(-relative, 0, None).astype(np.float64)", "    side = 0"]),
    `    share = single(np.log(single(np.clip(distance, 1, None) / ${exact}.0)))`,
    `    share = single(share / ${pythonFloat(Math.fround(Math.log(spec.maxDistance / exact)))})`,
    `    far = np.clip(${exact} + np.floor(single(share * ${side - exact})), None, ${side - 1}).astype(np.int64)`,
    `    return side + np.where(distance < ${exact}, distance.astype(np.int64), far)`,
    "",
    "",
  ];
}

export function t5Code(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const spec = readBucketSpec(params);
  const past = optionalNumber(params, "past_seen_tokens") ?? scene.keyLength - scene.queryLength;
  const setup = [
    `# The bias of head ${scene.head} for each bucket`,
    ...arrayLines("bias_of_bucket", readBucketColumn(request)),
    "",
    "",
    ...bucketFunctionLines(spec),
  ];
  return withBias(request, { setup, bias: `bias_of_bucket[bucket(j[None, :] - i[:, None] - ${past})]` });
}

export function kerpleCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const [p, a] = readKernelParameters(params, scene.inputs, scene.head);
  const eps = getNumber(params, "eps");
  const log = getString(params, "kernel") === "log";
  const power = log ? Math.max(p, eps) : Math.min(Math.max(p, eps), 2);
  return withBias(request, {
    setup: [
      `p, a = ${pythonFloat(power)}, ${pythonFloat(Math.max(a, eps))}  # trained, of head ${scene.head}`,
      "distance = np.clip(delta, 0, None)",
    ],
    bias: log ? "-p * np.log(1 + a * distance)" : "-a * distance**p",
  });
}

export function sandwichCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const dim = resolveHiddenSize(params);
  const slope = (8 * (scene.head + 1)) / getNumber(params, "num_heads");
  const distance = params.bidirectional === true ? "np.abs(delta)" : "np.clip(delta, 0, None)";
  const count = sandwichFrequencies(dim, getNumber(params, "base")).length;
  return withBias(request, {
    parameters: ["base"],
    setup: [
      `omega = base ** (-2 * np.arange(1, ${count + 1}, dtype=np.float64) / ${dim})  # from 1 on`,
      `distance = ${distance}`,
      "cosines = sum(np.cos(distance * w) for w in omega)",
    ],
    bias: `(cosines - ${count}) / ${pythonFloat(slope)}`,
  });
}

export function fireCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const { w1, b1, w2, b2 } = readFireWeights(params, scene.inputs, scene.head);
  const c = pythonFloat(getNumber(params, "init_c"));
  const threshold = Math.abs(getNumber(params, "L_multiplier") * getNumber(params, "init_L"));
  return withBias(request, {
    setup: [
      `# The trained function of head ${scene.head}: 1 → ${w1.length}, ReLU → 1`,
      ...arrayLines("w1", w1),
      ...arrayLines("b1", b1),
      ...arrayLines("w2", w2),
      `whole = np.log(np.abs(${c} * np.clip(query_position.astype(np.float64), ${pythonFloat(threshold)}, None)) + 1) + ${pythonFloat(getNumber(params, "eps"))}`,
      `share = np.log(np.abs(${c} * delta) + 1) / whole[:, None]`,
    ],
    bias: `sum(w * np.clip(m * share + n, 0, None) for m, n, w in zip(w1, b1, w2)) + ${pythonFloat(b2)}`,
  });
}
