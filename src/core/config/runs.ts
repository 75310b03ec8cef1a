import type { EncodingSpec, Params, ParamValue } from "../spec.ts";

/** The encoding as a runtime computes it: the declared one, with what the runtime uses instead. */
export function specAsRun(spec: EncodingSpec, runtime: string): EncodingSpec {
  const { runs, ...declared } = spec;
  const own = runs?.[runtime];
  if (own === undefined) return spec;
  const { encoding, ...params } = own;
  return {
    ...declared,
    ...(typeof encoding === "string" ? { encoding } : {}),
    params: { ...declared.params, ...params },
  };
}

/** The declared encodings, each with what a runtime uses instead, from two readings of one file. */
export function addRuns(
  declared: readonly EncodingSpec[],
  run: readonly EncodingSpec[],
  runtime: string,
): EncodingSpec[] {
  return declared.map((spec) => {
    const others = run.filter(({ where }) => where === spec.where);
    const differences = (others.length > 0 ? others : run.slice(0, 1))
      .filter((other) => sharesLayers(spec, other))
      .map((other) => findDifferingParams(spec, other));
    // An encoding that the runtime has unchanged, beside others of the same layers, does not differ.
    const isUnchanged = differences.some((found) => Object.keys(found).length === 0) && !isLayered(spec, others);
    const params = differences.find((found) => Object.keys(found).length > 0);
    return params === undefined || isUnchanged ? spec : { ...spec, runs: { ...spec.runs, [runtime]: params } };
  });
}

function isLayered(spec: EncodingSpec, others: readonly EncodingSpec[]): boolean {
  return spec.layers === "all" && others.every(({ layers }) => layers !== "all");
}

function sharesLayers({ layers: a }: EncodingSpec, { layers: b }: EncodingSpec): boolean {
  return a === "all" || b === "all" || a.some((layer) => b.includes(layer));
}

function findDifferingParams(declared: EncodingSpec, run: EncodingSpec): Params {
  const names = new Set([...Object.keys(declared.params), ...Object.keys(run.params)]);
  const differing: Record<string, ParamValue> = {};
  if (run.encoding !== declared.encoding) differing.encoding = run.encoding;
  for (const name of names) {
    const [own, other] = [declared.params[name] ?? null, run.params[name] ?? null];
    if (JSON.stringify(own) !== JSON.stringify(other)) differing[name] = other;
  }
  return differing;
}
