import { t } from "@vscode/l10n";
import { encodingById } from "../encodings/index.ts";
import type { CodeExplanation } from "../python/explain.ts";
import type { Params } from "../spec.ts";
import type { Fact } from "./markdown.ts";
import { readable, readableLength } from "./numbers.ts";

export function numberParam(params: Params, name: string): number | null {
  const value = params[name];
  return typeof value === "number" ? value : null;
}

/** Numbers that follow from the values of the code: shape, wavelengths, slopes, buckets. */
export function derivedFacts(explanation: CodeExplanation): Fact[] {
  return [...shapeFact(explanation), ...wavelengths(explanation), ...slopes(explanation), ...buckets(explanation)];
}

function shapeFact(explanation: CodeExplanation): Fact[] {
  const shape = shapeOf(explanation);
  return shape === null ? [] : [{ label: t("shape"), value: shape }];
}

/** The tensor's shape as Python prints it, with letters for what is not known. */
function shapeOf({ subject, spec }: CodeExplanation): string | null {
  const { params } = spec;
  const dim =
    numberParam(params, "rotary_dim") ?? numberParam(params, "head_dim") ?? numberParam(params, "hidden_size");
  const half = dim === null ? "d/2" : String(dim / 2);
  if (subject === "inverse frequencies") return `(${half},)`;
  if (subject === "angles") return `(n, ${half})`;
  if (subject === "slopes") return `(${numberParam(params, "num_heads") ?? "heads"},)`;
  if (subject === "table") return `(${numberParam(params, "max_position_embeddings") ?? "n"}, ${dim ?? "d"})`;
  return null;
}

function derived(explanation: CodeExplanation): Readonly<Record<string, unknown>> {
  const { encoding, params } = explanation.spec;
  const schema = encodingById(encoding);
  const known = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
  const defaults = Object.fromEntries(
    (schema?.parameters ?? []).map((parameter) => [parameter.name, parameter.default]),
  );
  try {
    return schema?.derived?.({ ...defaults, ...known }) ?? {};
  } catch {
    // Values of half-written code may break a rule of the encoding; the hover then shows what was read, no more.
    return {};
  }
}

function numbers(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}

function wavelengths(explanation: CodeExplanation): Fact[] {
  const { params, encoding } = explanation.spec;
  const rotary =
    numberParam(params, "rope_theta") !== null &&
    (numberParam(params, "head_dim") ?? numberParam(params, "rotary_dim")) !== null;
  const table =
    encoding === "sinusoidal" && numberParam(params, "base") !== null && numberParam(params, "hidden_size") !== null;
  if (!rotary && !table) return [];
  const values = derived(explanation);
  const frequencies = numbers(values.inv_freq ?? values.frequencies).filter((value) => value > 0);
  if (frequencies.length === 0) return [];
  const shortest = (2 * Math.PI) / Math.max(...frequencies);
  const longest = (2 * Math.PI) / Math.min(...frequencies);
  return [{ label: t("wavelengths"), value: t("{0} … {1} tokens", readableLength(shortest), readableLength(longest)) }];
}

/** The ladder of slopes, first to last head. */
function slopes(explanation: CodeExplanation): Fact[] {
  if (explanation.spec.encoding !== "alibi" || numberParam(explanation.spec.params, "num_heads") === null) return [];
  const values = numbers(derived(explanation).alibi_slopes);
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return [];
  return [{ label: t("slopes"), value: `${readable(first)} … ${readable(last)}  ${ladder(values)}` }];
}

/** Heights as block characters, on a logarithmic scale. */
function ladder(values: readonly number[]): string {
  const logs = values.slice(0, 32).map((value) => Math.log2(value));
  const low = Math.min(...logs);
  const span = Math.max(...logs) - low || 1;
  return logs.map((value) => "▁▂▃▄▅▆▇█"[Math.round(((value - low) / span) * 7)] ?? "").join("");
}

/** Where buckets begin: T5. */
function buckets(explanation: CodeExplanation): Fact[] {
  const { params, encoding } = explanation.spec;
  if (encoding !== "t5_bias" || numberParam(params, "num_buckets") === null) return [];
  const starts = derived(explanation).bucket_starts;
  if (!Array.isArray(starts)) return [];
  const from = starts.flatMap((start: unknown) => (isStart(start) ? [start.from] : []));
  const distinct = [...new Set(from)].sort((a, b) => a - b);
  return distinct.length < 2 ? [] : [{ label: t("bucket boundaries"), value: distinct.map(String).join(" ") }];
}

function isStart(value: unknown): value is { from: number } {
  return typeof value === "object" && value !== null && "from" in value && typeof value.from === "number";
}
