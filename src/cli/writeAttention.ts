import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "../core/export/npy.ts";
import type { Params } from "../core/spec.ts";
import { errorMessage, UserError } from "../core/util/errors.ts";
import { startWasm } from "../model/backend/wasm.ts";
import { ARRAY_NAMES, type ArrayName, type AttentionRecord, type NumberArray } from "../model/forward/run.ts";
import { LoadedModel, loadTokenizer } from "../model/loadedModel.ts";
import type { TextTokenizer } from "../model/tokens/tokenizer.ts";
import type { ModelFolder } from "../model/weights/modelFolder.ts";
import type { AttentionOptions } from "./attention.ts";
import { type CommandResult, success } from "./io.ts";
import { openFolder } from "./modelFolder.ts";
import { formatJson } from "./output.ts";

/** The part of `posenc attention` that needs TensorFlow.js. */

/** What is computed, and for which tokens. */
interface Tokens {
  readonly ids: readonly number[];
  /** null without a tokenizer. */
  readonly tokens: readonly (string | null)[] | null;
  readonly decoderIds: readonly number[] | undefined;
}

export async function writeAttention(
  path: string,
  options: AttentionOptions,
  overrides: Params,
): Promise<CommandResult> {
  const arrays = parseArrays(options.what);
  const folder = openFolder(path);
  const model = await LoadedModel.open(folder, 0);
  try {
    const tokens = await readTokens(folder, model, options);
    const wants = parseLayer(options.layer, model);
    const head = parseHead(options.head, model);
    await startWasm(findWasmFolder());
    const { ids, decoderIds } = tokens;
    const request = { ids, ...(decoderIds === undefined ? {} : { decoderIds }), wants, arrays };
    const records: AttentionRecord[] = [];
    for await (const record of model.run(request, overrides)) records.push(keepHead(record, head));
    if (options.npy === undefined) return success(formatJson(recordsToJson(model, tokens, records)));
    writeArrayFile(options.npy, options, records);
    return success("");
  } finally {
    await model.close();
  }
}

function isArrayName(name: string): name is ArrayName {
  return ARRAY_NAMES.some((known) => known === name);
}

function parseArrays(text: string): readonly ArrayName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isArrayName(name));
  if (unknown !== undefined)
    throw new UserError(`--what ${JSON.stringify(unknown)}: must be one of ${ARRAY_NAMES.join(", ")}`);
  return names.filter(isArrayName);
}

/** A layer counts in each stack that has it. */
function parseLayer(text: string, { spec }: LoadedModel): (layer: number) => boolean {
  if (text === "all") return () => true;
  const count = Math.max(...spec.stacks.map(({ layers }) => layers));
  if (!/^\d+$/.test(text) || Number(text) >= count)
    throw new UserError(`--layer ${text}: must be all, or from 0 to ${count - 1}`);
  return (layer) => layer === Number(text);
}

function parseHead(text: string | undefined, { spec }: LoadedModel): number | undefined {
  if (text === undefined) return undefined;
  const count = Math.min(...spec.stacks.map(({ block }) => block(0).attention.heads));
  if (!/^\d+$/.test(text) || Number(text) >= count)
    throw new UserError(`--head ${text}: must be from 0 to ${count - 1}`);
  return Number(text);
}

async function readTokens(folder: ModelFolder, model: LoadedModel, options: AttentionOptions): Promise<Tokens> {
  const needed = options.text !== undefined || options.decoderText !== undefined;
  const tokenizer = await loadTokenizer(folder).catch((error: unknown) => {
    if (needed) throw error;
    return undefined;
  });
  const decoderIds = decoderIdsOf(model, tokenizer, options);
  if (options.text !== undefined && tokenizer !== undefined) {
    const { ids, tokens } = tokenizer.encode(options.text, true);
    if (ids.length === 0) throw new UserError("--text: the text has no tokens");
    return { ids, tokens, decoderIds };
  }
  const ids = parseIds("--ids", options.ids ?? "");
  return { ids, tokens: tokenizer === undefined ? null : ids.map((id) => tokenizer.tokenOf(id) ?? null), decoderIds };
}

function parseIds(option: string, text: string): number[] {
  return text.split(",").map((part) => {
    const id = Number(part);
    if (!/^\s*\d+\s*$/.test(part) || !Number.isSafeInteger(id))
      throw new UserError(`${option} ${text}: expected integers separated by commas`);
    return id;
  });
}

/** The start token, then the text without special tokens, or the ids. */
function decoderIdsOf(
  { spec }: LoadedModel,
  tokenizer: TextTokenizer | undefined,
  { decoderText, decoderIds }: AttentionOptions,
): readonly number[] | undefined {
  if (spec.decoderStart === undefined) {
    const option = decoderText === undefined ? "--decoder-ids" : "--decoder-text";
    if ((decoderText ?? decoderIds) !== undefined)
      throw new UserError(`${option}: ${spec.modelType} has no decoder of its own`);
    return undefined;
  }
  if (decoderIds !== undefined) return [spec.decoderStart, ...parseIds("--decoder-ids", decoderIds)];
  return [spec.decoderStart, ...(decoderText === undefined ? [] : (tokenizer?.encode(decoderText, false).ids ?? []))];
}

/** Arrays of which the first axis is not the head. */
const WITHOUT_HEADS: readonly ArrayName[] = ["hidden_in"];
/** Arrays with one entry per key head. */
const OF_KEY_HEADS: readonly ArrayName[] = ["k", "k_rot"];

/** One head of each array, with an axis of length 1; of keys the head that the query head reads. */
function keepHead(record: AttentionRecord, head: number | undefined): AttentionRecord {
  if (head === undefined) return record;
  const { heads, keyHeads } = record.spec;
  const arrays: Partial<Record<ArrayName, NumberArray>> = {};
  for (const name of ARRAY_NAMES) {
    const array = record.arrays[name];
    if (array === undefined) continue;
    const own = OF_KEY_HEADS.includes(name) ? Math.floor((head * keyHeads) / heads) : head;
    arrays[name] = WITHOUT_HEADS.includes(name) ? array : sliceFirst(array, own);
  }
  return { ...record, arrays };
}

function sliceFirst({ shape, values }: NumberArray, index: number): NumberArray {
  const rest = shape.slice(1);
  const size = rest.reduce((product, side) => product * side, 1);
  return { shape: [1, ...rest], values: values.slice(index * size, (index + 1) * size) };
}

function toNested({ shape, values }: NumberArray, axis = 0, offset = 0): unknown[] {
  const [side = 0, ...rest] = shape.slice(axis);
  // Nine digits identify a float32 number.
  if (rest.length === 0)
    return Array.from(values.subarray(offset, offset + side), (value) => Number(value.toPrecision(9)));
  const size = rest.reduce((product, next) => product * next, 1);
  return Array.from({ length: side }, (_, n) => toNested({ shape, values }, axis + 1, offset + n * size));
}

function recordsToJson(
  { spec }: LoadedModel,
  { ids, tokens, decoderIds }: Tokens,
  records: readonly AttentionRecord[],
) {
  return {
    model_type: spec.modelType,
    tokens,
    ids,
    ...(decoderIds === undefined ? {} : { decoder_ids: decoderIds }),
    layers: records.map(({ stack, layer, kind, spec: own, arrays }) => ({
      ...(spec.stacks.length > 1 ? { stack } : {}),
      layer,
      kind,
      heads: own.heads,
      kv_heads: own.keyHeads,
      head_dim: own.headDim,
      ...Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, toNested(array)])),
    })),
  };
}

/**
 * .npy holds one array: that of one layer, or with `--layer all` those of all layers, one after the other along a first
 * axis.
 */
function writeArrayFile(file: string, { layer, what }: AttentionOptions, records: readonly AttentionRecord[]): void {
  if (what.includes(",")) throw new UserError(`--npy ${file}: .npy holds one array; --what names several`);
  const arrays = records.flatMap(({ arrays: own }) => Object.values(own));
  const [first, ...others] = arrays;
  if (first === undefined) throw new UserError(`--npy ${file}: the model has no ${what} there`);
  if (layer !== "all" && others.length > 0)
    throw new UserError(`--npy ${file}: .npy holds one array; layer ${layer} has ${arrays.length} attentions`);
  if (others.some(({ shape }) => shape.join() !== first.shape.join()))
    throw new UserError(`--npy ${file}: the arrays of the layers have different shapes; pass one --layer`);
  const values = new Float32Array(arrays.length * first.values.length);
  arrays.forEach((own, n) => {
    values.set(own.values, n * first.values.length);
  });
  try {
    writeFileSync(file, writeNpy(values, ...(layer === "all" ? [arrays.length] : []), ...first.shape));
  } catch (error) {
    throw new UserError(`--npy ${file}: ${errorMessage(error)}`);
  }
}

/** Folder of the backend's .wasm files: beside the program, or in the package while developing. */
function findWasmFolder(): string {
  const candidates = ["wasm", "../wasm", "../../node_modules/@tensorflow/tfjs-backend-wasm/dist"];
  const folders = candidates.map((name) => `${join(__dirname, name)}/`);
  const found = folders.find((folder) => existsSync(join(folder, "tfjs-backend-wasm-simd.wasm")));
  if (found === undefined) throw new UserError(`the program is incomplete: ${folders[0] ?? ""} is missing`);
  return found;
}
