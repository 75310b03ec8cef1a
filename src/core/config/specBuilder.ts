import {
  type Confidence,
  type EncodingId,
  type EncodingSpec,
  type Evidence,
  isParamValue,
  type ParamValue,
  type ValueSource,
} from "../spec.ts";
import type { Sourced } from "./huggingface/attributes.ts";

/** Parameters of every spec; null where they do not apply. */
export const COMMON_PARAMS = [
  "rope_theta",
  "head_dim",
  "rotary_dim",
  "partial_rotary_factor",
  "num_heads",
  "num_kv_heads",
  "num_layers",
  "max_position_embeddings",
  "usable_positions",
  "original_max_position_embeddings",
  "factor",
  "sliding_window",
  "num_buckets",
  "max_distance",
] as const;

/** Collects parameters, each with its source and location. */
export class SpecBuilder {
  readonly #params: Record<string, ParamValue> = Object.fromEntries(COMMON_PARAMS.map((name) => [name, null]));
  readonly #sources: Record<string, ValueSource> = {};
  readonly #evidence: Evidence[] = [];

  /** Sets a parameter; a value that a parameter cannot have is ignored. */
  set(name: string, found: Sourced | undefined): this {
    if (found === undefined || !isParamValue(found.value)) return this;
    this.#params[name] = found.value;
    this.#sources[name] = found.source;
    if (found.path !== undefined && found.range !== undefined) {
      this.#evidence.push({ param: name, path: found.path, range: found.range });
    }
    return this;
  }

  derive(name: string, value: ParamValue): this {
    return value === null ? this : this.set(name, { value, source: "derived" });
  }

  get(name: string): ParamValue {
    return this.#params[name] ?? null;
  }

  copy(): SpecBuilder {
    const copy = new SpecBuilder();
    Object.assign(copy.#params, this.#params);
    Object.assign(copy.#sources, this.#sources);
    copy.#evidence.push(...this.#evidence);
    return copy;
  }

  build(encoding: EncodingId, where: string, layers: EncodingSpec["layers"], confidence: Confidence): EncodingSpec {
    return {
      encoding,
      where,
      layers,
      params: this.#params,
      sources: this.#sources,
      evidence: this.#evidence,
      confidence,
    };
  }
}
