import type { Formula } from "../encodings/encoding.ts";
import type { CodeExplanation } from "../python/explain.ts";
import type { EncodingPart } from "../python/recognise/recognition.ts";
import type { EncodingId } from "../spec.ts";

export const frequencyFormula: Formula = {
  id: "part_frequencies",
  tex: "\\omega_k = \\theta^{-2k/d}, \\qquad k = 0 \\dots \\tfrac{d}{2} - 1",
  text: "ω_k = θ^(−2k/d),  k = 0 … d/2 − 1",
};
const angleFormula: Formula = {
  id: "part_angles",
  tex: "\\varphi_{m,k} = m\\,\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "φ(m, k) = m · ω_k,  ω_k = θ^(−2k/d)",
};
const waveFormula: Formula = {
  id: "part_waves",
  tex: "\\cos m\\omega_k,\\ \\sin m\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "cos(m · ω_k), sin(m · ω_k),  ω_k = θ^(−2k/d)",
};
const rotationFormula: Formula = {
  id: "part_rotation",
  tex: "\\begin{aligned}x' &= x \\cos m\\omega_k - y \\sin m\\omega_k \\\\ y' &= x \\sin m\\omega_k + y \\cos m\\omega_k\\end{aligned}",
  text: "x′ = x cos mω_k − y sin mω_k,  y′ = x sin mω_k + y cos mω_k",
};
export const slopeFormula: Formula = {
  id: "part_slopes",
  tex: "m_h = 2^{-8h/n}, \\qquad h = 1 \\dots n",
  text: "m_h = 2^(−8h/n),  h = 1 … n",
};
export const bucketFormula: Formula = {
  id: "part_buckets",
  tex: "\\begin{aligned}\\beta(x) &= x \\quad \\text{for } x < m = \\tfrac{n}{2},\\ \\text{else} \\\\ \\beta(x) &= \\min\\Big(n-1,\\ m + \\Big\\lfloor \\frac{\\ln(x/m)}{\\ln(D/m)}\\,(n-m) \\Big\\rfloor\\Big)\\end{aligned}",
  text: "β(x) = x for x < m = n/2, else min(n − 1, m + ⌊ln(x/m) / ln(D/m) · (n − m)⌋)",
};

/** Formulas of parts of an encoding, for code that computes only that part. */
export const PART_FORMULAS: readonly Formula[] = [
  frequencyFormula,
  angleFormula,
  waveFormula,
  rotationFormula,
  slopeFormula,
  bucketFormula,
];

/** Encodings that rotate pairs by θ^(−2k/d) unless scaled. */
const ROTARY_ENCODINGS: readonly EncodingId[] = ["rope", "xpos", "rerope", "self_extend"];

const FORMULA_BY_ROTARY_PART: Readonly<Partial<Record<EncodingPart, Formula>>> = {
  "inverse frequencies": frequencyFormula,
  base: frequencyFormula,
  angles: angleFormula,
  "cos and sin": waveFormula,
  rotation: rotationFormula,
  "pair layout": rotationFormula,
};

/** The formula of the part that the code computes; null if the encoding's own formula applies. */
export function partFormula({ spec, part, ropeType }: CodeExplanation): Formula | null {
  if (spec.encoding === "alibi" && part === "slopes") return slopeFormula;
  if (spec.encoding === "t5_bias" && part === "buckets") return bucketFormula;
  if (!ROTARY_ENCODINGS.includes(spec.encoding)) return null;
  const formula = FORMULA_BY_ROTARY_PART[part] ?? null;
  // Scaling changes the frequency of a pair, not its rotation formula.
  return formula === rotationFormula || ropeType === null || ropeType === "default" ? formula : null;
}
