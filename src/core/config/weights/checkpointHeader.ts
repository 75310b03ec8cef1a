import { type GgufValue, readGgufHeader } from "../../checkpoint/gguf.ts";
import type { RangeReader, TensorInfo } from "../../checkpoint/rangeReader.ts";
import { readSafetensorsHeader } from "../../checkpoint/safetensors.ts";
import { ownValue } from "../../util/ownValue.ts";
import { isPositionTensor } from "./safetensors.ts";

/** What the header of a checkpoint contains about positions. */
export interface CheckpointHeader {
  /** "GGUF 3", "safetensors" */
  readonly format: string;
  readonly tensorCount: number;
  /** Metadata about positions, in file order. */
  readonly metadata: readonly (readonly [key: string, value: GgufValue])[];
  /** Tables, biases and frequencies, slowest dimension first. */
  readonly tensors: readonly Pick<TensorInfo, "name" | "shape" | "type">[];
}

/** Keys of GGUF metadata below the architecture that concern positions (gguf-py, constants.py). */
const POSITION_METADATA_KEY =
  /^(?!tokenizer\.).*(?:rope|context_length|embedding_length|block_count|head_count|key_length|value_length|sliding_window|relative_buckets|alibi|causal|temperature|max_pos|nope|chunk|position)/;

const GENERAL_METADATA_KEYS: ReadonlySet<string> = new Set([
  "general.architecture",
  "general.name",
  "general.size_label",
]);

const GGUF_POSITION_TENSOR =
  /^(?:rope_freqs|rope_factors_(?:long|short)|(?:v\.|token_)?position_embd)\.weight$|attn_rel_b\.weight$/;

/** Names of the ggml types that position tables and frequencies are stored in (ggml.h). */
const GGML_TYPE_NAMES: Readonly<Record<string, string>> = {
  "ggml 0": "F32",
  "ggml 1": "F16",
  "ggml 8": "Q8_0",
  "ggml 30": "BF16",
};

/**
 * Reads only the header, not the tensors' data.
 * @throws CheckpointError if the bytes are neither GGUF nor safetensors, or truncated
 */
export async function readCheckpointHeader(reader: RangeReader): Promise<CheckpointHeader> {
  const start = await reader.read(0, 9);
  return start[8] === 0x7b ? readSafetensorsPositions(reader) : readGgufPositions(reader);
}

async function readGgufPositions(reader: RangeReader): Promise<CheckpointHeader> {
  const { version, metadata, tensors } = await readGgufHeader(reader);
  const relevant = tensors.filter(({ name }) => GGUF_POSITION_TENSOR.test(name) || isPositionTensor(name));
  return {
    format: `GGUF ${version}`,
    tensorCount: tensors.length,
    metadata: [...metadata].filter(([key]) => GENERAL_METADATA_KEYS.has(key) || POSITION_METADATA_KEY.test(key)),
    tensors: relevant.map(({ name, shape, type }) => ({
      name,
      shape: shape.toReversed(),
      type: ownValue(GGML_TYPE_NAMES, type) ?? type,
    })),
  };
}

async function readSafetensorsPositions(reader: RangeReader): Promise<CheckpointHeader> {
  const { tensors, metadata } = await readSafetensorsHeader(reader);
  return {
    format: "safetensors",
    tensorCount: tensors.length,
    metadata: Object.entries(metadata).filter(([key]) => key === "format"),
    tensors: tensors.filter(({ name }) => isPositionTensor(name)),
  };
}
