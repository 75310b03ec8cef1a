import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import { type CancelSignal, throwIfCancelled } from "../cancel.ts";
import type { AttentionSpec, BlockSpec, BranchNorms, ModelSpec, StackSpec } from "../modelSpec.ts";
import * as tf from "../tf.ts";
import type { Weights } from "../weights/weights.ts";
import { type AttentionTensors, computeAttention } from "./attention.ts";
import { embedIds } from "./embed.ts";
import { applyLinear } from "./linear.ts";
import { applyMlp } from "./mlp.ts";
import { normOrSame } from "./norm.ts";
import { PositionCache } from "./positions.ts";
import { Scope, withScope } from "./scope.ts";

/** Arrays of one attention, in the order of the forward pass. */
export const ARRAY_NAMES = ["hidden_in", "q", "k", "q_rot", "k_rot", "bias", "logits", "attention"] as const;

export type ArrayName = (typeof ARRAY_NAMES)[number];

/** Numbers, row-major. */
export interface NumberArray {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** One attention of a run. */
export interface AttentionRecord {
  readonly stack: StackSpec["where"];
  readonly layer: number;
  readonly kind: "self" | "cross";
  readonly spec: AttentionSpec;
  /** Those that were asked for and that this attention has. */
  readonly arrays: Readonly<Partial<Record<ArrayName, NumberArray>>>;
}

export interface RunRequest {
  readonly ids: readonly number[];
  /** Encoder-decoder models only. */
  readonly decoderIds?: readonly number[];
  /** Whether a layer is wanted; layers after the last wanted one are not computed. */
  readonly wants: (layer: number) => boolean;
  readonly arrays: readonly ArrayName[];
  /** Checked before each layer and each block of weights. */
  readonly signal?: CancelSignal;
  /** Awaited before each layer, so that a page can draw. */
  readonly onLayer?: (stack: StackSpec["where"], layer: number) => void | Promise<void>;
}

/** Logits of one layer that fit into memory beside the weights. */
const MAX_LOGITS = 2 ** 27;

/** What the layers of a stack have in common during a run. */
interface StackRun {
  readonly weights: Weights;
  readonly stack: StackSpec;
  readonly request: RunRequest;
  readonly positions: PositionCache;
  /** The encoder's output, for cross attention. */
  readonly memory: tf.Tensor2D | undefined;
}

/**
 * Computes a model layer by layer and yields what was asked for. Leaving the loop early frees everything.
 * @throws UserError for damaged weights and unsupported parts, RunCancelled
 */
export async function* runModel(
  weights: Weights,
  model: ModelSpec,
  request: RunRequest,
): AsyncGenerator<AttentionRecord, void> {
  const [first, second] = model.stacks;
  weights.watch(request.signal);
  if (first === undefined) return;
  if (second === undefined) {
    yield* runStack(weights, first, request, request.ids, undefined, false);
    return;
  }
  const memory = yield* runStack(weights, first, request, request.ids, undefined, true);
  try {
    yield* runStack(weights, second, request, request.decoderIds ?? [], memory, false);
  } finally {
    memory?.dispose();
  }
}

/** Yields a stack's attentions; returns its normed output if `needsOutput`. */
async function* runStack(
  weights: Weights,
  stack: StackSpec,
  request: RunRequest,
  ids: readonly number[],
  memory: tf.Tensor2D | undefined,
  needsOutput: boolean,
): AsyncGenerator<AttentionRecord, tf.Tensor2D | undefined> {
  if (ids.length === 0) throw new UserError(l10n.t("The text has no tokens."));
  requireFits(stack, ids.length);
  const last = lastWanted(stack, request);
  const positions = new PositionCache(weights, ids.length);
  const run: StackRun = { weights, stack, request, positions, memory };
  let hidden: tf.Tensor2D | undefined;
  try {
    if (last < 0 && !needsOutput) return undefined;
    hidden = await embedIds(weights, stack.embedding, ids);
    for (let layer = 0; layer < stack.layers && (needsOutput || layer <= last); layer++) {
      throwIfCancelled(request.signal);
      await request.onLayer?.(stack.where, layer);
      const next: tf.Tensor2D | undefined = yield* runBlock(run, layer, hidden, needsOutput || layer < last);
      if (next === undefined) return undefined;
      hidden.dispose();
      hidden = next;
    }
    return needsOutput ? await normOrSame(weights, hidden, stack.finalNorm) : undefined;
  } finally {
    hidden?.dispose();
    positions.dispose();
  }
}

function requireFits(stack: StackSpec, tokens: number): void {
  const { heads } = stack.block(0).attention;
  if (heads * tokens * tokens > MAX_LOGITS) {
    const most = Math.floor(Math.sqrt(MAX_LOGITS / heads));
    throw new UserError(l10n.t("{0} tokens are too many: the limit for {1} heads is {2}", tokens, heads, most));
  }
}

function lastWanted({ layers }: StackSpec, { wants }: RunRequest): number {
  for (let layer = layers - 1; layer >= 0; layer--) if (wants(layer)) return layer;
  return -1;
}

/** One layer: yields its attentions; returns its output if `goesOn`. */
async function* runBlock(
  run: StackRun,
  layer: number,
  hidden: tf.Tensor2D,
  goesOn: boolean,
): AsyncGenerator<AttentionRecord, tf.Tensor2D | undefined> {
  const { weights, stack } = run;
  const block = stack.block(layer);
  const scope = new Scope();
  try {
    const normed = scope.add(await normOrSame(weights, hidden, block.attentionNorms.before));
    const own = await computeSelf(run, block.attention, normed, scope);
    if (run.request.wants(layer)) yield await record(run, layer, "self", block.attention, own, hidden);
    if (!goesOn && block.cross === undefined) return undefined;
    const attended = scope.add(await applyLinear(weights, own.context, block.attention.output));
    if (block.residual === "parallel") return await addParallel(run, block, { hidden, normed, attended }, scope);
    const base = block.residualFromNorm ? normed : hidden;
    let sum = scope.add(await addBranch(run, block, block.attentionNorms, base, attended));
    if (block.cross !== undefined) {
      const crossed = yield* runCross(run, layer, block, sum, scope);
      sum = crossed;
    }
    if (!goesOn) return undefined;
    const input = scope.add(await normOrSame(weights, sum, block.mlpNorms.before));
    const fed = scope.add(await applyMlp(weights, input, block.mlp));
    return await addBranch(run, block, block.mlpNorms, block.residualFromNorm ? input : sum, fed);
  } finally {
    scope.dispose();
  }
}

async function* runCross(
  run: StackRun,
  layer: number,
  block: BlockSpec,
  hidden: tf.Tensor2D,
  scope: Scope,
): AsyncGenerator<AttentionRecord, tf.Tensor2D> {
  const { cross } = block;
  if (cross === undefined || run.memory === undefined) return hidden;
  const { weights } = run;
  const normed = scope.add(await normOrSame(weights, hidden, cross.norms.before));
  const inputs = { x: normed, source: run.memory };
  const own = addAll(scope, await computeAttention(weights, cross.attention, inputs, {}, undefined));
  if (run.request.wants(layer)) yield await record(run, layer, "cross", cross.attention, own, undefined);
  const attended = scope.add(await applyLinear(weights, own.context, cross.attention.output));
  return scope.add(await addBranch(run, block, cross.norms, hidden, attended));
}

function addAll(scope: Scope, own: AttentionTensors): AttentionTensors {
  for (const tensor of Object.values(own)) scope.add(tensor);
  return own;
}

async function computeSelf(
  { weights, positions }: StackRun,
  spec: AttentionSpec,
  x: tf.Tensor2D,
  scope: Scope,
): Promise<AttentionTensors> {
  const tensors = await positions.positionsOf(spec);
  return addAll(scope, await computeAttention(weights, spec, { x, source: x }, tensors, positions.maskOf(spec)));
}

/** base + scale · norm(branch), and the norm of the sum. The caller's. */
async function addBranch(
  { weights }: StackRun,
  { residualScale }: BlockSpec,
  norms: BranchNorms,
  base: tf.Tensor2D,
  branch: tf.Tensor2D,
): Promise<tf.Tensor2D> {
  return await withScope(async (scope) => {
    const output = scope.add(await normOrSame(weights, branch, norms.output));
    const scaled = scope.add(tf.tidy(() => tf.mul<tf.Tensor2D>(output, residualScale)));
    return await normOrSame(weights, scope.add(tf.tidy(() => tf.add<tf.Tensor2D>(base, scaled))), norms.sum);
  });
}

interface ParallelInputs {
  readonly hidden: tf.Tensor2D;
  readonly normed: tf.Tensor2D;
  readonly attended: tf.Tensor2D;
}

async function addParallel(
  { weights }: StackRun,
  block: BlockSpec,
  { hidden, normed, attended }: ParallelInputs,
  scope: Scope,
): Promise<tf.Tensor2D> {
  const { before } = block.mlpNorms;
  const input = before === undefined ? normed : scope.add(await normOrSame(weights, hidden, before));
  const fed = scope.add(await applyMlp(weights, input, block.mlp));
  return tf.tidy(() => tf.add(hidden, tf.mul<tf.Tensor2D>(tf.add(attended, fed), block.residualScale)));
}

/** Downloads what was asked for. */
async function record(
  { stack, request }: StackRun,
  layer: number,
  kind: AttentionRecord["kind"],
  spec: AttentionSpec,
  tensors: AttentionTensors,
  hidden: tf.Tensor2D | undefined,
): Promise<AttentionRecord> {
  const all: Partial<Record<ArrayName, tf.Tensor>> = {
    ...tensors,
    ...(hidden === undefined ? {} : { hidden_in: hidden }),
  };
  const arrays: Partial<Record<ArrayName, NumberArray>> = {};
  for (const name of ARRAY_NAMES) {
    const own = all[name];
    if (own === undefined || !request.arrays.includes(name)) continue;
    arrays[name] = { shape: own.shape, values: await own.data<"float32">() };
  }
  return { stack: stack.where, layer, kind, spec, arrays };
}
