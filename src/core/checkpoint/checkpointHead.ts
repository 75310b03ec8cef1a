import { isPositionTensor } from "../config/weights/safetensors.ts";
import { type GgufValue, readGguf } from "./gguf.ts";
import type { RangeReader, TensorInfo } from "./rangeReader.ts";
import { readSafetensors } from "./safetensors.ts";

/** What the head of a checkpoint holds that has to do with positions. */
export interface CheckpointHead {
  /** "GGUF 3", "safetensors" */
  readonly format: string;
  readonly tensorCount: number;
  /** Metadata about positions, in the order of the file. */
  readonly metadata: readonly (readonly [key: string, value: GgufValue])[];
  /** Tables, biases and frequencies, slowest dimension first. */
  readonly tensors: readonly Pick<TensorInfo, "name" | "shape" | "type">[];
}

/** Keys of GGUF metadata below the architecture that say something of positions (gguf-py, constants.py). */
const ABOUT_POSITIONS =
  /^(?!tokenizer\.).*(?:rope|context_length|embedding_length|block_count|head_count|key_length|value_length|sliding_window|relative_buckets|alibi|causal|temperature|max_pos|nope|chunk|position)/;

const GENERAL: ReadonlySet<string> = new Set(["general.architecture", "general.name", "general.size_label"]);

const GGUF_TENSORS =
  /^(?:rope_freqs|rope_factors_(?:long|short)|(?:v\.|token_)?position_embd)\.weight$|attn_rel_b\.weight$/;

/** ggml's types, as far as tables and frequencies are kept in them (ggml.h). */
const GGML_TYPES: Readonly<Record<string, string>> = {
  "ggml 0": "F32",
  "ggml 1": "F16",
  "ggml 8": "Q8_0",
  "ggml 30": "BF16",
};

/**
 * Reads the head alone.
 * @throws CheckpointError when the bytes are neither GGUF nor safetensors, or cut off
 */
export async function readCheckpointHead(reader: RangeReader): Promise<CheckpointHead> {
  const start = await reader.read(0, 9);
  return start[8] === 0x7b ? safetensorsHead(reader) : ggufHead(reader);
}

async function ggufHead(reader: RangeReader): Promise<CheckpointHead> {
  const { version, metadata, tensors } = await readGguf(reader);
  const relevant = tensors.filter(({ name }) => GGUF_TENSORS.test(name) || isPositionTensor(name));
  return {
    format: `GGUF ${version}`,
    tensorCount: tensors.length,
    metadata: [...metadata].filter(([key]) => GENERAL.has(key) || ABOUT_POSITIONS.test(key)),
    tensors: relevant.map(({ name, shape, type }) => ({
      name,
      shape: shape.toReversed(),
      type: GGML_TYPES[type] ?? type,
    })),
  };
}

async function safetensorsHead(reader: RangeReader): Promise<CheckpointHead> {
  const { tensors, metadata } = await readSafetensors(reader);
  return {
    format: "safetensors",
    tensorCount: tensors.length,
    metadata: Object.entries(metadata).filter(([key]) => key === "format"),
    tensors: tensors.filter(({ name }) => isPositionTensor(name)),
  };
}
