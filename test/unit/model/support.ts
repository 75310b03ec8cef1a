import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/lib/root.ts";
import { memoryReader } from "../../../src/core/checkpoint/rangeReader.ts";
import { startWasm } from "../../../src/model/backend/wasm.ts";
import { ARRAY_NAMES, type AttentionRecord, type RunRequest } from "../../../src/model/forward/run.ts";
import { LoadedModel } from "../../../src/model/loadedModel.ts";
import type { ModelFolder } from "../../../src/model/weights/modelFolder.ts";

/** Files of a folder by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** One of the reference checkpoints in `test/golden/models`. */
export function goldenFiles(name: string): Map<string, Uint8Array> {
  const folder = path.join(root, "test/golden/models", name);
  return new Map(readdirSync(folder).map((file) => [file, new Uint8Array(readFileSync(path.join(folder, file)))]));
}

/** A folder in memory. `opened` counts the files that are open. */
export function memoryFolder(files: Files): ModelFolder & { opened: number } {
  const folder = {
    opened: 0,
    list: () => Promise.resolve([...files.keys()]),
    open: (name: string) => {
      const bytes = files.get(name);
      if (bytes === undefined) return Promise.reject(new Error("no such file"));
      folder.opened++;
      const close = () => {
        folder.opened--;
        return Promise.resolve();
      };
      return Promise.resolve({ reader: memoryReader(bytes), close });
    },
  };
  return folder;
}

export const startBackend = () => startWasm(path.join(root, "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));

export const everything = (ids: readonly number[]): RunRequest => ({ ids, wants: () => true, arrays: ARRAY_NAMES });

/** Runs a model to its end. */
export async function collect(run: AsyncGenerator<AttentionRecord, void>): Promise<AttentionRecord[]> {
  const records: AttentionRecord[] = [];
  for await (const record of run) records.push(record);
  return records;
}

/** Opens a folder's model, computes everything and closes it. */
export async function computeAll(files: Files, ids: readonly number[]): Promise<AttentionRecord[]> {
  const model = await LoadedModel.open(memoryFolder(files), 0);
  try {
    return await collect(model.run(everything(ids)));
  } finally {
    await model.close();
  }
}

export interface Header {
  [name: string]: { dtype: string; shape: number[]; data_offsets: [number, number] };
}

/** Changes the header of a safetensors file; the tensors' data stays. */
export function editHeader(bytes: Uint8Array, edit: (header: Header) => void): Uint8Array {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  edit(header);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const edited = new Uint8Array(8 + text.length + bytes.length - 8 - length);
  new DataView(edited.buffer).setBigUint64(0, BigInt(text.length), true);
  edited.set(text, 8);
  edited.set(bytes.subarray(8 + length), 8 + text.length);
  return edited;
}

/** Changes the text of a file. */
export function editText(files: Map<string, Uint8Array>, name: string, edit: (text: string) => string): void {
  files.set(name, new TextEncoder().encode(edit(new TextDecoder().decode(files.get(name)))));
}
