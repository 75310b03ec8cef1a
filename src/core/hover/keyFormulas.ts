import type { Formula } from "../encodings/encoding.ts";

/** Formulas of single keys that need more detail than the encoding's own formula. */

export const correctionFormula: Formula = {
  id: "key_correction",
  tex: "k_{\\beta} = \\frac{d \\,\\ln \\frac{L}{2\\pi\\beta}}{2 \\ln \\theta}",
  text: "k_β = d · ln(L/(2πβ)) / (2 ln θ)",
};

export const attentionFactorFormula: Formula = {
  id: "key_attention_factor",
  tex: "t = 0.1\\,\\ln s + 1, \\qquad q' \\cdot k' \\to t^2\\; q' \\cdot k'",
  text: "t = 0.1 · ln s + 1;  cos and sin × t, scores × t²",
};

export const mscaleFormula: Formula = {
  id: "key_mscale",
  tex: "t = \\frac{m(s, \\mathrm{mscale})}{m(s, \\mathrm{mscale\\_all\\_dim})}, \\qquad m(s, c) = 0.1\\,c \\ln s + 1",
  text: "t = m(s, mscale) / m(s, mscale_all_dim),  m(s, c) = 0.1 · c · ln s + 1",
};

export const longropeFactorFormula: Formula = {
  id: "key_longrope_factor",
  tex: "t = \\sqrt{1 + \\frac{\\ln s}{\\ln L_0}}",
  text: "t = √(1 + ln s / ln L₀)",
};

export const fullRotationsFormula: Formula = {
  id: "key_turns",
  tex: "n_k = \\frac{L\\,\\omega_k}{2\\pi}, \\qquad \\lambda_k = \\frac{2\\pi}{\\omega_k}",
  text: "full rotations of pair k within L positions: n_k = L · ω_k / 2π;  its wavelength: λ_k = 2π / ω_k",
};

export const rotatedDimsFormula: Formula = {
  id: "key_rotated_part",
  tex: "d_{\\mathrm{rot}} = \\lfloor p\\, d_{\\mathrm{head}} \\rfloor, \\qquad \\omega_k = \\theta^{-2k/d_{\\mathrm{rot}}}",
  text: "d_rot = ⌊p · head_dim⌋,  ω_k = θ^(−2k/d_rot)",
};

export const slidingWindowFormula: Formula = {
  id: "key_sliding_window",
  tex: "0 \\le i - j < w",
  text: "query i sees key j only if 0 ≤ i − j < w",
};

export const KEY_FORMULAS: readonly Formula[] = [
  correctionFormula,
  attentionFactorFormula,
  mscaleFormula,
  longropeFactorFormula,
  fullRotationsFormula,
  rotatedDimsFormula,
  slidingWindowFormula,
];
