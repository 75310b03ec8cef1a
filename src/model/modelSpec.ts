import type { EncodingSpec } from "../core/spec.ts";

/**
 * A model as data: which tensors there are and what is computed from them. The files in `families/` make one from a
 * config; `forward/` computes it. Names of tensors are those within the model, without the prefix of the class that
 * saved the file.
 */

/** A matrix with an optional bias: NAME.weight, NAME.bias. */
export interface LinearSpec {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  readonly bias: boolean;
  /** Stored [inputs][outputs], as GPT-2's Conv1D; otherwise [outputs][inputs]. */
  readonly inputsFirst?: true;
}

/** A norm over the last axis. */
export interface NormSpec {
  readonly name: string;
  readonly kind: "layer" | "rms";
  readonly size: number;
  readonly eps: number;
  /** `plus_one`: the file has the weight minus 1 (Gemma). `none`: it has none (OLMo). */
  readonly weight: "stored" | "plus_one" | "none";
  readonly bias: boolean;
}

/** A norm of queries or keys. */
export interface HeadNormSpec {
  readonly norm: NormSpec;
  /**
   * `head`: each head by itself, all with the same weight. `all`: all heads as one vector. `each_head`: each head has
   * its own weights, in one tensor [heads][head_dim]. `listed`: the same in one tensor per head, NAME.0, NAME.1, …
   */
  readonly over: "head" | "all" | "each_head" | "listed";
}

/**
 * How the columns of a fused projection are ordered, in units of a head. `blocks`: queries, keys, values. `by_key_head`:
 * for each key head the queries that share it, its key, its value.
 */
export type FusedOrder = "blocks" | "by_key_head";

export type ProjectionSpec =
  | { readonly kind: "separate"; readonly query: LinearSpec; readonly key: LinearSpec; readonly value: LinearSpec }
  | { readonly kind: "fused"; readonly linear: LinearSpec; readonly order: FusedOrder };

/** Keys that a query may attend to. */
export interface MaskSpec {
  readonly causal: boolean;
  /** Largest distance to a visible key: behind the query, and ahead of it unless causal. */
  readonly reach?: number;
}

/** DeBERTa's position terms, made of a table of relative embeddings. */
export interface DisentangledSpec {
  readonly table: string;
  readonly rows: number;
  readonly norm?: NormSpec;
  /** Projections of the table for c2p (key) and p2c (query); the content's own if shared. */
  readonly key?: LinearSpec;
  readonly query?: LinearSpec;
  /** Row of the table for a distance i − j; the opposite distance for p2c. */
  readonly row: (delta: number) => number;
  /** Factor on both terms. */
  readonly scale: number;
}

export interface AttentionSpec {
  readonly heads: number;
  readonly keyHeads: number;
  readonly headDim: number;
  readonly projection: ProjectionSpec;
  readonly output: LinearSpec;
  /** Queries, keys and values are clipped to ±clip. */
  readonly clip?: number;
  readonly queryNorm?: HeadNormSpec;
  readonly keyNorm?: HeadNormSpec;
  /** Multiplies q · k. */
  readonly scaling: number;
  /** c in c · tanh(logit / c). */
  readonly softcap?: number;
  readonly mask: MaskSpec;
  /** Rotation or bias; undefined without positions in the attention. */
  readonly encoding?: EncodingSpec;
  /** Table of a learned bias, [rows][heads]. */
  readonly biasTable?: { readonly name: string; readonly rows: number };
  readonly disentangled?: DisentangledSpec;
}

export type Activation = "gelu" | "gelu_tanh" | "silu" | "relu" | "quick_gelu" | "relu_squared" | "linear";

export type MlpSpec =
  | { readonly kind: "plain"; readonly up: LinearSpec; readonly down: LinearSpec; readonly activation: Activation }
  | {
      readonly kind: "gated";
      readonly gate: LinearSpec;
      readonly up: LinearSpec;
      readonly down: LinearSpec;
      readonly activation: Activation;
    }
  /** Gate and up projection in one matrix, the gate first. */
  | {
      readonly kind: "fused_gated";
      readonly gateUp: LinearSpec;
      readonly down: LinearSpec;
      readonly activation: Activation;
    }
  /** What keeps the layers after this one from being computed, in the current language. */
  | { readonly kind: "unsupported"; readonly reason: string };

/** Norms around a branch: of its input, of its output before it is added, of the sum. */
export interface BranchNorms {
  readonly before?: NormSpec;
  readonly output?: NormSpec;
  readonly sum?: NormSpec;
}

/** One layer. */
export interface BlockSpec {
  readonly attention: AttentionSpec;
  readonly attentionNorms: BranchNorms;
  /** Attention to the encoder's output. */
  readonly cross?: { readonly attention: AttentionSpec; readonly norms: BranchNorms };
  readonly mlp: MlpSpec;
  readonly mlpNorms: BranchNorms;
  /**
   * `parallel`: attention and MLP see the same input, and both are added to it. Without a norm of its own the MLP takes
   * the attention's.
   */
  readonly residual: "sequential" | "parallel";
  /** Factor on what a branch adds. */
  readonly residualScale: number;
  /** The normed input is what branches are added to (Bloom's `apply_residual_connection_post_layernorm`). */
  readonly residualFromNorm?: true;
}

export interface EmbeddingSpec {
  /** Names under which a file may have it: tied tensors are stored once. */
  readonly tokens: readonly string[];
  readonly vocabulary: number;
  readonly size: number;
  readonly scale: number;
  /**
   * A learned table of positions: position p has row p + offset. With a size of its own it is added after the
   * projection.
   */
  readonly positions?: {
    readonly name: string;
    readonly rows: number;
    readonly offset: number;
    readonly size?: number;
  };
  /** Tables whose row 0 is added to every token (BERT's token types). */
  readonly types?: { readonly name: string; readonly rows: number };
  readonly norm?: NormSpec;
  /** From the size of the embedding to that of the layers (OPT-350m). */
  readonly project?: LinearSpec;
}

export interface StackSpec {
  readonly where: "text" | "encoder" | "decoder";
  readonly embedding: EmbeddingSpec;
  readonly layers: number;
  readonly block: (layer: number) => BlockSpec;
  /** Applied to what cross attention reads. */
  readonly finalNorm?: NormSpec;
}

export interface ModelSpec {
  readonly modelType: string;
  /** One, or encoder and decoder. */
  readonly stacks: readonly StackSpec[];
  /** First id of a decoder. */
  readonly decoderStart?: number;
}
