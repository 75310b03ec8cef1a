import type { Term } from "./term.ts";

/** The factors of a scale, as readouts show them; derives 1/√n if the scale is one for an integer n. */
export function resolveScaleParts({
  scale,
  scaleParts,
}: Pick<Term, "scale" | "scaleParts">): NonNullable<Term["scaleParts"]> {
  if (scaleParts !== undefined) return scaleParts;
  if (scale === 1) return [];
  const root = Math.round(1 / (scale * scale));
  const exact = scale > 0 && root > 1 && Math.abs(scale * Math.sqrt(root) - 1) < 1e-12;
  return [{ value: scale, text: exact ? `1/√${root}` : String(Number(scale.toPrecision(6))) }];
}

/** Biases are added after scaling, unless a model scales them too. */
function takesSoftmaxScale({ kind, scale }: Term): boolean {
  return scale !== 1 || (kind !== "bias" && kind !== "gated");
}

/** The model's own 1/√d: the first factor of the content term's scale; 1 if it is not scaled. */
export function modelSoftmaxScale(terms: readonly Term[]): number {
  const content = terms.find(({ role }) => role === "content_content") ?? terms[0];
  return content === undefined ? 1 : (resolveScaleParts(content)[0]?.value ?? 1);
}

/**
 * The same terms with another value in place of the model's 1/√d. Further factors (YaRN's, DeepSeek's) are kept.
 * @param scale multiplies q · k
 */
export function withSoftmaxScale(terms: readonly Term[], scale: number): readonly Term[] {
  const modelScale = modelSoftmaxScale(terms);
  const text = String(Number(scale.toPrecision(6)));
  return terms.map((term) => {
    if (!takesSoftmaxScale(term)) return term;
    const [first, ...rest] = resolveScaleParts(term);
    const replaces = (first?.value ?? 1) === modelScale;
    const parts = replaces
      ? [{ value: scale, text }, ...rest]
      : [
          ...resolveScaleParts(term),
          { value: scale / modelScale, text: String(Number((scale / modelScale).toPrecision(6))) },
        ];
    return { ...term, scale: parts.reduce((product, { value }) => product * value, 1), scaleParts: parts };
  });
}
