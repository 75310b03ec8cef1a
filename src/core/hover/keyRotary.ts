import * as l10n from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import {
  attentionFactorFormula,
  frequencyFormula,
  longropeFactorFormula,
  mscaleFormula,
} from "../encodings/rope/detailFormulas.ts";
import { wavelengths } from "../encodings/rope/frequencies.ts";
import { correctionDim } from "../encodings/rope/yarn.ts";
import { countFullyRotatingPairs } from "../measure/frequencies.ts";
import { configuredExtendedContext, configuredTrainingContext } from "../measure/trainingContext.ts";
import { formatNumber, formatTokens } from "./formatNumber.ts";
import type { HoverFact } from "./hoverMarkdown.ts";
import type { KeyContext } from "./keyContext.ts";
import { formatShort, keyNumber, optionalNote } from "./keyNumbers.ts";

/** Facts for the keys of rotary encodings. */

function isScaled({ params }: KeyContext): boolean {
  return typeof params.rope_type === "string" && !["default", "axial"].includes(params.rope_type);
}

export function isRotary(key: KeyContext): boolean {
  return key.pairs !== null && keyNumber(key, "rope_theta") !== null;
}

function rotatedDims(key: KeyContext): number | null {
  return keyNumber(key, "rotary_dim") ?? keyNumber(key, "head_dim");
}

export function frequencyFormulaFor(key: KeyContext): Formula | null {
  if (keyNumber(key, "rope_theta") === null) return null;
  return isScaled(key) ? key.encoding.formula(key.params) : frequencyFormula;
}

/** ω_k with the file's numbers, the wavelengths, and how much of the training context they span. */
export function frequencyFacts(key: KeyContext): HoverFact[] {
  const [theta, dim] = [keyNumber(key, "rope_theta"), rotatedDims(key)];
  if (!isRotary(key) || theta === null || dim === null) return [];
  const value = `ω_k = ${formatNumber(theta)}^(−2k/${formatNumber(dim)})`;
  const before = isScaled(key) ? l10n.t("before scaling") : undefined;
  return [{ label: l10n.t("with these values"), value, ...optionalNote(before) }, ...wavelengthFacts(key)];
}

export function wavelengthFacts({ pairs, params }: KeyContext): HoverFact[] {
  if (pairs === null) return [];
  const rotating = pairs.pairs.map(({ omega }) => omega).filter((omega) => omega > 0);
  const waves = wavelengths(rotating);
  if (waves.length === 0) return [];
  const [shortest, longest] = [Math.min(...waves), Math.max(...waves)];
  const spread = l10n.t("{0} … {1} tokens", formatTokens(shortest), formatTokens(longest));
  const trained = configuredTrainingContext(params);
  if (trained === null) return [{ label: l10n.t("wavelengths"), value: spread }];
  const fullRotations = countFullyRotatingPairs(rotating, trained);
  return [
    { label: l10n.t("wavelengths"), value: spread },
    {
      label: l10n.t("full rotation in training"),
      value: l10n.t("{0} of {1} pairs, within {2} tokens", fullRotations, rotating.length, formatNumber(trained)),
    },
  ];
}

/** Effect of the factor: the extended length, or the divided frequencies. */
export function scalingFacts(key: KeyContext): HoverFact[] {
  if (!isScaled(key)) return frequencyFacts(key);
  return [...scaledLengthFacts(key), ...attentionFacts(key), ...effectFacts(key), ...wavelengthFacts(key)];
}

function scaledLengthFacts(key: KeyContext): HoverFact[] {
  const [factor, trained] = [keyNumber(key, "factor"), configuredTrainingContext(key.params)];
  if (factor === null || trained === null) return [];
  const type = key.params.rope_type;
  if (type === "linear" || type === "dynamic") return scaledFrequencyFacts(key, factor, trained);
  return keyNumber(key, "original_max_position_embeddings") === null ? [] : [scaledLengthFact(key, factor, trained)];
}

function scaledFrequencyFacts(key: KeyContext, factor: number, trained: number): HoverFact[] {
  const [theta, dim] = [keyNumber(key, "rope_theta"), rotatedDims(key)];
  if (theta === null || dim === null) return [];
  const label = l10n.t("with these values");
  if (key.params.rope_type === "linear")
    return [{ label, value: `ω_k = ${formatNumber(theta)}^(−2k/${formatNumber(dim)}) / ${formatNumber(factor)}` }];
  const growth = `${formatNumber(factor)} · L/${formatNumber(trained)} − ${formatNumber(factor - 1)}`;
  const value = `θ′ = ${formatNumber(theta)} · (${growth})^(${formatNumber(dim)}/${formatNumber(dim - 2)})`;
  return [{ label, value, note: l10n.t("for L above {0}", formatNumber(trained)) }];
}

function scaledLengthFact({ params }: KeyContext, factor: number, trained: number): HoverFact {
  const product = factor * trained;
  const reached = configuredExtendedContext(params);
  const value = `${formatNumber(factor)} × ${formatNumber(trained)} = ${l10n.t("{0} tokens", formatNumber(product))}`;
  const used = reached === null || reached === product ? undefined : l10n.t("used: {0}", formatNumber(reached));
  return { label: l10n.t("with these values"), value, ...optionalNote(used) };
}

function effectFacts({ pairs }: KeyContext): HoverFact[] {
  if (pairs === null) return [];
  const count = (effect: string) => pairs.pairs.filter((pair) => pair.scaling === effect).length;
  const [kept, blended, divided] = [count("kept"), count("blended"), count("divided")];
  return [
    {
      label: l10n.t("pairs"),
      value: l10n.t("{0} unchanged, {1} blended, {2} divided by the factor", kept, blended, divided),
    },
  ];
}

/** Index of the pair at YaRN's bounds. */
export function betaFacts(key: KeyContext): HoverFact[] {
  const [theta, dim, length] = [keyNumber(key, "rope_theta"), rotatedDims(key), configuredTrainingContext(key.params)];
  if (theta === null || dim === null || length === null || theta <= 1 || length <= 0) return [];
  const boundFact = (name: string): HoverFact[] => {
    const beta = keyNumber(key, name);
    if (beta === null || beta <= 0) return [];
    const pairIndex = correctionDim(beta, { theta, dim, trainingContext: length });
    const substituted = `${formatNumber(dim)} · ln(${formatNumber(length)}/(2π · ${formatNumber(beta)})) / (2 ln ${formatNumber(theta)})`;
    return [{ label: name, value: `k = ${substituted} = ${formatNumber(Number(pairIndex.toPrecision(4)))}` }];
  };
  return [...boundFact("beta_fast"), ...boundFact("beta_slow"), ...effectFacts(key)];
}

export function attentionFormula(key: KeyContext): Formula | null {
  if (key.params.rope_type === "longrope") return longropeFactorFormula;
  return keyNumber(key, "mscale") !== null && keyNumber(key, "mscale_all_dim") !== null
    ? mscaleFormula
    : attentionFactorFormula;
}

export function attentionFacts(key: KeyContext): HoverFact[] {
  const { attention_scaling: factor, softmax_scale: softmax } = key.derived;
  const facts: HoverFact[] = [];
  if (typeof factor === "number" && factor !== 1) {
    const value = l10n.t("cos and sin × {0}, scores × {1}", formatShort(factor), formatShort(factor ** 2));
    facts.push({ label: l10n.t("attention factor"), value, ...optionalNote(formatAttentionFactor(key, factor)) });
  }
  if (typeof softmax === "number") facts.push({ label: l10n.t("softmax scale"), value: formatShort(softmax) });
  return facts;
}

/** "0.1 · ln 4 + 1", if the attention factor was computed this way. */
function formatAttentionFactor(key: KeyContext, factor: number): string | undefined {
  const scale = keyNumber(key, "factor");
  if (key.params.rope_type !== "yarn" || scale === null || scale <= 1) return undefined;
  const computed = 0.1 * Math.log(scale) + 1;
  return Math.abs(computed - factor) < 1e-9 ? `0.1 · ln ${formatNumber(scale)} + 1` : undefined;
}

/** Wavelength at a bound of Llama 3's scaling. */
export function wavelengthBoundFacts(key: KeyContext): HoverFact[] {
  const [bound, length] = [keyNumber(key, key.name), configuredTrainingContext(key.params)];
  if (bound === null || bound <= 0 || length === null) return [];
  const wave = formatTokens(length / bound);
  const value = `λ = ${formatNumber(length)} / ${formatNumber(bound)} = ${wave}`;
  const effect =
    key.name === "low_freq_factor"
      ? l10n.t("longer wavelengths: divided by the factor")
      : l10n.t("shorter wavelengths: unchanged");
  return [{ label: l10n.t("with these values"), value, note: effect }, ...effectFacts(key), ...wavelengthFacts(key)];
}

export function rotatedDimFacts(key: KeyContext): HoverFact[] {
  const [head, rotated, share] = [
    keyNumber(key, "head_dim"),
    rotatedDims(key),
    keyNumber(key, "partial_rotary_factor"),
  ];
  if (head === null || rotated === null) return [];
  const substituted = share === null ? "" : `⌊${formatNumber(share)} · ${formatNumber(head)}⌋ = `;
  const value = `${substituted}${l10n.t("{0} of {1} dimensions rotate, {2} do not", rotated, head, head - rotated)}`;
  return [{ label: l10n.t("with these values"), value }, ...wavelengthFacts(key)];
}

export function sectionFacts(key: KeyContext): HoverFact[] {
  const { mrope_section: sections } = key.spec.params;
  const dim = rotatedDims(key);
  if (!Array.isArray(sections) || dim === null) return [];
  const parts = sections.filter((part) => typeof part === "number");
  const sum = parts.reduce((total, part) => total + part, 0);
  const substituted = `${parts.slice(0, 8).map(String).join(" + ")} = ${formatNumber(sum)}`;
  return [
    { label: l10n.t("with these values"), value: substituted, note: l10n.t("d/2 = {0} pairs", formatNumber(dim / 2)) },
  ];
}
