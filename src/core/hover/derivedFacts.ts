import { t } from "@vscode/l10n";
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
    ...shapeFact(explanation),
    ...wavelengthFact(explanation),
    ...slopeFact(explanation),
    ...bucketFact(explanation),
  ];
}

function shapeFact(explanation: CodeExplanation): HoverFact[] {
  const shape = formatShape(explanation);
  return shape === null ? [] : [{ label: t("shape"), value: shape }];
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

function computeDerived(explanation: CodeExplanation): Readonly<Record<string, unknown>> {
  const { encoding, params } = explanation.spec;
  const encodingEntry = encodingById(encoding);
  const knownParams = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
  const defaults = Object.fromEntries(
    (encodingEntry?.parameters ?? []).map((parameter) => [parameter.name, parameter.default]),
  );
  try {
    return encodingEntry?.derived?.({ ...defaults, ...knownParams }) ?? {};
  } catch {
    // Values of half-written code may be invalid for the encoding; the hover then shows only what was read.
    return {};
  }
}

function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}

function wavelengthFact(explanation: CodeExplanation): HoverFact[] {
  const { params, encoding } = explanation.spec;
  const rotary =
    numberParam(params, "rope_theta") !== null &&
    (numberParam(params, "head_dim") ?? numberParam(params, "rotary_dim")) !== null;
  const table =
    encoding === "sinusoidal" && numberParam(params, "base") !== null && numberParam(params, "hidden_size") !== null;
  if (!rotary && !table) return [];
  const values = computeDerived(explanation);
  const frequencies = numbersIn(values.inv_freq ?? values.frequencies).filter((value) => value > 0);
  if (frequencies.length === 0) return [];
  const shortest = (2 * Math.PI) / Math.max(...frequencies);
  const longest = (2 * Math.PI) / Math.min(...frequencies);
  return [{ label: t("wavelengths"), value: t("{0} … {1} tokens", formatTokens(shortest), formatTokens(longest)) }];
}

/** ALiBi's slopes, from the first to the last head. */
function slopeFact(explanation: CodeExplanation): HoverFact[] {
  if (explanation.spec.encoding !== "alibi" || numberParam(explanation.spec.params, "num_heads") === null) return [];
  const values = numbersIn(computeDerived(explanation).alibi_slopes);
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return [];
  return [{ label: t("slopes"), value: `${formatNumber(first)} … ${formatNumber(last)}  ${sparkline(values)}` }];
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
  const { params, encoding } = explanation.spec;
  if (encoding !== "t5_bias" || numberParam(params, "num_buckets") === null) return [];
  const starts = computeDerived(explanation).bucket_starts;
  if (!Array.isArray(starts)) return [];
  const from = starts.flatMap((start: unknown) => (isBucketStart(start) ? [start.from] : []));
  const distinct = [...new Set(from)].sort((a, b) => a - b);
  return distinct.length < 2 ? [] : [{ label: t("bucket boundaries"), value: distinct.map(String).join(" ") }];
}

function isBucketStart(value: unknown): value is { from: number } {
  return typeof value === "object" && value !== null && "from" in value && typeof value.from === "number";
}
