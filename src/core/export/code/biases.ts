import { t } from "@vscode/l10n";
import { slopesOf } from "../../encodings/alibi.ts";
import { fireWeights } from "../../encodings/fire.ts";
import { learnedPair } from "../../encodings/kerple.ts";
import { sandwichFrequencies } from "../../encodings/sandwich.ts";
import { modelWidth } from "../../encodings/support/parameters.ts";
import { numberOf, optionalNumber, stringOf } from "../../encodings/support/schema.ts";
import { bucketStarts, exactDistances, type T5Buckets } from "../../encodings/t5Bias/buckets.ts";
import type { BiasTerm } from "../../terms/term.ts";
import { arrayLines, pythonFloat } from "./python.ts";
import { type CodeBody, type CodeRequest, NoCode } from "./request.ts";
import { BFLOAT16 } from "./rope.ts";

/** content · content and one number for each cell. */
function withBias(
  request: CodeRequest,
  body: { parameters?: readonly string[]; setup: readonly string[]; bias: string },
): CodeBody {
  return {
    parameters: body.parameters ?? [],
    setup: body.setup,
    terms: { content: "q @ k.T", bias: body.bias },
    content: { of: "qk", dim: numberOf(request.params, "head_dim") },
  };
}

export function noneCode(request: CodeRequest): CodeBody {
  return {
    parameters: [],
    setup: [],
    terms: { content: "q @ k.T" },
    content: { of: "qk", dim: numberOf(request.params, "head_dim") },
  };
}

export function alibiCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const heads = numberOf(params, "num_heads");
  const slope = `slope = ${pythonFloat(slopesOf(params)[scene.head] ?? 0)}  # of head ${scene.head} of ${heads}`;
  const variants: Readonly<Record<string, string>> = {
    paper: "-slope * delta",
    symmetric: "-slope * np.abs(delta)",
    bloom: "slope * key_position[None, :].astype(np.float64) + 0.0 * delta",
    mpt: "slope * (j - (key_length - 1))[None, :].astype(np.float64) + 0.0 * delta",
    falcon: "half(half(np.array([slope], dtype=np.float64)) * key_position[None, :]) + 0.0 * delta",
  };
  const variant = stringOf(params, "variant");
  const bias = variants[variant] ?? variants.paper ?? "";
  return withBias(request, { setup: variant === "falcon" ? [slope, "", "", ...BFLOAT16, "", ""] : [slope], bias });
}

function biasTermOf({ attention }: CodeRequest): BiasTerm {
  const term = attention.terms.find(({ id }) => id === "bias");
  if (term?.kind === "bias") return term;
  throw new NoCode(t("Code export does not support the term {0} yet.", "bias"));
}

/** One number for each bucket, read off the term: where the table comes from does not matter. */
function t5Column(request: CodeRequest): number[] {
  const { params, scene } = request;
  const spec = bucketsOf(request);
  const { profile } = biasTermOf(request);
  const offset = scene.keyLength - scene.queryLength;
  const past = optionalNumber(params, "past_seen_tokens") ?? offset;
  const column = new Array<number>(spec.numBuckets).fill(0);
  for (const { bucket, from, key } of bucketStarts(spec)) {
    const relative = key === "after" ? from : -from;
    column[bucket] = profile?.(offset - past - relative) ?? 0;
  }
  return column;
}

function bucketsOf({ params }: CodeRequest): T5Buckets {
  return {
    numBuckets: numberOf(params, "num_buckets"),
    maxDistance: numberOf(params, "max_distance"),
    bidirectional: params.bidirectional === true,
  };
}

/** `bucket` of key position minus query position, in float32 as models have it. */
export function bucketLines(spec: T5Buckets): string[] {
  const side = spec.bidirectional ? Math.floor(spec.numBuckets / 2) : spec.numBuckets;
  const exact = exactDistances(spec);
  return [
    "def single(x):",
    '    """Rounds to float32, in which models take the logarithm."""',
    "    return x.astype(np.float32).astype(np.float64)",
    "",
    "",
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

export function t5Code(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const spec = bucketsOf(request);
  const past = optionalNumber(params, "past_seen_tokens") ?? scene.keyLength - scene.queryLength;
  const setup = [
    `# The bias of head ${scene.head} for each bucket`,
    ...arrayLines("bias_of_bucket", t5Column(request)),
    "",
    "",
    ...bucketLines(spec),
  ];
  return withBias(request, { setup, bias: `bias_of_bucket[bucket(j[None, :] - i[:, None] - ${past})]` });
}

export function kerpleCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const [p, a] = learnedPair(params, scene.inputs, scene.head);
  const eps = numberOf(params, "eps");
  const log = stringOf(params, "kernel") === "log";
  const power = log ? Math.max(p, eps) : Math.min(Math.max(p, eps), 2);
  return withBias(request, {
    setup: [
      `p, a = ${pythonFloat(power)}, ${pythonFloat(Math.max(a, eps))}  # trained, of head ${scene.head}`,
      "distance = np.clip(delta, 0, None)",
    ],
    bias: log ? "-p * np.log(1 + a * distance)" : "-a * distance**p",
  });
}

export function sandwichCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const dim = modelWidth(params);
  const slope = (8 * (scene.head + 1)) / numberOf(params, "num_heads");
  const distance = params.bidirectional === true ? "np.abs(delta)" : "np.clip(delta, 0, None)";
  const count = sandwichFrequencies(dim, numberOf(params, "base")).length;
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

export function fireCode(request: CodeRequest): CodeBody {
  const { params, scene } = request;
  const { w1, b1, w2, b2 } = fireWeights(params, scene.inputs, scene.head);
  const c = pythonFloat(numberOf(params, "init_c"));
  const threshold = Math.abs(numberOf(params, "L_multiplier") * numberOf(params, "init_L"));
  return withBias(request, {
    setup: [
      `# The trained function of head ${scene.head}: 1 → ${w1.length}, ReLU → 1`,
      ...arrayLines("w1", w1),
      ...arrayLines("b1", b1),
      ...arrayLines("w2", w2),
      `whole = np.log(np.abs(${c} * np.clip(query_position.astype(np.float64), ${pythonFloat(threshold)}, None)) + 1) + ${pythonFloat(numberOf(params, "eps"))}`,
      `share = np.log(np.abs(${c} * delta) + 1) / whole[:, None]`,
    ],
    bias: `sum(w * np.clip(m * share + n, 0, None) for m, n, w in zip(w1, b1, w2)) + ${pythonFloat(b2)}`,
  });
}
