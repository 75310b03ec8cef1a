import type { Formula } from "../encoding.ts";
import type { RopeType } from "./frequencies.ts";

/** One formula per `rope_type`: the rotation for the default, the modified frequencies for the others. */
export const ROPE_FORMULAS: Readonly<Record<RopeType, Formula>> = {
  default: {
    id: "rope",
    tex: "\\begin{aligned}q_i' \\cdot k_j' &= q_i^{\\top} R_{j-i}\\, k_j, \\qquad \\omega_k = \\theta^{-2k/d} \\\\ \\begin{pmatrix} x' \\\\ y' \\end{pmatrix} &= \\begin{pmatrix} \\cos m\\omega_k & -\\sin m\\omega_k \\\\ \\sin m\\omega_k & \\cos m\\omega_k \\end{pmatrix} \\begin{pmatrix} x \\\\ y \\end{pmatrix}\\end{aligned}",
    text: "q′(i) · k′(j) = qᵀ R(j − i) k;  (x′, y′) = (x cos mω_k − y sin mω_k, x sin mω_k + y cos mω_k),  ω_k = θ^(−2k/d)",
    meaning: {
      en: "Each pair of dimensions rotates by position × frequency; only the distance remains in the product.",
      zh: "每个维度对按“位置 × 频率”旋转；点积中只剩下相对距离。",
    },
  },
  linear: {
    id: "rope_linear",
    tex: "\\omega_k = \\frac{\\theta^{-2k/d}}{s}, \\qquad \\text{position } m \\text{ rotates like } m/s",
    text: "ω_k = θ^(−2k/d) / s: position m rotates like m/s",
    meaning: {
      en: "Position interpolation: divides every frequency by s, which squeezes positions into the training range. Neighbours become harder to tell apart.",
      zh: "线性位置内插（PI）：所有频率除以 s，把位置压进训练范围；相邻位置因此更难区分。",
    },
  },
  ntk: {
    id: "rope_ntk",
    tex: "\\omega_k = \\bigl(\\theta \\cdot s^{d/(d-2)}\\bigr)^{-2k/d}",
    text: "ω_k = (θ · s^(d/(d−2)))^(−2k/d)",
    meaning: {
      en: "NTK-aware scaling: a larger base. The highest frequency stays, the lowest is divided by exactly s.",
      zh: "NTK 感知缩放：增大底数。最高频不变，最低频恰好除以 s。",
    },
  },
  dynamic: {
    id: "rope_dynamic",
    tex: "\\omega_k = \\Bigl(\\theta \\cdot \\bigl(\\tfrac{s L}{L_{\\max}} - (s-1)\\bigr)^{d/(d-2)}\\Bigr)^{-2k/d}, \\qquad L > L_{\\max}",
    text: "ω_k = (θ · (s·L/L_max − (s − 1))^(d/(d−2)))^(−2k/d) for L > L_max",
    meaning: {
      en: "Dynamic NTK: the base grows with the length L of the call and keeps its trained value up to L_max.",
      zh: "动态 NTK：底数随本次长度 L 增大；L 不超过 L_max 时保持训练值。",
    },
  },
  yarn: {
    id: "rope_yarn",
    tex: "\\begin{aligned}\\omega_k' &= \\omega_k \\Bigl[\\tfrac{\\gamma_k}{s} + (1 - \\gamma_k)\\Bigr], \\quad t = 0.1 \\ln s + 1 \\\\ \\gamma_k &= \\mathrm{clip}\\Bigl(\\tfrac{k - k_{\\mathrm{fast}}}{k_{\\mathrm{slow}} - k_{\\mathrm{fast}}}, 0, 1\\Bigr), \\quad k_{\\beta} = \\frac{d \\ln \\frac{L}{2\\pi\\beta}}{2 \\ln \\theta}\\end{aligned}",
    text: "ω′_k = ω_k · [γ_k / s + (1 − γ_k)],  γ_k = clip((k − k_fast)/(k_slow − k_fast), 0, 1),  k_β = d·ln(L/(2πβ))/(2 ln θ);  cos and sin × t = 0.1 ln s + 1",
    meaning: {
      en: "YaRN: keeps high frequencies, interpolates low ones and blends in between; cosine and sine are multiplied by t, so scores by t².",
      zh: "YaRN：高频不变，低频内插，中间平滑过渡；cos 与 sin 乘 t，因此分数乘 t²。",
    },
  },
  longrope: {
    id: "rope_longrope",
    tex: "\\begin{aligned}\\omega_k &= \\frac{1}{\\lambda_k\\, \\theta^{2k/d}}, \\qquad t = \\sqrt{1 + \\frac{\\ln s}{\\ln L_0}} \\\\ \\lambda &= \\lambda^{\\mathrm{short}}\\ \\text{for } L \\le L_0, \\quad \\lambda^{\\mathrm{long}}\\ \\text{for } L > L_0\\end{aligned}",
    text: "ω_k = 1 / (λ_k θ^(2k/d)), λ = short_factor for L ≤ L₀, long_factor beyond;  cos and sin × t = √(1 + ln s / ln L₀)",
    meaning: {
      en: "LongRoPE: a searched divisor for each pair, with one list for short calls and one for long ones.",
      zh: "LongRoPE：为每个维度对搜索得到一个除数，短文本与长文本各用一组。",
    },
  },
  llama3: {
    id: "rope_llama3",
    tex: "\\begin{aligned}\\omega_k' &= \\begin{cases} \\omega_k & \\lambda_k < L/h \\\\ \\omega_k / s & \\lambda_k > L/l \\\\ (1-\\sigma)\\,\\omega_k / s + \\sigma\\,\\omega_k & \\text{else} \\end{cases} \\\\ \\sigma &= \\frac{L/\\lambda_k - l}{h - l}, \\qquad \\lambda_k = \\frac{2\\pi}{\\omega_k}\\end{aligned}",
    text: "ω′_k = ω_k if λ_k < L/h;  ω_k/s if λ_k > L/l;  else (1 − σ)·ω_k/s + σ·ω_k with σ = (L/λ_k − l)/(h − l), λ_k = 2π/ω_k",
    meaning: {
      en: "Llama 3.1: the wavelength of a pair decides whether its frequency is kept, divided by s, or blended.",
      zh: "Llama 3.1：由波长决定频率是保留、除以 s，还是平滑过渡。",
    },
  },
  proportional: {
    id: "rope_proportional",
    tex: "\\omega_k = \\begin{cases} \\theta^{-2k/d_{\\mathrm{head}}} / s & k < \\lfloor p\\, d_{\\mathrm{head}} / 2 \\rfloor \\\\ 0 & \\text{else} \\end{cases}",
    text: "ω_k = θ^(−2k/head_dim) / s for k < ⌊p·head_dim/2⌋, else 0",
    meaning: {
      en: "p-RoPE: the lowest-frequency pairs do not rotate and carry only content; exponents run over the whole head.",
      zh: "p-RoPE：最低频的若干对不旋转，只承载内容；指数按整个头的维数计算。",
    },
  },
  axial: {
    id: "rope_axial",
    tex: "\\omega_k = \\theta^{-4k/d}, \\qquad \\text{angles } (h\\,\\omega_k,\\; w\\,\\omega_k)",
    text: "ω_k = θ^(−4k/d): half of the pairs rotate by h·ω_k, half by w·ω_k",
    meaning: {
      en: "Axial: half of the pairs rotate by the row of an image patch, half by its column.",
      zh: "轴向旋转：一半维度对按图像块的行旋转，另一半按列旋转。",
    },
  },
};
