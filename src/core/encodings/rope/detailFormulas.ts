import type { PairLayout } from "../../spec.ts";
import type { EncodingPart, Formula } from "../encoding.ts";

/** Formulas of single parts and parameters of rotary encodings, for hovers. */

export const frequencyFormula: Formula = {
  id: "rope_frequencies",
  tex: "\\omega_k = \\theta^{-2k/d}, \\qquad k = 0 \\dots \\tfrac{d}{2} - 1",
  text: "ω_k = θ^(−2k/d),  k = 0 … d/2 − 1",
};

const angleFormula: Formula = {
  id: "rope_angles",
  tex: "\\varphi_{m,k} = m\\,\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "φ(m, k) = m · ω_k,  ω_k = θ^(−2k/d)",
};

const cosSinFormula: Formula = {
  id: "rope_cos_sin",
  tex: "\\cos m\\omega_k,\\ \\sin m\\omega_k, \\qquad \\omega_k = \\theta^{-2k/d}",
  text: "cos(m · ω_k), sin(m · ω_k),  ω_k = θ^(−2k/d)",
};

/** Scaling changes the frequency of a pair, not this formula. */
export const rotationFormula: Formula = {
  id: "rope_rotation",
  tex: "\\begin{aligned}x' &= x \\cos m\\omega_k - y \\sin m\\omega_k \\\\ y' &= x \\sin m\\omega_k + y \\cos m\\omega_k\\end{aligned}",
  text: "x′ = x cos mω_k − y sin mω_k,  y′ = x sin mω_k + y cos mω_k",
};

export const rotaryPartFormulas: Readonly<Partial<Record<EncodingPart, Formula>>> = {
  "inverse frequencies": frequencyFormula,
  base: frequencyFormula,
  angles: angleFormula,
  "cos and sin": cosSinFormula,
  rotation: rotationFormula,
  "pair layout": rotationFormula,
};

export const correctionFormula: Formula = {
  id: "yarn_correction",
  tex: "k_{\\beta} = \\frac{d \\,\\ln \\frac{L}{2\\pi\\beta}}{2 \\ln \\theta}",
  text: "k_β = d · ln(L/(2πβ)) / (2 ln θ)",
};

export const attentionFactorFormula: Formula = {
  id: "yarn_attention_factor",
  tex: "t = 0.1\\,\\ln s + 1, \\qquad q' \\cdot k' \\to t^2\\; q' \\cdot k'",
  text: "t = 0.1 · ln s + 1;  cos and sin × t, scores × t²",
};

export const mscaleFormula: Formula = {
  id: "yarn_mscale",
  tex: "t = \\frac{m(s, \\mathrm{mscale})}{m(s, \\mathrm{mscale\\_all\\_dim})}, \\qquad m(s, c) = 0.1\\,c \\ln s + 1",
  text: "t = m(s, mscale) / m(s, mscale_all_dim),  m(s, c) = 0.1 · c · ln s + 1",
};

export const longropeFactorFormula: Formula = {
  id: "longrope_attention_factor",
  tex: "t = \\sqrt{1 + \\frac{\\ln s}{\\ln L_0}}",
  text: "t = √(1 + ln s / ln L₀)",
};

export const fullRotationsFormula: Formula = {
  id: "rope_full_rotations",
  tex: "n_k = \\frac{L\\,\\omega_k}{2\\pi}, \\qquad \\lambda_k = \\frac{2\\pi}{\\omega_k}",
  text: "full rotations of pair k within L positions: n_k = L · ω_k / 2π;  its wavelength: λ_k = 2π / ω_k",
};

export const rotatedDimsFormula: Formula = {
  id: "rope_rotated_dims",
  tex: "d_{\\mathrm{rot}} = \\lfloor p\\, d_{\\mathrm{head}} \\rfloor, \\qquad \\omega_k = \\theta^{-2k/d_{\\mathrm{rot}}}",
  text: "d_rot = ⌊p · head_dim⌋,  ω_k = θ^(−2k/d_rot)",
};

/** Those of parameters. */
export const ropeParameterFormulas: readonly Formula[] = [
  correctionFormula,
  attentionFactorFormula,
  mscaleFormula,
  longropeFactorFormula,
  fullRotationsFormula,
  rotatedDimsFormula,
];

/** The rotation of a whole head as a matrix, in both pair layouts; Rotation shows them. */
export const MATRIX_FORMULAS = {
  interleaved: {
    id: "rope_block_matrix",
    tex: "R_m = \\begin{pmatrix} \\cos m\\omega_0 & -\\sin m\\omega_0 & 0 & 0 & \\cdots \\\\ \\sin m\\omega_0 & \\cos m\\omega_0 & 0 & 0 & \\cdots \\\\ 0 & 0 & \\cos m\\omega_1 & -\\sin m\\omega_1 & \\cdots \\\\ 0 & 0 & \\sin m\\omega_1 & \\cos m\\omega_1 & \\cdots \\\\ \\vdots & \\vdots & \\vdots & \\vdots & \\ddots \\end{pmatrix}",
    text: "R_m = diag of 2 × 2 blocks (cos mω_k, −sin mω_k; sin mω_k, cos mω_k) for the pairs (2k, 2k + 1)",
  },
  half: {
    id: "rope_half_matrix",
    tex: "\\begin{aligned}R_m^{\\mathrm{half}} &= \\begin{pmatrix} C & -S \\\\ S & C \\end{pmatrix} = \\Pi^{\\top} R_m\\,\\Pi \\\\ (\\Pi x)_{2k} &= x_k, \\quad (\\Pi x)_{2k+1} = x_{k+d/2}\\end{aligned}",
    text: "R_m of the half layout = (C, −S; S, C) = Πᵀ R_m Π,  (Πx)_2k = x_k, (Πx)_(2k+1) = x_(k+d/2),  C = diag(cos mω_k), S = diag(sin mω_k)",
  },
} satisfies Record<PairLayout, Formula>;
