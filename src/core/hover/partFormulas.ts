import type { Formula } from "../encodings/encoding.ts";
import type { CodeExplanation } from "../python/explain.ts";
import type { Subject } from "../python/recognise/recogniser.ts";
import type { EncodingId } from "../spec.ts";

export const frequencyFormula: Formula = {
  id: "part_frequencies",
  tex: "\\omega_k = \\theta^{-2k/d}, \\qquad k = 0 \\dots \\tfrac{d}{2} - 1",
  text: "ω_k = θ^(−2k/d),  k = 0 … d/2 − 1",
};
const angles: Formula = {
  id: "part_angles",
  tex: "\\varphi_{m,k} = m\\,\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "φ(m, k) = m · ω_k,  ω_k = θ^(−2k/d)",
};
const waves: Formula = {
  id: "part_waves",
  tex: "\\cos m\\omega_k,\\ \\sin m\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "cos(m · ω_k), sin(m · ω_k),  ω_k = θ^(−2k/d)",
};
const rotation: Formula = {
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

/** Formulas of parts of an encoding, for code that makes only that part. */
export const PART_FORMULAS: readonly Formula[] = [
  frequencyFormula,
  angles,
  waves,
  rotation,
  slopeFormula,
  bucketFormula,
];

/** Encodings that turn pairs by θ^(−2k/d), where nothing scales it. */
const ROTARY: readonly EncodingId[] = ["rope", "xpos", "rerope", "self_extend"];

const ROTARY_PARTS: Readonly<Partial<Record<Subject, Formula>>> = {
  "inverse frequencies": frequencyFormula,
  base: frequencyFormula,
  angles,
  "cos and sin": waves,
  rotation,
  "pair layout": rotation,
};

/** The formula of what the code makes, where it is less than the encoding's own; null otherwise. */
export function partFormula({ spec, subject, ropeType }: CodeExplanation): Formula | null {
  if (spec.encoding === "alibi" && subject === "slopes") return slopeFormula;
  if (spec.encoding === "t5_bias" && subject === "buckets") return bucketFormula;
  if (!ROTARY.includes(spec.encoding)) return null;
  const part = ROTARY_PARTS[subject] ?? null;
  // The turn of a pair is the same for every scaling; its frequency is what they change.
  return part === rotation || ropeType === null || ropeType === "default" ? part : null;
}
