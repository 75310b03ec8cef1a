import * as l10n from "@vscode/l10n";
import type { OpenedFile } from "../core/checkpoint/rangeReader.ts";
import type { Params } from "../core/spec.ts";
import { errorMessage, UserError } from "../core/util/errors.ts";
import { type AttentionRecord, type RunRequest, runModel } from "./forward/run.ts";
import type { ModelSpec } from "./modelSpec.ts";
import { describeModel } from "./openModel.ts";
import { describeMissingTokenizer, readTokenizer, type TextTokenizer } from "./tokens/tokenizer.ts";
import { Checkpoint } from "./weights/checkpoint.ts";
import type { ModelFolder } from "./weights/modelFolder.ts";
import { Weights } from "./weights/weights.ts";

/** Larger JSON is not read; tokenizers of 256,000 tokens with their merges have 35 MB. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

async function readWhole(folder: ModelFolder, name: string): Promise<string> {
  let opened: OpenedFile | undefined;
  try {
    opened = await folder.open(name);
    if (opened.reader.size > MAX_TEXT_BYTES)
      throw new UserError(l10n.t("not read: larger than {0} MB", MAX_TEXT_BYTES / 1024 / 1024));
    return new TextDecoder().decode(await readBytes(opened));
  } catch (error) {
    throw new UserError(`${name}: ${errorMessage(error)}`, undefined, { cause: error });
  } finally {
    await opened?.close();
  }
}

/** A reader may return less than was asked for. */
async function readBytes({ reader }: OpenedFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(reader.size);
  for (let done = 0; done < bytes.length; ) {
    const piece = await reader.read(done, bytes.length - done);
    if (piece.length === 0) break;
    bytes.set(piece, done);
    done += piece.length;
  }
  return bytes;
}

/**
 * Reads the tokenizer of a model's folder.
 * @throws UserError if it has none that is supported
 */
export async function loadTokenizer(folder: ModelFolder): Promise<TextTokenizer> {
  const names = await folder.list();
  if (!names.includes("tokenizer.json")) throw new UserError(describeMissingTokenizer(names));
  const settings = names.includes("tokenizer_config.json")
    ? await readWhole(folder, "tokenizer_config.json")
    : undefined;
  return readTokenizer(await readWhole(folder, "tokenizer.json"), settings);
}

/** A model's config and weights. Nothing but headers is read before a run. */
export class LoadedModel {
  readonly spec: ModelSpec;
  readonly #weights: Weights;
  readonly #config: string;

  private constructor(config: string, spec: ModelSpec, weights: Weights) {
    this.#config = config;
    this.spec = spec;
    this.#weights = weights;
  }

  /**
   * @param cacheBytes bytes of weights that stay loaded between runs
   * @throws UserError for what cannot be read or is not supported
   */
  static async open(folder: ModelFolder, cacheBytes: number): Promise<LoadedModel> {
    const config = await readWhole(folder, "config.json");
    const spec = describeModel(config, {});
    const checkpoint = await Checkpoint.open(folder);
    try {
      return new LoadedModel(config, spec, new Weights(checkpoint, anchorsOf(spec), cacheBytes));
    } catch (error) {
      await checkpoint.close();
      throw error;
    }
  }

  /**
   * Computes the model, with other parameters of its encodings if given.
   * @throws ParamError for parameters that the encodings do not have or allow
   */
  run(request: RunRequest, overrides: Params = {}): AsyncGenerator<AttentionRecord, void> {
    const spec = Object.keys(overrides).length === 0 ? this.spec : describeModel(this.#config, overrides);
    return runModel(this.#weights, spec, request);
  }

  /** Frees the weights and closes the files. */
  close(): Promise<void> {
    return this.#weights.close();
  }
}

/** Tensors that every checkpoint of the model has. */
function anchorsOf({ stacks }: ModelSpec): string[] {
  return stacks.flatMap(({ embedding, block }) => {
    const { projection } = block(0).attention;
    const first = projection.kind === "fused" ? projection.linear : projection.query;
    return [...embedding.tokens, `${first.name}.weight`];
  });
}
