import { t } from "@vscode/l10n";
import type { Formula } from "../encodings/encoding.ts";
import { correctionDim } from "../encodings/rope/yarn.ts";
import { pairsPastOneTurn, wavelengths } from "../measure/frequencies.ts";
import { extendedLength, trainedLength } from "../measure/pairs.ts";
import type { KeyContext } from "./keyContext.ts";
import { attentionFactor, longropeFactor, mscale } from "./keyFormulas.ts";
import { noteOf, num, short } from "./keyValues.ts";
import type { Fact } from "./markdown.ts";
import { readable, readableLength } from "./numbers.ts";
import { frequencyFormula } from "./partFormulas.ts";

/** What keys of rotary encodings come to. */

function scaled({ params }: KeyContext): boolean {
  return typeof params.rope_type === "string" && !["default", "axial"].includes(params.rope_type);
}

export function rotary(key: KeyContext): boolean {
  return key.pairs !== null && num(key, "rope_theta") !== null;
}

function rotaryLength(key: KeyContext): number | null {
  return num(key, "rotary_dim") ?? num(key, "head_dim");
}

export function frequenciesOf(key: KeyContext): Formula | null {
  if (num(key, "rope_theta") === null) return null;
  return scaled(key) ? key.encoding.formula(key.params) : frequencyFormula;
}

/** ω_k with the numbers put in, the wavelengths, and how much of the context they span. */
export function frequencyFacts(key: KeyContext): Fact[] {
  const [theta, dim] = [num(key, "rope_theta"), rotaryLength(key)];
  if (!rotary(key) || theta === null || dim === null) return [];
  const value = `ω_k = ${readable(theta)}^(−2k/${readable(dim)})`;
  const before = scaled(key) ? t("before scaling") : undefined;
  return [{ label: t("with these values"), value, ...noteOf(before) }, ...waveFacts(key)];
}

export function waveFacts({ pairs, params }: KeyContext): Fact[] {
  if (pairs === null) return [];
  const turning = pairs.pairs.map(({ omega }) => omega).filter((omega) => omega > 0);
  const waves = wavelengths(turning);
  if (waves.length === 0) return [];
  const [shortest, longest] = [Math.min(...waves), Math.max(...waves)];
  const spread = t("{0} … {1} tokens", readableLength(shortest), readableLength(longest));
  const trained = trainedLength(params);
  if (trained === null) return [{ label: t("wavelengths"), value: spread }];
  const full = pairsPastOneTurn(turning, trained);
  return [
    { label: t("wavelengths"), value: spread },
    {
      label: t("full rotation in training"),
      value: t("{0} of {1} pairs, within {2} tokens", full, turning.length, readable(trained)),
    },
  ];
}

/** What the factor comes to: the length that it reaches, or the frequencies that it divides. */
export function scalingFacts(key: KeyContext): Fact[] {
  if (!scaled(key)) return frequencyFacts(key);
  return [...productFact(key), ...attentionFacts(key), ...fateFacts(key), ...waveFacts(key)];
}

function productFact(key: KeyContext): Fact[] {
  const [factor, trained] = [num(key, "factor"), trainedLength(key.params)];
  if (factor === null || trained === null) return [];
  const type = key.params.rope_type;
  if (type === "linear" || type === "dynamic") return changedBase(key, factor, trained);
  return num(key, "original_max_position_embeddings") === null ? [] : [reachFact(key, factor, trained)];
}

function changedBase(key: KeyContext, factor: number, trained: number): Fact[] {
  const [theta, dim] = [num(key, "rope_theta"), rotaryLength(key)];
  if (theta === null || dim === null) return [];
  const label = t("with these values");
  if (key.params.rope_type === "linear")
    return [{ label, value: `ω_k = ${readable(theta)}^(−2k/${readable(dim)}) / ${readable(factor)}` }];
  const grown = `${readable(factor)} · L/${readable(trained)} − ${readable(factor - 1)}`;
  const value = `θ′ = ${readable(theta)} · (${grown})^(${readable(dim)}/${readable(dim - 2)})`;
  return [{ label, value, note: t("for L above {0}", readable(trained)) }];
}

function reachFact({ params }: KeyContext, factor: number, trained: number): Fact {
  const product = factor * trained;
  const reached = extendedLength(params);
  const value = `${readable(factor)} × ${readable(trained)} = ${t("{0} tokens", readable(product))}`;
  const used = reached === null || reached === product ? undefined : t("used: {0}", readable(reached));
  return { label: t("with these values"), value, ...noteOf(used) };
}

function fateFacts({ pairs }: KeyContext): Fact[] {
  if (pairs === null) return [];
  const count = (fate: string) => pairs.pairs.filter((pair) => pair.fate === fate).length;
  const [kept, blended, divided] = [count("kept"), count("blended"), count("divided")];
  return [
    { label: t("pairs"), value: t("{0} unchanged, {1} blended, {2} divided by the factor", kept, blended, divided) },
  ];
}

/** The pair at which a bound of YaRN lies. */
export function betaFacts(key: KeyContext): Fact[] {
  const [theta, dim, length] = [num(key, "rope_theta"), rotaryLength(key), trainedLength(key.params)];
  if (theta === null || dim === null || length === null || theta <= 1 || length <= 0) return [];
  const bound = (name: string): Fact[] => {
    const beta = num(key, name);
    if (beta === null || beta <= 0) return [];
    const at = correctionDim(beta, { theta, dim, originalLength: length });
    const put = `${readable(dim)} · ln(${readable(length)}/(2π · ${readable(beta)})) / (2 ln ${readable(theta)})`;
    return [{ label: name, value: `k = ${put} = ${readable(Number(at.toPrecision(4)))}` }];
  };
  return [...bound("beta_fast"), ...bound("beta_slow"), ...fateFacts(key)];
}

export function attentionFormula(key: KeyContext): Formula | null {
  if (key.params.rope_type === "longrope") return longropeFactor;
  return num(key, "mscale") !== null && num(key, "mscale_all_dim") !== null ? mscale : attentionFactor;
}

export function attentionFacts(key: KeyContext): Fact[] {
  const { attention_scaling: factor, softmax_scale: softmax } = key.derived;
  const facts: Fact[] = [];
  if (typeof factor === "number" && factor !== 1) {
    const value = t("cos and sin × {0}, scores × {1}", short(factor), short(factor ** 2));
    facts.push({ label: t("attention factor"), value, ...noteOf(attentionSum(key, factor)) });
  }
  if (typeof softmax === "number") facts.push({ label: t("softmax scale"), value: short(softmax) });
  return facts;
}

/** "0.1 · ln 4 + 1", where that is where the number came from. */
function attentionSum(key: KeyContext, factor: number): string | undefined {
  const scale = num(key, "factor");
  if (key.params.rope_type !== "yarn" || scale === null || scale <= 1) return undefined;
  const computed = 0.1 * Math.log(scale) + 1;
  return Math.abs(computed - factor) < 1e-9 ? `0.1 · ln ${readable(scale)} + 1` : undefined;
}

/** Wavelength at which Llama 3's bounds lie. */
export function waveBound(key: KeyContext): Fact[] {
  const [bound, length] = [num(key, key.name), trainedLength(key.params)];
  if (bound === null || bound <= 0 || length === null) return [];
  const wave = readableLength(length / bound);
  const value = `λ = ${readable(length)} / ${readable(bound)} = ${wave}`;
  const what =
    key.name === "low_freq_factor"
      ? t("longer wavelengths: divided by the factor")
      : t("shorter wavelengths: unchanged");
  return [{ label: t("with these values"), value, note: what }, ...fateFacts(key), ...waveFacts(key)];
}

export function partFacts(key: KeyContext): Fact[] {
  const [head, turning, share] = [num(key, "head_dim"), rotaryLength(key), num(key, "partial_rotary_factor")];
  if (head === null || turning === null) return [];
  const put = share === null ? "" : `⌊${readable(share)} · ${readable(head)}⌋ = `;
  const value = `${put}${t("{0} of {1} dimensions rotate, {2} do not", turning, head, head - turning)}`;
  return [{ label: t("with these values"), value }, ...waveFacts(key)];
}

export function sectionFacts(key: KeyContext): Fact[] {
  const { mrope_section: sections } = key.spec.params;
  const dim = rotaryLength(key);
  if (!Array.isArray(sections) || dim === null) return [];
  const parts = sections.filter((part) => typeof part === "number");
  const sum = parts.reduce((total, part) => total + part, 0);
  const put = `${parts.slice(0, 8).map(String).join(" + ")} = ${readable(sum)}`;
  return [{ label: t("with these values"), value: put, note: t("d/2 = {0} pairs", readable(dim / 2)) }];
}
