import type { EncodingSpec } from "../../core/spec.ts";
import type { HeadNormSpec, LinearSpec, MaskSpec, ModelSpec, NormSpec } from "../modelSpec.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** Models whose layers are built the same way. */
export interface Family {
  readonly modelTypes: readonly string[];
  /** @throws UserError for a config that lacks a size or asks for something unsupported */
  readonly describe: (config: FamilyConfig) => ModelSpec;
}

export function linear(name: string, inputs: number, outputs: number, bias = false): LinearSpec {
  return { name, inputs, outputs, bias };
}

export function rmsNorm(name: string, size: number, eps: number): NormSpec {
  return { name, kind: "rms", size, eps, weight: "stored", bias: false };
}

export function layerNorm(name: string, size: number, eps: number, bias = true): NormSpec {
  return { name, kind: "layer", size, eps, weight: "stored", bias };
}

export function headNorm(norm: NormSpec, over: HeadNormSpec["over"] = "head"): HeadNormSpec {
  return { norm, over };
}

/**
 * A mask with the encoding's window: a window of w tokens is the token itself and w − 1 before it, and as many after it
 * unless causal.
 */
export function windowMask(encoding: EncodingSpec | undefined, causal: boolean): MaskSpec {
  const window = encoding?.params.sliding_window;
  return { causal, ...(typeof window === "number" ? { reach: window - 1 } : {}) };
}

export const causalMask = (encoding: EncodingSpec | undefined): MaskSpec => windowMask(encoding, true);

/** The sizes of an attention. */
export interface HeadSizes {
  readonly heads: number;
  readonly keyHeads: number;
  readonly headDim: number;
}

export function readHeadSizes(config: FamilyConfig, where = "text"): HeadSizes {
  return {
    heads: config.resolved(where, "num_heads"),
    keyHeads: config.resolved(where, "num_kv_heads"),
    headDim: config.resolved(where, "head_dim"),
  };
}

/** The encoding as far as it acts within attention. */
export function encodingField(encoding: EncodingSpec | undefined): { encoding?: EncodingSpec } {
  return encoding === undefined ? {} : { encoding };
}
