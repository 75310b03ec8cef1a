import * as l10n from "@vscode/l10n";
import { encodingById } from "../../encodings/index.ts";
import { countPart } from "../../encodings/support/summary.ts";
import { localize } from "../../l10n/l10n.ts";
import type { EncodingSpec, Params } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import type { FileFormat } from "../formats.ts";
import { TRANSFORMERS_RUN } from "../huggingface/readingView.ts";
import type { ConfigReading } from "../readConfig.ts";
import { describeLayers } from "./describeLayers.ts";

/**
 * Summarises a model's position encodings in one line of the current language, language model first: "RoPE · YaRN ×4 ·
 * θ 1e6 · 32k→131k", "ALiBi · 16 heads", "learned · 512 positions".
 */
export function summarise(specs: readonly EncodingSpec[]): string {
  const lines = new Map<string, EncodingSpec[]>();
  for (const spec of specs) lines.set(spec.where, [...(lines.get(spec.where) ?? []), spec]);
  const stacks = [...lines].sort(([a], [b]) => rank(a) - rank(b));
  const named = stacks.length > 1;
  return stacks.map(([where, own]) => (named ? `${where}: ${summariseStack(own)}` : summariseStack(own))).join(" | ");
}

/** Formats that describe a whole model; other files without an encoding just do not have any. */
const MODEL_FORMATS: ReadonlySet<FileFormat> = new Set<FileFormat>([
  "hf-config",
  "diffusers-config",
  "open-clip-config",
  "timm-config",
  "stable-audio-config",
  "gguf",
]);

/** Whether a model's configuration was read and its position encoding is not known: neither one nor none. */
export function isEncodingUnknown({
  format,
  specs,
  error,
}: Pick<ConfigReading, "format" | "specs" | "error">): boolean {
  return specs.length === 0 && error === null && MODEL_FORMATS.has(format);
}

/** The encodings of a file in one line; empty if it is not a model's. */
export function summariseReading(reading: Pick<ConfigReading, "format" | "specs" | "error">): string {
  return isEncodingUnknown(reading) ? l10n.t("position encoding unknown") : summarise(reading.specs);
}

function rank(where: string): number {
  const order = ["text", "encoder", "decoder", "vision", "audio"].indexOf(where);
  return order < 0 ? 9 : order;
}

/** Specs of one stack differ by layer and are joined with +. */
function summariseStack(specs: readonly EncodingSpec[]): string {
  const texts = specs.map((spec) => {
    const text = markRuns(markGuess(summaryParts(spec).join(" · "), spec), spec);
    return spec.layers === "all" ? text : `${text} (${describeLayers(spec.layers)})`;
  });
  return texts.join(" + ");
}

/** "possibly RoPE" for an encoding that was guessed by its keys. */
export function markGuess(text: string, { confidence }: Pick<EncodingSpec, "confidence">): string {
  return confidence === "guess" ? l10n.t("possibly {0}", text) : text;
}

/** "RoPE · θ 5e5 ≠ transformers 5.18" for an encoding that a runtime computes otherwise than the file declares. */
function markRuns(text: string, { runs = {} }: Pick<EncodingSpec, "runs">): string {
  return TRANSFORMERS_RUN in runs ? `${text} ≠ ${TRANSFORMERS_RUN}` : text;
}

function summaryParts(spec: EncodingSpec): readonly string[] {
  const encoding = encodingById(spec.encoding);
  if (encoding === undefined) return [spec.encoding];
  const name = localize(encoding.name);
  if (encoding.rotation !== undefined) return rotaryParts(name, spec.params);
  return encoding.summary?.(spec.params) ?? [name];
}

const ROPE_TYPE_NAMES: Readonly<Record<string, string>> = {
  linear: "linear",
  ntk: "NTK",
  dynamic: "dynamic NTK",
  yarn: "YaRN",
  longrope: "LongRoPE",
  llama3: "Llama 3",
  proportional: "proportional",
};

function rotaryParts(name: string, params: Params): string[] {
  const type = ownValue(ROPE_TYPE_NAMES, String(params.rope_type));
  const factor = typeof params.factor === "number" && params.factor !== 1 ? ` ×${formatNumber(params.factor)}` : "";
  return [
    name,
    ...(type === undefined ? [] : [`${type}${factor}`]),
    ...countPart(params, "rope_theta", (theta) => `θ ${formatPower(theta)}`),
    ...partialRotationPart(params),
    ...contextParts(params),
    ...countPart(params, "sliding_window", (size) => l10n.t("window {0}", formatTokens(size))),
  ];
}

function partialRotationPart(params: Params): string[] {
  const { rotary_dim, head_dim } = params;
  if (typeof rotary_dim !== "number" || typeof head_dim !== "number" || rotary_dim >= head_dim) return [];
  return [l10n.t("{0} of {1} dimensions", rotary_dim, head_dim)];
}

function contextParts(params: Params): string[] {
  const { max_position_embeddings: longest, original_max_position_embeddings: original, factor } = params;
  if (typeof longest !== "number") return [];
  if (typeof original !== "number") return [formatTokens(longest)];
  const reached = original === longest && typeof factor === "number" ? original * factor : longest;
  return [reached === original ? formatTokens(longest) : `${formatTokens(original)}→${formatTokens(reached)}`];
}

/** 32768 → 32k, 131072 → 131k, 1048576 → 1M; small numbers stay. */
function formatTokens(count: number): string {
  if (count >= 1_000_000) return `${formatNumber(Math.floor(count / 100_000) / 10)}M`;
  return count >= 10_000 ? `${Math.floor(count / 1000)}k` : String(count);
}

/** 1000000 → 1e6, 500000 → 5e5, 10000 → 1e4, 160000 → 1.6e5. */
function formatPower(value: number): string {
  return value >= 1000 ? value.toExponential().replace("e+", "e") : formatNumber(value);
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
