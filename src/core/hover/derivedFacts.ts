import * as l10n from "@vscode/l10n";
import type { Encoding } from "../encodings/encoding.ts";
import { encodingById } from "../encodings/index.ts";
import type { CodeExplanation } from "../python/explain.ts";
import type { Params } from "../spec.ts";
import { formatNumber, formatTokens } from "./formatNumber.ts";
import type { HoverFact } from "./hoverMarkdown.ts";

export function numberParam(params: Params, name: string): number | null {
  const value = params[name];
  return typeof value === "number" ? value : null;
}

/** Facts computed from the values of the code: shape, wavelengths, slopes, buckets. */
export function derivedFacts(explanation: CodeExplanation): HoverFact[] {
  return [
    ...scaledBaseFact(explanation),
    ...shapeFact(explanation),
    ...wavelengthFact(explanation),
    ...slopeFact(explanation),
    ...bucketFact(explanation),
  ];
}

function shapeFact(explanation: CodeExplanation): HoverFact[] {
  const shape = formatShape(explanation);
  return shape === null ? [] : [{ label: l10n.t("shape"), value: shape }];
}

/** The tensor's shape as Python prints it, with letters for unknown sizes. */
function formatShape({ part, spec }: CodeExplanation): string | null {
  const { params } = spec;
  const dim =
    numberParam(params, "rotary_dim") ?? numberParam(params, "head_dim") ?? numberParam(params, "hidden_size");
  const half = dim === null ? "d/2" : String(dim / 2);
  if (part === "inverse frequencies") return `(${half},)`;
  if (part === "angles") return `(n, ${half})`;
  if (part === "slopes") return `(${numberParam(params, "num_heads") ?? "heads"},)`;
  if (part === "table") return `(${numberParam(params, "max_position_embeddings") ?? "n"}, ${dim ?? "d"})`;
  return null;
}

/** The value for the code's parameters, with defaults for those that it leaves open; undefined if they are invalid. */
function compute<T>({ spec }: CodeExplanation, value: (encoding: Encoding, params: Params) => T): T | undefined {
  const encoding = encodingById(spec.encoding);
  if (encoding === undefined) return undefined;
  const defaults = Object.fromEntries(encoding.parameters.map((parameter) => [parameter.name, parameter.default]));
  const knownParams = Object.fromEntries(Object.entries(spec.params).filter(([, own]) => own !== null));
  try {
    return value(encoding, { ...defaults, ...knownParams });
  } catch {
    // Values of half-written code may be invalid for the encoding; the hover then shows only what was read.
    return undefined;
  }
}

/** The base that NTK scaling computes: θ · s^(d / (d − 2)). */
function scaledBaseFact({ spec, ropeType }: CodeExplanation): HoverFact[] {
  const { params } = spec;
  const dim = numberParam(params, "rotary_dim") ?? numberParam(params, "head_dim");
  const [base, factor] = [numberParam(params, "rope_theta"), numberParam(params, "factor")];
  if (ropeType !== "ntk" || base === null || factor === null || dim === null || dim <= 2) return [];
  const scaled = base * factor ** (dim / (dim - 2));
  return [{ label: l10n.t("scaled base θ′"), value: formatNumber(scaled), note: "θ · s^(d / (d − 2))" }];
}

function wavelengthFact(explanation: CodeExplanation): HoverFact[] {
  const { params } = explanation.spec;
  const rotary =
    numberParam(params, "rope_theta") !== null &&
    (numberParam(params, "head_dim") ?? numberParam(params, "rotary_dim")) !== null;
  const table = numberParam(params, "base") !== null && numberParam(params, "hidden_size") !== null;
  if (!rotary && !table) return [];
  const all = compute(explanation, (encoding, own) => encoding.frequencies?.(own)) ?? [];
  const frequencies = all.filter((value) => value > 0);
  if (frequencies.length === 0) return [];
  const shortest = (2 * Math.PI) / Math.max(...frequencies);
  const longest = (2 * Math.PI) / Math.min(...frequencies);
  return [
    { label: l10n.t("wavelengths"), value: l10n.t("{0} … {1} tokens", formatTokens(shortest), formatTokens(longest)) },
  ];
}

/** ALiBi's slopes, from the first to the last head. */
function slopeFact(explanation: CodeExplanation): HoverFact[] {
  if (numberParam(explanation.spec.params, "num_heads") === null) return [];
  const values = compute(explanation, (encoding, params) => encoding.slopes?.(params)) ?? [];
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return [];
  return [{ label: l10n.t("slopes"), value: `${formatNumber(first)} … ${formatNumber(last)}  ${sparkline(values)}` }];
}

/** Values as block characters, on a logarithmic scale. */
function sparkline(values: readonly number[]): string {
  const logs = values.slice(0, 32).map((value) => Math.log2(value));
  const low = Math.min(...logs);
  const span = Math.max(...logs) - low || 1;
  return logs.map((value) => "▁▂▃▄▅▆▇█"[Math.round(((value - low) / span) * 7)] ?? "").join("");
}

/** The first distance of each of T5's buckets. */
function bucketFact(explanation: CodeExplanation): HoverFact[] {
  const { params } = explanation.spec;
  if (numberParam(params, "num_buckets") === null || typeof params.bidirectional !== "boolean") return [];
  const starts = compute(explanation, (encoding, params) => encoding.derived?.(params).bucket_starts);
  if (!Array.isArray(starts)) return [];
  const from = starts.flatMap((start: unknown) => (isBucketStart(start) ? [start.from] : []));
  const distinct = [...new Set(from)].sort((a, b) => a - b);
  return distinct.length < 2 ? [] : [{ label: l10n.t("bucket boundaries"), value: distinct.map(String).join(" ") }];
}

function isBucketStart(value: unknown): value is { from: number } {
  return typeof value === "object" && value !== null && "from" in value && typeof value.from === "number";
}
