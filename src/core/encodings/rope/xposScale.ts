/** ζ_k = (2k + 0.4d)/(1.4d): the factor on pair k per `scale_base` positions (arXiv 2212.10554, section 3). */
export function xposZeta(headDim: number): number[] {
  return Array.from({ length: headDim / 2 }, (_, k) => (2 * k + 0.4 * headDim) / (1.4 * headDim));
}
