import type { PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import table from "./ggufArchitectures.json" with { type: "json" };

/** What llama.cpp's code does for a `general.architecture` and the file does not contain (src/llama-model.cpp). */
export interface GgufArchitecture {
  /** `llama_model_rope_type`: NORM rotates interleaved pairs, NEOX, without this field, halves. */
  readonly layout?: PairLayout;
  readonly withoutRope?: true;
  /** Sections of M-RoPE: MROPE has them one after the other, IMROPE interleaves them. */
  readonly mropeSections?: "chunked" | "interleaved";
  /** ALiBi even if the file has no largest bias: always, or with this number of layers. */
  readonly alibi?: true | { readonly layers: number };
  /** Each n-th layer has full attention, if the file has a window but no pattern. */
  readonly windowPeriod?: number;
  /** Layers without RoPE: each n-th, or those with full attention. */
  readonly ropeFreeLayers?: number | "full";
  readonly encoderOnly?: true;
  /** Latent attention stores the whole key length, of which only a part rotates. */
  readonly storesWholeKeyLength?: true;
  /** `rope_freqs.weight` has proportional frequencies instead of Llama 3's. */
  readonly storesProportionalFrequencies?: true;
}

function isArchitectureTable(value: unknown): value is Readonly<Record<string, GgufArchitecture>> {
  return typeof value === "object" && value !== null;
}

const untypedTable: unknown = table;
const architectures = isArchitectureTable(untypedTable) ? untypedTable : {};

/** Facts about an architecture; empty for one that is not in the table. */
export function findGgufArchitecture(name: string): GgufArchitecture {
  return ownValue(architectures, name) ?? {};
}
