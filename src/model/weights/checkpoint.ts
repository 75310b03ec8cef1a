import * as l10n from "@vscode/l10n";
import type { OpenedFile, TensorInfo } from "../../core/checkpoint/rangeReader.ts";
import { parseIndex, readSafetensorsHeader, readSafetensorsIndex } from "../../core/checkpoint/safetensors.ts";
import { errorMessage, UserError } from "../../core/util/errors.ts";
import { floatFormat } from "./decodeFloat32.ts";
import type { ModelFolder } from "./modelFolder.ts";

/** A tensor of a checkpoint, and the file that it is in. */
interface LocatedTensor {
  readonly info: TensorInfo;
  readonly file: string;
  readonly opened: OpenedFile;
}

/** An index lists every tensor; more would be no model's. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** Bytes per read. */
const PIECE_BYTES = 4 * 1024 * 1024;

const INDEX_SUFFIX = ".safetensors.index.json";

/**
 * The tensors of a folder's safetensors files. Headers are read when a tensor of their file is first asked for, numbers
 * only by rows. Close it after use.
 */
export class Checkpoint {
  readonly #folder: ModelFolder;
  /** Tensor name → file. */
  readonly #files: ReadonlyMap<string, string>;
  /** What lists the tensors, for messages: the index or the file. */
  readonly #listing: string;
  readonly #opened = new Map<string, OpenedFile>();
  readonly #headers = new Map<string, ReadonlyMap<string, TensorInfo>>();

  private constructor(folder: ModelFolder, files: ReadonlyMap<string, string>, listing: string) {
    this.#folder = folder;
    this.#files = files;
    this.#listing = listing;
  }

  /** @throws UserError if the folder has no safetensors files, or they are damaged */
  static async open(folder: ModelFolder): Promise<Checkpoint> {
    const names = await folder.list();
    const index = pickFile(names.filter((name) => name.endsWith(INDEX_SUFFIX)));
    if (index !== undefined) return new Checkpoint(folder, await readIndex(folder, index), index);
    const file = pickFile(names.filter((name) => name.endsWith(".safetensors")));
    if (file === undefined) throw new UserError(describeMissingWeights(names));
    const listed = new Map<string, string>();
    const checkpoint = new Checkpoint(folder, listed, file);
    try {
      for (const name of (await checkpoint.#header(file)).keys()) listed.set(name, file);
    } catch (error) {
      await checkpoint.close();
      throw error;
    }
    return checkpoint;
  }

  get names(): Iterable<string> {
    return this.#files.keys();
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Where a tensor would be listed. */
  get listing(): string {
    return this.#listing;
  }

  /**
   * Finds a tensor of floating point numbers.
   * @throws UserError if it is missing, has another shape or type, or its file is damaged
   */
  async find(name: string, shape: readonly number[]): Promise<LocatedTensor> {
    const file = this.#files.get(name);
    if (file === undefined) throw new UserError(l10n.t("{0}: tensor {1} is missing", this.#listing, name));
    const info = (await this.#header(file)).get(name);
    const opened = this.#opened.get(file);
    if (info === undefined || opened === undefined)
      throw new UserError(l10n.t("{0}: tensor {1} is missing", file, name));
    if (shape.length !== info.shape.length || shape.some((side, n) => side !== info.shape[n])) {
      const found = `[${info.shape.join(", ")}]`;
      throw new UserError(
        l10n.t("{0}: tensor {1} has shape {2}; expected {3}", file, name, found, `[${shape.join(", ")}]`),
      );
    }
    const format = floatFormat(info.type);
    if (format === undefined)
      throw new UserError(l10n.t("{0}: tensor {1} has type {2}, which is not supported", file, name, info.type));
    const bytes = shape.reduce((product, side) => product * side, format.bytes);
    if (info.length !== bytes)
      throw new UserError(l10n.t("{0}: the size of tensor {1} does not match its shape", file, name));
    if (info.offset + bytes > opened.reader.size)
      throw new UserError(l10n.t("{0}: the file ends within tensor {1}", file, name));
    return { info, file, opened };
  }

  /** The shape of a tensor whose shape no config states; undefined without the tensor. */
  async shapeOf(name: string): Promise<readonly number[] | undefined> {
    const file = this.#files.get(name);
    return file === undefined ? undefined : (await this.#header(file)).get(name)?.shape;
  }

  /**
   * Reads rows (the slowest dimension) of a tensor as float32.
   * @throws UserError for values that are not finite, and if the file ends too early
   */
  async readRows({ info, file, opened }: LocatedTensor, from: number, to: number): Promise<Float32Array<ArrayBuffer>> {
    const format = floatFormat(info.type);
    if (format === undefined) throw new Error(info.type);
    const columns = info.shape.slice(1).reduce((product, side) => product * side, 1);
    const values = new Float32Array((to - from) * columns);
    const start = info.offset + from * columns * format.bytes;
    const bytes = values.length * format.bytes;
    for (let done = 0; done < bytes; ) {
      const piece = await opened.reader.read(start + done, Math.min(PIECE_BYTES, bytes - done));
      const count = Math.floor(piece.length / format.bytes);
      if (count === 0) throw new UserError(l10n.t("{0}: the file ends within tensor {1}", file, info.name));
      format.decode(new DataView(piece.buffer, piece.byteOffset), count, values, done / format.bytes);
      done += count * format.bytes;
    }
    requireFinite(values, file, info.name);
    return values;
  }

  async close(): Promise<void> {
    for (const file of this.#opened.values()) await file.close();
    this.#opened.clear();
    this.#headers.clear();
  }

  async #header(file: string): Promise<ReadonlyMap<string, TensorInfo>> {
    const known = this.#headers.get(file);
    if (known !== undefined) return known;
    const opened = await openNamed(this.#folder, file);
    this.#opened.set(file, opened);
    try {
      const { tensors } = await readSafetensorsHeader(opened.reader);
      const header = new Map(tensors.map((info) => [info.name, info]));
      this.#headers.set(file, header);
      return header;
    } catch (error) {
      throw new UserError(`${file}: ${errorMessage(error)}`, undefined, { cause: error });
    }
  }
}

/** Hugging Face's own name first: a folder may also have the original's file with other names for the tensors. */
function pickFile(names: readonly string[]): string | undefined {
  return names.find((name) => /^model\.safetensors/.test(name)) ?? [...names].sort()[0];
}

function describeMissingWeights(names: readonly string[]): string {
  if (names.some((name) => name.endsWith(".gguf")))
    return l10n.t("GGUF weights are not supported here: the folder has no safetensors file");
  if (names.some((name) => /^pytorch_model.*\.bin$/.test(name)))
    return l10n.t("PyTorch's .bin weights are not supported: the folder has no safetensors file");
  return l10n.t("the folder has no safetensors file");
}

async function openNamed(folder: ModelFolder, file: string): Promise<OpenedFile> {
  try {
    return await folder.open(file);
  } catch (error) {
    throw new UserError(`${file}: ${errorMessage(error)}`, undefined, { cause: error });
  }
}

async function readIndex(folder: ModelFolder, name: string): Promise<ReadonlyMap<string, string>> {
  const { reader, close } = await openNamed(folder, name);
  try {
    if (reader.size > MAX_INDEX_BYTES) throw new UserError(l10n.t("{0}: not a safetensors index", name));
    const index = readSafetensorsIndex(parseIndex(await reader.read(0, reader.size)));
    if (index === undefined) throw new UserError(l10n.t("{0}: not a safetensors index", name));
    const [refused] = index.refused;
    if (refused !== undefined)
      throw new UserError(l10n.t("{0}: {1} is not a file of this folder", name, JSON.stringify(refused)));
    return index.weightMap;
  } finally {
    await close();
  }
}

function requireFinite(values: Float32Array, file: string, name: string): void {
  let sum = 0;
  // 0 · x is 0 for every finite x, NaN otherwise; one comparison at the end costs less than one per weight.
  for (let n = 0; n < values.length; n++) sum += 0 * (values[n] ?? 0);
  if (sum === 0) return;
  const at = values.findIndex((value) => !Number.isFinite(value));
  throw new UserError(l10n.t("{0}: tensor {1} contains {2}", file, name, String(values[at])));
}
