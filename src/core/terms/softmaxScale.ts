import type { Term } from "./term.ts";

/** What a scale is made of; a scale that is 1/√n of a whole n says so. */
export function scaleParts({ scale, scaleParts }: Pick<Term, "scale" | "scaleParts">): NonNullable<Term["scaleParts"]> {
  if (scaleParts !== undefined) return scaleParts;
  if (scale === 1) return [];
  const root = Math.round(1 / (scale * scale));
  const exact = scale > 0 && root > 1 && Math.abs(scale * Math.sqrt(root) - 1) < 1e-12;
  return [{ value: scale, text: exact ? `1/√${root}` : String(Number(scale.toPrecision(6))) }];
}

/** Biases are added to the scaled products, unless a model scales them along. */
function isScaled({ kind, scale }: Term): boolean {
  return scale !== 1 || (kind !== "bias" && kind !== "gated");
}

/** The model's own 1/√d: the first part of what the content's product is multiplied with; 1 where it is not scaled. */
export function modelScale(terms: readonly Term[]): number {
  const content = terms.find(({ role }) => role === "content_content") ?? terms[0];
  return content === undefined ? 1 : (scaleParts(content)[0]?.value ?? 1);
}

/**
 * The same terms with another number in place of the model's 1/√d. Further factors (YaRN's, DeepSeek's) stay.
 * @param scale what queries times keys are multiplied with
 */
export function withSoftmaxScale(terms: readonly Term[], scale: number): readonly Term[] {
  const own = modelScale(terms);
  const text = String(Number(scale.toPrecision(6)));
  return terms.map((term) => {
    if (!isScaled(term)) return term;
    const [first, ...rest] = scaleParts(term);
    const replaces = (first?.value ?? 1) === own;
    const parts = replaces
      ? [{ value: scale, text }, ...rest]
      : [...scaleParts(term), { value: scale / own, text: String(Number((scale / own).toPrecision(6))) }];
    return { ...term, scale: parts.reduce((product, { value }) => product * value, 1), scaleParts: parts };
  });
}
